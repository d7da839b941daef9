#include "weft/timer.hpp"

#include <algorithm>

#include "reactor/reactor.hpp"
#include "weft/error.hpp"

namespace weft {

Timer::Timer(TimeSpan duration, Kind kind)
    : LoopEvent{Listed::no},
      duration_{std::max<Duration>(duration, Duration::zero())},
      kind_{kind} {
  if (kind == Kind::periodic && duration_ == Duration::zero()) {
    throw ValueError{"The period of a timer must be greater than 0"};
  }
}

void Timer::arm(Reactor& reactor) {
  // Reads the clock: work since the last reading must not shorten the wait.
  reactor.timers().add(*this, after(reactor.clock().now(), duration_));
}

void Timer::disarm(Reactor& reactor) noexcept { reactor.timers().remove(*this); }

void Timer::leave() noexcept {
  const Ref<Timer> keep{this};  // the loop may have the last reference
  stop_all();
}

void Timer::due(TimePoint now) noexcept {
  switch (kind_) {
    case Kind::once:
      notify_and_close();
      return;
    case Kind::periodic: {
      // Periods missed while the loop did not run are skipped. Its row was freed just now, so add()
      // does not allocate.
      const TimePoint next = after(deadline(), duration_);
      reactor()->timers().add(*this, next <= now ? after(now, duration_) : next);
      notify();
      return;
    }
    case Kind::multishot: {
      const Ref<Timer> keep{this};  // a callback may drop the last reference
      notify();
      if (!is_set()) stop_all();  // no callback has armed it again
      return;
    }
  }
}

bool Timer::rearm(TimeSpan duration) noexcept {
  if (kind_ != Kind::multishot || is_closed()) return false;
  duration_ = std::max<Duration>(duration, Duration::zero());
  if (reactor() == nullptr) {
    try {
      return start();
    } catch (...) {
      return false;
    }
  }
  TimerQueue& timers = reactor()->timers();
  timers.remove(*this);
  try {
    timers.add(*this, after(reactor()->clock().now(), duration_));
  } catch (...) {
    return false;
  }
  return true;
}

void Timer::close() noexcept {
  if (is_closed()) return;
  stop_all();
  close_quietly();
}

std::string Timer::info() const { return text(duration_, is_periodic()); }

std::string Timer::text(Duration duration, bool is_periodic) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
  return "Timer(timeout=" + std::to_string(ms.count()) + "ms, " +
         (is_periodic ? "periodic)" : "once)");
}

}  // namespace weft
