#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {

void Ending::resolve_deadlock() noexcept {
  if (++deadlock_rounds_ > patience) {
    give_up("coroutines wait for what can never happen and swallow their cancellation");
    return;
  }
  if (deadlock_rounds_ == 1) {
    WEFT_PROBE("deadlock");
    try {
      if (scheduler_.options_.on_deadlock) {
        const SchedulerPhase phase{scheduler_};
        scheduler_.options_.on_deadlock();
      } else if (scheduler_.options_.deadlock_report) {
        warn(deadlock_report());
      }
    } catch (...) {  // without memory there is no report
      warn("deadlock; no memory for a report");
    }
    try {
      error_ = std::make_exception_ptr(
          DeadlockError{"Deadlock detected: no active coroutines, " +
                            std::to_string(scheduler_.registry_.size()) + " coroutines in waiting",
                        error_});
    } catch (...) {
      error_ = std::current_exception();
    }
    if (stage_ == Stage::none) return begin(CancelReason::deadlock);
    reason_ = CancelReason::deadlock;
  }
  cancel_others();
  cancel_rest();
}

std::string Ending::deadlock_report() const {
  std::string text = "deadlock: " + std::to_string(scheduler_.registry_.size()) +
                     " coroutines wait, " + std::to_string(scheduler_.driver_.active_events()) +
                     " active events";
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    text += "\n  " + c->info();
    for (const std::string& event : c->waker().awaiting()) text += "\n    waits for " + event;
  }
  return text;
}

}  // namespace weft
