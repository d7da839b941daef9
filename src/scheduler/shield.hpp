#pragma once

#include "base/current.hpp"
#include "scheduler/scheduler.hpp"

namespace weft {

/// Defers cancellation of the current coroutine while it lives, also that of a shutdown or a
/// deadlock: for clean-up that must complete. Does nothing outside a coroutine. What was deferred
/// is thrown at the next suspension after it.
class Shield {
 public:
  Shield() noexcept {
    Scheduler* scheduler = current_thread.scheduler;
    if (scheduler == nullptr || !scheduler->has_current() || scheduler->in_phase()) return;
    coroutine_ = &scheduler->current();
    ++coroutine_->shields_;
  }
  ~Shield() {
    if (coroutine_ != nullptr) --coroutine_->shields_;
  }
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;

 private:
  CoroutineBase* coroutine_ = nullptr;
};

}  // namespace weft
