#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"

namespace weft {

/// Everybody waits and nothing can wake anybody: the program ends, but cleans up first.
void Scheduler::resolve_deadlock() noexcept {
  if (++deadlock_rounds_ > patience) {
    give_up("coroutines wait for what can never happen and swallow their cancellation");
    return;
  }
  if (deadlock_rounds_ == 1) {
    WEFT_PROBE("deadlock");
    try {
      if (options_.deadlock_report) warn(deadlock_report());
    } catch (...) {  // the report is only for people
      warn("deadlock; no memory for a report");
    }
    try {
      exit_error_ = std::make_exception_ptr(
          DeadlockError{"Deadlock detected: no active coroutines, " +
                            std::to_string(registry_.size()) + " coroutines in waiting",
                        exit_error_});
    } catch (...) {
      exit_error_ = std::current_exception();
    }
    if (ending_ == Ending::none) return begin_ending(CancelReason::deadlock);
    ending_reason_ = CancelReason::deadlock;
  }
  cancel_others();
  cancel_rest();
}

std::string Scheduler::deadlock_report() const {
  std::string text = "deadlock: " + std::to_string(registry_.size()) + " coroutines wait, " +
                     std::to_string(driver_.active_events()) + " active events";
  for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
    text += "\n  " + c->info();
    for (const std::string& event : c->waker().awaiting()) text += "\n    waits for " + event;
  }
  return text;
}

}  // namespace weft
