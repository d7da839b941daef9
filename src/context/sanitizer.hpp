#pragma once

#include <cstddef>
#include <utility>

#include "base/sanitizer.hpp"

#if WEFT_ASAN
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if WEFT_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#if WEFT_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace weft {

/// What the memory checkers must know about one stack. Empty in a plain build but for one word for
/// valgrind.
class StackNotes {
 public:
  /// A new stack exists. Frames can lie in the `frames` bytes from `low` on.
  void born(void* low, std::size_t size, [[maybe_unused]] std::size_t frames) noexcept {
#if WEFT_ASAN
    ASAN_UNPOISON_MEMORY_REGION(low, size);
    __lsan_register_root_region(low, size);
    low_ = low;
    frames_ = frames;
#endif
#if WEFT_TSAN
    fiber_ = __tsan_create_fiber(0);
#endif
#if WEFT_VALGRIND
    valgrind_id_ = VALGRIND_STACK_REGISTER(low, static_cast<char*>(low) + size);
#endif
    static_cast<void>(low), static_cast<void>(size);
  }
  /// The stack is freed.
  void died(void* low, std::size_t size) noexcept {
#if WEFT_ASAN
    __lsan_unregister_root_region(low, size);
    ASAN_UNPOISON_MEMORY_REGION(low, size);
#endif
#if WEFT_TSAN
    __tsan_destroy_fiber(fiber_);
#endif
#if WEFT_VALGRIND
    VALGRIND_STACK_DEREGISTER(valgrind_id_);
#endif
    static_cast<void>(low), static_cast<void>(size);
  }
  /// Frames are about to be put below the frame that is parked at `top`, down to `low`.
  static void lend([[maybe_unused]] void* low, [[maybe_unused]] void* top) noexcept {
#if WEFT_VALGRIND
    VALGRIND_MAKE_MEM_UNDEFINED(low, static_cast<char*>(top) - static_cast<char*>(low));
#endif
  }
  /// Frames below `top` were abandoned on a stack that stays in use.
  static void forget_frames([[maybe_unused]] void* top) noexcept {
#if WEFT_ASAN
    constexpr std::size_t reach = std::size_t{64} * 1024;
    ASAN_UNPOISON_MEMORY_REGION(static_cast<char*>(top) - reach, reach);
#endif
  }
  /// Freed stacks lie between `low` and `end`: an access is an error until they are used again.
  static void forbid([[maybe_unused]] std::byte* low, [[maybe_unused]] std::byte* end) noexcept {
#if WEFT_ASAN
    ASAN_POISON_MEMORY_REGION(low, static_cast<std::size_t>(end - low));
#endif
  }
  static void allow([[maybe_unused]] std::byte* low, [[maybe_unused]] std::byte* end) noexcept {
#if WEFT_ASAN
    ASAN_UNPOISON_MEMORY_REGION(low, static_cast<std::size_t>(end - low));
#endif
  }
  /// The stack is used again after it was in the pool.
  void reuse() noexcept {
#if WEFT_ASAN
    ASAN_UNPOISON_MEMORY_REGION(low_, frames_);
    fake_stack_ = nullptr;
#endif
#if WEFT_TSAN
    // The fiber's record of calls still has the abandoned frames and would overflow some day.
    __tsan_destroy_fiber(fiber_);
    fiber_ = __tsan_create_fiber(0);
#endif
  }

  /// Right before a switch away from this stack; `last` if it is never resumed. Inlined: a return
  /// between here and the switch would be recorded for the other stack.
  [[gnu::always_inline]] void leave([[maybe_unused]] StackNotes& to,
                                    [[maybe_unused]] const void* to_low,
                                    [[maybe_unused]] std::size_t to_size,
                                    [[maybe_unused]] bool last) noexcept {
#if WEFT_ASAN
    __sanitizer_start_switch_fiber(last ? nullptr : &fake_stack_, to_low, to_size);
    to.abandoned_ = last ? this : nullptr;
#endif
#if WEFT_TSAN
    __tsan_switch_to_fiber(to.fiber_, 0);
#endif
  }
  /// The first thing after a switch to this stack.
  [[gnu::always_inline]] void arrive() noexcept {
#if WEFT_ASAN
    __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
    if (abandoned_ != nullptr) std::exchange(abandoned_, nullptr)->rest();
#endif
  }
  /// The thread's own stack.
  void adopt_thread() noexcept {
#if WEFT_TSAN
    fiber_ = __tsan_get_current_fiber();
#endif
  }

 private:
#if WEFT_ASAN
  /// No frame is in use any more: a late write into one is an error. Called on the next stack,
  /// because the last frames are in use up to the switch.
  void rest() noexcept { ASAN_POISON_MEMORY_REGION(low_, frames_); }

  void* fake_stack_ = nullptr;
  void* low_ = nullptr;
  std::size_t frames_ = 0;
  StackNotes* abandoned_ = nullptr;  // the stack that was left for good to switch here
#endif
#if WEFT_TSAN
  void* fiber_ = nullptr;
#endif
#if WEFT_VALGRIND
  unsigned valgrind_id_ = 0;
#endif
};

}  // namespace weft
