#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// Measures virtual time, in whole milliseconds, from its construction.
class Stopwatch {
 public:
  [[nodiscard]] std::int64_t milliseconds() const {
    return std::chrono::floor<std::chrono::milliseconds>(weft::now() - start_).count();
  }

 private:
  weft::TimePoint start_ = weft::now();
};

// R-TMR-1
TEST(TimerTest, FiresOnceAfterItsDuration) {
  std::vector<std::int64_t> fired;
  weft::testing::run([&] {
    const Stopwatch watch;
    Call call{[&](weft::Event&, const weft::Outcome&) { fired.push_back(watch.milliseconds()); }};
    weft::Timer timer{10ms};
    EXPECT_FALSE(timer.is_periodic());
    EXPECT_EQ(timer.duration(), 10ms);
    timer.add_callback(call);
    timer.start();
    weft::delay(100ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, (std::vector<std::int64_t>{10}));
}

// R-TMR-1
TEST(TimerTest, FiresAgainAndAgainIfItIsPeriodic) {
  std::vector<std::int64_t> fired;
  weft::testing::run([&] {
    const Stopwatch watch;
    Call call{[&](weft::Event&, const weft::Outcome&) { fired.push_back(watch.milliseconds()); }};
    weft::Timer timer = weft::Timer::periodic(10ms);
    EXPECT_TRUE(timer.is_periodic());
    timer.add_callback(call);
    timer.start();
    weft::delay(35ms);
    timer.stop();
    weft::delay(35ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, (std::vector<std::int64_t>{10, 20, 30}));
}

// R-TMR-1
TEST(TimerTest, APeriodicOneCanBeAwaitedAgainAndAgain) {
  std::vector<std::int64_t> woken;
  weft::testing::run([&] {
    const Stopwatch watch;
    weft::Timer timer = weft::Timer::periodic(10ms);
    for (int i = 0; i < 3; ++i) {
      weft::await(timer);
      woken.push_back(watch.milliseconds());
    }
  });
  EXPECT_EQ(woken, (std::vector<std::int64_t>{10, 20, 30}));
}

// R-TMR-1
TEST(TimerTest, APeriodOfNothingMakesNoSense) {
  EXPECT_THROW(weft::Timer::periodic(0ms), weft::ValueError);
  EXPECT_THROW(weft::Timer::periodic(-1ms), weft::ValueError);
}

// R-TMR-1
TEST(TimerTest, ANegativeDurationCountsAsZero) {
  weft::testing::run([] {
    const Stopwatch watch;
    weft::Timer timer{-5s};
    EXPECT_EQ(timer.duration(), 0ns);
    weft::await(timer);
    EXPECT_EQ(watch.milliseconds(), 0);
    EXPECT_TRUE(timer.is_closed());
  });
}

// R-TMR-2, R-SUS-1
TEST(TimerTest, CountsFromTheSuspensionNotFromItsCreation) {
  weft::testing::run([] {
    const Stopwatch watch;
    weft::Timer timer{10ms};
    weft::testing::advance(50ms);
    weft::await(timer);
    EXPECT_EQ(watch.milliseconds(), 60);
  });
}

// R-TMR-2, R-WAK-10
TEST(TimerTest, CountsFromTheSuspensionNotFromTheSubscription) {
  weft::testing::run([] {
    const Stopwatch watch;
    weft::Timer timer{10ms};
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(timer);
    weft::testing::advance(50ms);
    EXPECT_FALSE(timer.is_armed());
    weft::suspend(waker);
    EXPECT_EQ(watch.milliseconds(), 60);
  });
}

// R-TMR-2: the first waiter starts the timer for all.
TEST(TimerTest, CountsFromTheFirstOfSeveralWaiters) {
  Log log;
  weft::testing::run([&] {
    const Stopwatch watch;
    weft::Timer timer{10ms};
    auto first = weft::spawn([&] {
      weft::await(timer);
      log.push_back("first at " + std::to_string(watch.milliseconds()));
    });
    weft::delay(5ms);
    weft::await(timer);
    log.push_back("second at " + std::to_string(watch.milliseconds()));
    weft::await(first);
  });
  EXPECT_EQ(log, (Log{"first at 10", "second at 10"}));
}

// R-TMR-3, R-LIFE-6
TEST(TimerTest, AOneShotTimerIsClosedWhenItsCallbacksRun) {
  std::vector<bool> closed;
  weft::testing::run([&] {
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      closed.push_back(event.is_closed());
      EXPECT_EQ(weft::stats().armed_timers, 1U) << "only the delay of main";
    }};
    weft::Timer timer{10ms};
    timer.add_callback(call);
    timer.start();
    weft::delay(100ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(closed, (std::vector<bool>{true}));
}

// R-TMR-3
TEST(TimerTest, APeriodicTimerStaysActiveWhenItsCallbacksRun) {
  int fired = 0;
  weft::testing::run([&] {
    weft::Timer timer = weft::Timer::periodic(10ms);
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      ++fired;
      EXPECT_FALSE(event.is_closed());
      EXPECT_TRUE(timer.is_armed());
      EXPECT_EQ(event.loop_references(), 1U);
    }};
    timer.add_callback(call);
    timer.start();
    weft::delay(25ms);
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, 2);
}

// R-TMR-3
TEST(TimerTest, APeriodicTimerMayBeStoppedOrClosedFromItsCallback) {
  for (const bool close : {false, true}) {
    int fired = 0;
    weft::testing::run([&] {
      weft::Timer timer = weft::Timer::periodic(10ms);
      Call call{[&](weft::Event& event, const weft::Outcome&) {
        if (++fired < 2) return;
        if (close) {
          timer.close();
        } else {
          event.stop();
        }
      }};
      timer.add_callback(call);
      timer.start();
      weft::delay(100ms);
      EXPECT_FALSE(timer.is_armed());
      timer.remove_callback(call);
    });
    EXPECT_EQ(fired, 2);
  }
}

// R-TMR-6, trap 14
TEST(TimerTest, WorkSinceTheLastTickDoesNotShortenADelay) {
  weft::testing::run([] {
    weft::delay(1ms);
    weft::testing::advance(50ms);
    const Stopwatch watch;
    weft::delay(20ms);
    EXPECT_EQ(watch.milliseconds(), 20);
  });
}

// R-TMR-6: two sleepers, one of which worked for a long time before it slept.
TEST(TimerTest, ATimerArmedAfterLongWorkIsNotDueBeforeAnEarlierOne) {
  Log log;
  weft::testing::run([&] {
    auto early = weft::spawn([&] {
      weft::delay(40ms);
      log.push_back("40 ms from the beginning");
    });
    auto late = weft::spawn([&] {
      weft::testing::advance(30ms);
      weft::delay(20ms);
      log.push_back("20 ms after 30 ms of work");
    });
    weft::await(early);
    weft::await(late);
  });
  EXPECT_EQ(log, (Log{"40 ms from the beginning", "20 ms after 30 ms of work"}));
}

// R-TMR-2
TEST(TimerTest, ClosingItWhileItRunsNotifiesNoSubscriber) {
  int fired = 0;
  weft::testing::run([&] {
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    weft::Timer timer{10ms};
    timer.add_callback(call);
    timer.start();
    timer.close();
    EXPECT_TRUE(timer.is_closed());
    weft::delay(50ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, 0);
}

}  // namespace
