#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

#include "context/sanitizer.hpp"

namespace weft {

/// A stack and what is needed to go on with it. Lives at the top of its own stack, in the page that
/// is touched anyway. The switch is here and nowhere else.
class Context {
 public:
  /// What a stack that begins is given by the one that switched to it.
  using Transfer = boost::context::detail::transfer_t;
  using Entry = void (*)(Transfer);

  Context(void* low, std::size_t size, std::uint8_t stack_class, bool canary) noexcept;

  [[nodiscard]] std::uint8_t stack_class() const noexcept { return stack_class_; }
  [[nodiscard]] void* low() const noexcept { return low_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] StackNotes& notes() noexcept { return notes_; }
  /// Whether the word at the bottom of an unguarded stack is as it was.
  [[nodiscard]] bool intact() const noexcept;

  /// Makes the stack ready to run `entry` from its beginning; returns where to go on.
  [[nodiscard]] void* prepare(Entry entry) noexcept;

  /// To be called first thing by an entry.
  void begin(Transfer transfer) noexcept {
    *static_cast<void**>(transfer.data) = transfer.fctx;
    notes_.arrive();
  }

  /// For the stack that the thread came with.
  struct OfThread {};
  explicit Context(OfThread) noexcept;

  Context* next_pooled = nullptr;
  void* abandoned_at = nullptr;  // takes the place to go on that nobody will want

 private:

  std::byte* low_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t stack_class_ = 0;
  bool canary_ = false;
  [[no_unique_address]] StackNotes notes_;
};

/// Goes from the running stack `from` to the parked stack `to`. Where `from` stopped is kept in
/// `from_pointer` until somebody switches back.
[[gnu::always_inline]] inline void switch_context(Context& from, void*& from_pointer, Context& to,
                                                  void* to_pointer) noexcept {
  from.notes().leave(to.notes(), to.low(), to.size(), false);
  const boost::context::detail::transfer_t transfer =
      boost::context::detail::jump_fcontext(to_pointer, &from_pointer);
  *static_cast<void**>(transfer.data) = transfer.fctx;
  from.notes().arrive();
}

/// The same from a stack that is never resumed at this point.
[[noreturn]] inline void abandon_context(Context& from, Context& to, void* to_pointer) noexcept {
  from.notes().leave(to.notes(), to.low(), to.size(), true);
  boost::context::detail::jump_fcontext(to_pointer, &from.abandoned_at);
  __builtin_unreachable();
}

/// Runs `function(data)` on top of the parked stack `to`, then comes back.
void call_on_context(Context& from, Context& to, void*& to_pointer, void (*function)(void*),
                     void* data) noexcept;

}  // namespace weft
