#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/clock.hpp"

namespace {

using namespace std::chrono_literals;

/// A clock that advances by a millisecond with every reading, as if the thread had lost the
/// processor.
class SlowClock final : public weft::Clock {
 public:
  [[nodiscard]] weft::TimePoint now() noexcept override { return now_ += 1ms; }

 private:
  weft::TimePoint now_{1'000s};
};

// R-TRG-1, R-TMR-1: a deadline that passes while the loop prepares to sleep is served without a
// sleep, even if the loop also waits for something else.
TEST(TriggerAlarmTest, RingsWhenTheDeadlinePassesOnTheWayToSleep) {
  for (int late = 1; late < 40; ++late) {
    SlowClock clock;
    weft::Options options;
    options.clock = &clock;
    weft::run(
        [&] {
          weft::Trigger trigger;
          EXPECT_THROW(weft::await(trigger, weft::timeout(std::chrono::milliseconds{late})),
                       weft::OperationCancelled);
        },
        options);
  }
}

}  // namespace
