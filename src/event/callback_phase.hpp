#pragma once

#include "base/current.hpp"

namespace weft {

/// Marks a running callback: while one lives, suspending is not allowed. Coroutine code notifies
/// events too, and must not be parked in the middle of a walk over callbacks.
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
  unsigned* phase_;  // null outside a runtime
};

}  // namespace weft
