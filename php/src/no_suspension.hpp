#pragma once

#include "request.hpp"

namespace weft_php {

/// Above zero where no coroutine may be suspended, because the engine has state there that is not
/// saved: while it compiles, and while it hands output over. There, blocking functions block the
/// thread, and functions of the API that would suspend throw.
inline int no_suspension = 0;

/// Calls `work`, in which no coroutine may be suspended. A bailout passes through.
template <class Work>
void without_suspension(Work&& work) {
  if (request == nullptr) return work();
  ++no_suspension;
  zend_try { work(); }
  zend_catch {
    --no_suspension;
    zend_bailout();
  }
  zend_end_try();
  --no_suspension;
}

/// Wraps compiling and output. Call it after all extensions were loaded; opcache then wraps the
/// compile hook that it finds.
void guard_places_without_suspension();
[[gnu::cold, gnu::noinline]] void refuse_to_suspend();
/// Whether the API may suspend; throws in PHP otherwise.
[[nodiscard]] inline bool may_suspend_here() {
  if (no_suspension == 0) [[likely]]
    return true;
  refuse_to_suspend();
  return false;
}

}  // namespace weft_php
