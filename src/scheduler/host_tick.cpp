#include "scheduler/park.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"

// Ticks of a host with a loop of its own, whose stack is that of the main coroutine.
namespace weft {

void Scheduler::expect_host(const char* operation) const {
  if (phase_ != 0) {
    throw MisuseError{std::string{operation} +
                      " cannot be called in the Scheduler context: not in a microtask, a callback "
                      "or a switch handler"};
  }
  if (current_ != main_.get()) {
    throw MisuseError{std::string{operation} +
                      " was called inside a coroutine: only the stack that made the runtime may; "
                      "a coroutine suspends instead"};
  }
}

bool Scheduler::tick_from_main(Wait wait) {
  expect_host("Runtime::tick()");
  const bool others = registry_.size() > 1;
  bool alive = true;
  {
    SchedulerPhase phase{*this};
    const bool idle = queue_.empty() && microtasks_.empty();
    if (idle) stacks_.trim(driver_.now());
    alive =
        driver_.poll(wait == Wait::yes && idle && others ? Wait::yes : Wait::no, ending_.limit());
    last_poll_ = driver_.now();
  }
  handle_pending();
  // A host that does not wait goes on, and may still wake a coroutine itself: no deadlock.
  if (wait == Wait::yes && !alive && others && queue_.empty() && microtasks_.empty() &&
      !deadlock_hooks_.try_all()) {
    ending_.resolve_stall();
  }
  try {
    weft::suspend();
  } catch (const Cancelled&) {  // a shutdown has begun: its cause is reported to the host
  }
  return registry_.size() > 1 || !microtasks_.empty() || driver_.active_events() > 0;
}

}  // namespace weft
