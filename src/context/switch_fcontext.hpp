#pragma once

#include <cfenv>
#include <cstddef>

#include <boost/context/detail/fcontext.hpp>

// The switch for all other CPUs: Boost.Context's fcontext, which also keeps the floating-point
// modes. Same interface as switch_x86_64.hpp.
namespace weft {

inline void jump_to_stack(void** from_pointer, void* to_pointer) noexcept {
  const boost::context::detail::transfer_t transfer =
      boost::context::detail::jump_fcontext(to_pointer, from_pointer);
  *static_cast<void**>(transfer.data) = transfer.fctx;
}

[[noreturn]] inline void leave_stack(void* to_pointer) noexcept {
  void* left = nullptr;  // receives the stack pointer of the stack that is left; not used
  jump_to_stack(&left, to_pointer);
  __builtin_unreachable();
}

template <void (*entry)()>
void* first_frame(std::byte* top) noexcept {
  constexpr std::size_t any_size = 4'096;  // fcontext does not use it
  return boost::context::detail::make_fcontext(
      top, any_size, [](boost::context::detail::transfer_t transfer) {
        *static_cast<void**>(transfer.data) = transfer.fctx;
        entry();
      });
}

/// fcontext saves the modes at every switch. A new stack, however, starts with the modes of its
/// creator, and a coroutine that inherits a stack with those of its predecessor; restore() resets
/// both.
struct FloatModes {
  std::fenv_t environment{};

  static FloatModes read() noexcept {
    FloatModes modes;
    std::fegetenv(&modes.environment);
    return modes;
  }
  void load() const noexcept { std::fesetenv(&environment); }
  static constexpr bool watch_sse = true;  // fcontext switches both units
  static constexpr bool new_stack_has_them = false;
  [[nodiscard]] bool are_set() const noexcept { return true; }
  /// For the next coroutine on this stack.
  void restore() const noexcept { load(); }
};

}  // namespace weft
