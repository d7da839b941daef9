#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "context/sanitizer.hpp"

#if defined(__x86_64__) && !defined(WEFT_USE_FCONTEXT)
#include "context/switch_x86_64.hpp"
#else
#include "context/switch_fcontext.hpp"
#endif

namespace weft {

/// A stack and what is needed to resume it. Lives at the top of its own stack, in a page that is
/// touched anyway. The only place that switches stacks.
class Context {
 public:
  Context(void* low, std::size_t size, std::uint8_t stack_class, bool canary) noexcept;

  [[nodiscard]] std::uint8_t stack_class() const noexcept { return stack_class_; }
  [[nodiscard]] void* low() const noexcept { return low_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] StackNotes& notes() noexcept { return notes_; }
  [[nodiscard]] bool has_canary() const noexcept { return canary_; }
  /// Whether the canary word at the bottom of an unguarded stack is unchanged.
  [[nodiscard]] bool intact() const noexcept { return !canary_ || has_its_canary(); }

  /// Makes the stack ready to run `entry` from its beginning; returns its stack pointer.
  template <void (*entry)()>
  [[nodiscard]] void* prepare() noexcept {
    const auto top = reinterpret_cast<std::uintptr_t>(this) & ~std::uintptr_t{15};
    return first_frame<entry>(reinterpret_cast<std::byte*>(top));
  }

  /// An entry function calls this first.
  void begin() noexcept { notes_.arrive(); }

  /// Tag of the constructor for the thread's own stack.
  struct OfThread {};
  explicit Context(OfThread) noexcept;

  Context* next_pooled = nullptr;  // the pool is a stack; one link is enough

 private:
  [[nodiscard]] bool has_its_canary() const noexcept;

  std::byte* low_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t stack_class_ = 0;
  bool canary_ = false;
  [[no_unique_address]] StackNotes notes_;
};

/// The stack of this thread. For the first thread the C library reads a file.
[[nodiscard]] std::span<std::byte> stack_of_thread() noexcept;

/// Switches from the running stack `from` to the parked stack `to`. `from_pointer` holds the stack
/// pointer of `from` until it is resumed.
[[gnu::always_inline]] inline void switch_context(Context& from, void*& from_pointer, Context& to,
                                                  void* to_pointer,
                                                  const FloatModes& usual) noexcept {
  const bool unusual = !usual.are_set();
  FloatModes mine;
  if (unusual) [[unlikely]] {
    mine = FloatModes::read();
    usual.load();
  }
  from.notes().leave(to.notes(), to.low(), to.size(), false);
  jump_to_stack(&from_pointer, to_pointer);
  from.notes().arrive();
  if (unusual) [[unlikely]]
    mine.load();
}

/// The same from a stack that is not resumed here, with the float modes of the runtime.
[[noreturn, gnu::always_inline]] inline void abandon_context(Context& from, Context& to,
                                                             void* to_pointer) noexcept {
  from.notes().leave(to.notes(), to.low(), to.size(), true);
  leave_stack(to_pointer);
}

/// Runs `function(data)` on the parked stack `to`, below its parked frame, then switches back.
void call_on_context(Context& from, Context& to, void* to_pointer, void (*function)(void*),
                     void* data) noexcept;

}  // namespace weft
