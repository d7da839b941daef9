#include "weft/delay.hpp"

#include "base/current.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"
#include "weft/clock.hpp"
#include "weft/driver.hpp"
#include "weft/timer.hpp"

namespace weft {

void delay(TimeSpan duration, Place place) {
  Timer timer{duration};  // inert until the suspension starts it
  await(timer, place);
}

void delay_until(TimePoint moment, Place place) { delay(time_until(moment, now()), place); }

TimePoint now() noexcept {
  Scheduler* scheduler = current_thread.scheduler;
  return scheduler != nullptr ? scheduler->driver().now() : Clock::real().now();
}

}  // namespace weft
