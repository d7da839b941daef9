#pragma once

#include "scheduler/scheduler.hpp"

namespace weft {

/// Nothing is thrown at the current coroutine while it lives, not even by a shutdown: for clean-up
/// that must wait for others to end.
class Shield {
 public:
  Shield() noexcept : coroutine_{current_thread.scheduler->current()} {
    Scheduler::raise_shield(coroutine_);
  }
  ~Shield() { Scheduler::lower_shield(coroutine_); }
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;

 private:
  CoroutineBase& coroutine_;
};

}  // namespace weft
