#pragma once

#include "request.hpp"

namespace weft_php {

/// Where no coroutine may be suspended, because the engine has state there that is not saved: while
/// it compiles, and while it hands output over. Functions that block do so; the API refuses.
inline int no_suspension = 0;

/// Calls `work` in such a place. A bailout passes through.
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

/// Installs both places: after all extensions were loaded, for opcache compiles by what it finds.
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
