#include "weft/delay.hpp"

#include <algorithm>

#include "base/current.hpp"
#include "base/planted.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/park.hpp"
#include "weft/detail/alarm.hpp"
#include "weft/extend/clock.hpp"
#include "weft/extend/driver.hpp"
#include "weft/timer.hpp"

namespace weft {
namespace {

/// A coroutine that waits for a time and nothing else: it is in the timer queue itself, and counts
/// as an active event. To reports it looks like a Timer.
class Sleep final : public DirectWait, public detail::Alarm {
 public:
  /// Throws std::bad_alloc, and std::system_error if no loop can be made to sleep in.
  Sleep(Reactor& reactor, Duration duration) : reactor_{reactor}, duration_{duration} {
    reactor.open();
    // Reads the clock: work since the last reading must not shorten the wait.
    reactor.timers().add(*this, after(reactor.clock().now(), duration));
    reactor.add_active_wait();
  }
  ~Sleep() override {
    if (is_set()) leave();
  }
  [[nodiscard]] std::string describe() const override { return Timer::text(duration_, false); }
  void leave() noexcept override {
    reactor_.timers().remove(*this);
    reactor_.remove_active_wait();
  }

 private:
  void on_wait_ended() noexcept override {
    if (is_set() && !WEFT_PLANTED(late_timer_kept)) leave();
  }
  void due(TimePoint /*now*/) noexcept override {
    reactor_.remove_active_wait();
    waker()->complete();
  }

  Reactor& reactor_;
  Duration duration_;
};

}  // namespace

__attribute__((no_stack_protector)) void delay(TimeSpan duration, Place place) {
  Scheduler::expect_to_suspend("delay()");
  Sleep sleep{*current_thread.reactor, std::max<Duration>(duration, Duration::zero())};
  Scheduler::wait_for(sleep, "delay()", PackedPlace{place});
}

void delay_until(TimePoint moment, Place place) {
  Scheduler::expect_to_suspend("delay_until()");
  delay(time_until(moment, now()), place);
}

TimePoint now() noexcept {
  Scheduler* scheduler = current_thread.scheduler;
  return scheduler != nullptr ? scheduler->driver().now() : Clock::real().now();
}

}  // namespace weft
