#pragma once

#include <cstdint>

#include "context/sanitizer.hpp"

namespace weft {

// The memory checkers must be informed of every switch, which this one does not do.
#if defined(__x86_64__) && !defined(WEFT_USE_FCONTEXT) && !WEFT_ASAN && !WEFT_TSAN
inline constexpr bool has_quick_switch = true;
#else
inline constexpr bool has_quick_switch = false;
#endif

/// Chooses the parked stack to switch to, or null to have `slow` called instead.
using QuickPick = void* (*)(void* argument, void* frame);
using QuickStep = void (*)(void* argument);

/// A switch that returns to its caller by a jump. A return would be mispredicted after every
/// switch, because the CPU expects to return to the last call, which was on another stack. Parks
/// this stack as `frame` and switches to `pick(argument, frame)`. When it is resumed, goes on after
/// the call; `after(null)` is called first if `mark_slow(frame)` was.
extern "C" void weft_quick_switch(void* argument, QuickPick pick, QuickStep slow, QuickStep after);

extern "C" char weft_quick_resume[];
/// Whether weft_quick_switch() has parked the stack of `frame`.
inline bool yielded_quickly(void* frame) noexcept {
  return *static_cast<void**>(frame) == static_cast<void*>(weft_quick_resume);
}

/// Has the stack that is parked as `frame` call `after` when it is resumed.
void mark_slow(void* frame) noexcept;

}  // namespace weft
