#pragma once

#include <cstdint>

#include "context/sanitizer.hpp"

namespace weft {

// The memory checkers want to be told of every switch, which this one does not.
#if defined(__x86_64__) && !defined(WEFT_USE_FCONTEXT) && !WEFT_ASAN && !WEFT_TSAN
inline constexpr bool has_quick_switch = true;
#else
inline constexpr bool has_quick_switch = false;
#endif

/// Chooses where to go: a parked stack, or null to have `careful` called instead.
using QuickPick = void* (*)(void* argument, void* frame);
using QuickStep = void (*)(void* argument);

/// A switch that returns to its caller by a jump. A return would be mispredicted after every
/// switch, because the CPU expects to come back where the last call was made, which was on another
/// stack. Parks this stack as `frame` and goes where `pick(argument, frame)` says. When somebody
/// switches back, goes on behind the call; `after(null)` is called first if `needs_care(frame)`
/// was.
extern "C" void weft_quick_switch(void* argument, QuickPick pick, QuickStep careful,
                                  QuickStep after);

extern "C" char weft_quick_resume[];
/// Whether the stack that is parked as `frame` was left by it.
inline bool yielded_quickly(void* frame) noexcept {
  return *static_cast<void**>(frame) == static_cast<void*>(weft_quick_resume);
}

/// Has the stack that is parked as `frame` call its `after` when it is resumed.
void needs_care(void* frame) noexcept;

}  // namespace weft
