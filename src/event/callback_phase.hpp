#pragma once

#include "base/current.hpp"

namespace weft {

/// A callback runs, on the stack of whoever notifies: while one of these lives, nobody may suspend.
/// Coroutine code notifies too, and must not be parked in the middle of a walk over callbacks.
class CallbackPhase {
 public:
  CallbackPhase() noexcept : phase_{current_thread.phase} {
    if (phase_ != nullptr) ++*phase_;
  }
  ~CallbackPhase() {
    if (phase_ != nullptr) --*phase_;
  }
  CallbackPhase(const CallbackPhase&) = delete;
  CallbackPhase& operator=(const CallbackPhase&) = delete;

 private:
  unsigned* phase_;  // none outside a runtime
};

}  // namespace weft
