#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using weft_test::Call;
using weft_test::Log;
using namespace std::chrono_literals;

// R-REA-1, R-REA-11
TEST(ReactorTickTest, CollectsWhatIsDueWithoutWaitingAndWithoutSwitching) {
  Log log;
  weft::testing::run([&] {
    auto sleeper = weft::spawn([&] {
      weft::delay(10ms);
      log.push_back("sleeper");
    });
    weft::suspend();
    const weft::Stats before = weft::stats();
    const weft::TimePoint start = weft::now();
    weft::tick_reactor();
    EXPECT_LT(weft::now() - start, 1ms);  // the tick did not wait for the timer
    EXPECT_FALSE(sleeper.is_queued());
    weft::testing::advance(20ms);
    weft::tick_reactor();
    EXPECT_TRUE(sleeper.is_queued());  // woken, but not switched to
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(weft::stats().switches, before.switches);
    EXPECT_EQ(weft::stats().reactor_ticks, before.reactor_ticks + 2);
    EXPECT_EQ(weft::stats().reactor_waits, before.reactor_waits);
    weft::await(sleeper);
  });
  EXPECT_EQ(log, (Log{"sleeper"}));
}

// R-REA-1, R-REA-2
TEST(ReactorTickTest, WaitsForTheNextEventOnlyWhenAsked) {
  weft::testing::VirtualClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::Runtime runtime{options};
  const weft::TimePoint start = clock.now();
  auto sleeper = runtime.spawn([] { weft::delay(10ms); });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(runtime.tick(weft::Wait::no));
  EXPECT_TRUE(sleeper.is_started());
  EXPECT_LT(clock.now() - start, 1ms);
  runtime.tick(weft::Wait::yes);
  runtime.tick(weft::Wait::no);
  EXPECT_GE(clock.now() - start, 10ms);
  EXPECT_LT(clock.now() - start, 11ms);
  EXPECT_TRUE(sleeper.is_completed());
  EXPECT_FALSE(runtime.tick(weft::Wait::no));  // nothing is left to do
}

// R-REA-7
TEST(ReactorTickTest, CountsOnlyVisibleEventsAsAlive) {
  weft::testing::VirtualClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::Runtime runtime{options};
  weft::Timer hidden{10ms};
  hidden.set_hidden(true);
  hidden.start();
  EXPECT_EQ(weft::stats().active_events, 0U);
  EXPECT_EQ(weft::stats().hidden_events, 1U);
  EXPECT_FALSE(runtime.tick(weft::Wait::no));
  weft::Timer visible{10ms};
  visible.start();
  EXPECT_EQ(weft::stats().active_events, 1U);
  EXPECT_TRUE(runtime.tick(weft::Wait::no));
  visible.stop();
  EXPECT_FALSE(runtime.tick(weft::Wait::no));
  hidden.stop();
}

// R-REA-7
TEST(ReactorTickTest, DoesNotWaitWhenNothingIsAlive) {
  weft::testing::VirtualClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::Runtime runtime{options};
  weft::Timer hidden{1h};
  hidden.set_hidden(true);
  hidden.start();
  const weft::TimePoint start = clock.now();
  EXPECT_FALSE(runtime.tick(weft::Wait::yes));
  EXPECT_LT(clock.now() - start, 1ms);
  hidden.stop();
}

// R-REA-12
TEST(ReactorTickTest, DrainsWhatIsLeftWhenTheRuntimeEnds) {
  for (int i = 0; i < 3; ++i) {
    weft::Timer timer{1h};
    weft::Timer periodic{1s, weft::Timer::Kind::periodic};
    weft::Trigger trigger;
    weft::testing::run([&] {
      for (weft::LoopEvent* event :
           {static_cast<weft::LoopEvent*>(&timer), static_cast<weft::LoopEvent*>(&periodic),
            static_cast<weft::LoopEvent*>(&trigger)}) {
        event->set_hidden(true);  // so that run() does not wait for it
        event->start();
        EXPECT_TRUE(event->is_armed());
      }
      EXPECT_EQ(weft::stats().hidden_events, 3U);
    });
    EXPECT_FALSE(timer.is_armed());
    EXPECT_FALSE(periodic.is_armed());
    EXPECT_FALSE(trigger.is_armed());
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  }
}

}  // namespace
