#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft::testing::advance;
using weft::testing::explore;
using weft::testing::Report;
using weft::testing::settle;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;

TEST(VirtualClock, StandsStillWhileOneRuns) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    volatile int work = 0;
    for (int i = 0; i < 100'000; ++i) work = work + 1;
    weft::spawn([] {});
    EXPECT_EQ(weft::now(), start);
  });
}

// So that a coroutine which yields until a timeout is over ends.
TEST(VirtualClock, MovesAMicrosecondAPassWhileACoroutineIsReady) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    for (int i = 0; i < 10; ++i) weft::suspend();
    EXPECT_EQ(weft::now() - start, 10us);
  });
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    weft::spawn([] {
      for (int i = 0; i < 10; ++i) weft::suspend();
    });
    for (int i = 0; i < 10; ++i) weft::suspend();
    EXPECT_EQ(weft::now() - start, 20us);
  });
}

TEST(VirtualClock, JumpsWhenAllSleep) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    weft::delay(24h);
    EXPECT_GE(weft::now() - start, 24h);
    EXPECT_LT(weft::now() - start, 24h + 1ms);
  });
}

TEST(VirtualClock, JumpsFromOneTimerToTheNext) {
  Log log;
  weft::testing::run([&] {
    const weft::TimePoint start = weft::now();
    for (const int hours : {3, 1, 2}) {
      weft::spawn([&log, start, hours] {  // by value: the frame of main is gone when the delay ends
        weft::delay(std::chrono::hours{hours});
        const auto passed = std::chrono::duration_cast<std::chrono::seconds>(weft::now() - start);
        log.push_back(std::to_string(hours) + " h after " + std::to_string(passed.count()) + " s");
      });
    }
  });
  EXPECT_EQ(log, (Log{"1 h after 3600 s", "2 h after 7200 s", "3 h after 10800 s"}));
}

TEST(VirtualClock, DoesNotJumpWhileACoroutineIsReady) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    auto sleeper = weft::spawn([] { weft::delay(1h); });
    for (int i = 0; i < 100; ++i) weft::suspend();
    EXPECT_FALSE(sleeper.is_completed());
    EXPECT_LT(weft::now() - start, 1ms);
  });
}

TEST(VirtualClock, DoesNotJumpOverADeadlock) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          auto bell = weft::make_ref<Doorbell>();
          weft::spawn([bell] { weft::await(*bell); });
          weft::delay(1h);
        },
        weft_test::quiet());
  });
  EXPECT_TRUE(weft_test::is<weft::DeadlockError>(error)) << weft_test::text(error);
}

TEST(VirtualClock, AdvancesAsIfTheCallerHadWorked) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    advance(50ms);
    EXPECT_EQ(weft::now() - start, 50ms);
    advance(-10ms);
    advance(0ms);
    EXPECT_EQ(weft::now() - start, 50ms);
  });
}

// R-TMR-2
TEST(VirtualClock, AdvancedBeforeAWaitDoesNotShortenIt) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    const weft::TimePoint start = weft::now();
    advance(50ms);
    weft::await(timer);
    EXPECT_GE(weft::now() - start, 60ms);
    EXPECT_LT(weft::now() - start, 61ms);
  });
}

TEST(VirtualClock, AdvancedPastATimerMakesItDue) {
  weft::testing::run([] {
    auto sleeper = weft::spawn([] { weft::delay(10ms); });
    settle();
    advance(11ms);
    EXPECT_FALSE(sleeper.is_completed());
    weft::suspend();
    settle();
    EXPECT_TRUE(sleeper.is_completed());
  });
}

TEST(VirtualClock, IsNeededToAdvance) {
  EXPECT_THROW(advance(1ms), weft::MisuseError);
  weft::run([] {
    const std::exception_ptr error = error_of([] { advance(1ms); });
    EXPECT_TRUE(weft_test::is<weft::MisuseError>(error));
    EXPECT_THAT(weft_test::text(error), HasSubstr("virtual clock"));
  });
}

TEST(VirtualClock, CanBeLookedAtFromOutside) {
  weft::testing::VirtualClock clock;
  const weft::TimePoint start = clock.now();
  weft::Options options;
  options.clock = &clock;
  weft::run([] { weft::delay(1h); }, options);
  EXPECT_GE(clock.now() - start, 1h);
  clock.advance(1h);
  EXPECT_GE(clock.now() - start, 2h);
  clock.jump_to(start);
  EXPECT_GE(clock.now() - start, 2h) << "the clock never goes back";
}

TEST(VirtualClock, LeavesResultsAndErrorsOfARunAlone) {
  EXPECT_EQ(weft::testing::run([] {
              weft::delay(1h);
              return 5;
            }),
            5);
  EXPECT_EQ(weft_test::text(error_of([] {
              weft::testing::run([] {
                weft::delay(1h);
                throw std::runtime_error{"failed"};
              });
            })),
            "failed");
}

TEST(Settle, WaitsUntilAllOthersAreParked) {
  weft::testing::run([] {
    Doorbell bell;
    int steps = 0;
    auto worker = weft::spawn([&] {
      for (int i = 0; i < 5; ++i) {
        weft::suspend();
        ++steps;
      }
      weft::await(bell);
      ++steps;
    });
    settle();
    EXPECT_EQ(steps, 5);
    EXPECT_EQ(bell.subscribers(), 1U);
    bell.ring();
    settle();
    EXPECT_EQ(steps, 6);
    EXPECT_TRUE(worker.is_completed());
  });
}

TEST(Settle, LetsNoTimerFire) {
  weft::testing::run([] {
    auto sleeper = weft::spawn([] { weft::delay(1ms); });
    const weft::TimePoint start = weft::now();
    settle();
    EXPECT_TRUE(sleeper.is_suspended());
    EXPECT_FALSE(sleeper.is_completed());
    EXPECT_LT(weft::now() - start, 10us);
  });
}

TEST(Settle, ReturnsAtOnceWhenNoneIsReady) {
  weft::testing::run([] {
    const std::uint64_t before = weft::stats().suspensions;
    settle();
    EXPECT_EQ(weft::stats().suspensions, before);
  });
}

TEST(Settle, EndsInEveryOrder) {
  const auto body = [] {
    int steps = 0;
    weft::spawn([&] {
      weft::suspend();
      ++steps;
    });
    settle();
    if (steps != 1) throw std::logic_error{"not settled"};
  };
  const Report report = explore(body, {.max_suspensions = 100});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

/// The orders in which timers of these durations notify their callbacks.
Log orders_of(const std::vector<weft::Duration>& durations,
              const weft::testing::Schedules& schedules) {
  Log orders;
  const Report report = explore(
      [&] {
        std::string order;
        std::deque<Call> calls;
        std::deque<weft::Timer> timers;
        for (const weft::Duration duration : durations) {
          const char letter = static_cast<char>('a' + timers.size());
          calls.emplace_back(
              [&order, letter](weft::Event&, const weft::Outcome&) { order += letter; });
          timers.emplace_back(duration);
          timers.back().add_callback(calls.back());
          timers.back().start();
        }
        weft::delay(1h);
        for (std::size_t i = 0; i < calls.size(); ++i) timers[i].remove_callback(calls[i]);
        orders.push_back(order);
      },
      {.schedules = schedules, .in_child = false});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  return orders;
}

TEST(TimersOfOneMoment, FireInEveryOrder) {
  const Log orders = orders_of({1ms, 1ms, 1ms, 1ms}, weft::testing::all);
  EXPECT_EQ(orders.size(), 24U);
  EXPECT_EQ((std::set<std::string>{orders.begin(), orders.end()}).size(), 24U);
  for (std::string order : orders) {
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, "abcd");
  }
}

TEST(TimersOfOneMoment, ComeAfterTheEarlierAndBeforeTheLater) {
  const Log orders = orders_of({2ms, 1ms, 2ms, 3ms}, weft::testing::all);
  EXPECT_EQ(orders, (Log{"bacd", "bcad"}));
}

TEST(TimersOfOneMoment, FireInTheOrderOfArmingOtherwise) {
  EXPECT_EQ(orders_of({1ms, 1ms, 1ms}, weft::testing::fifo), Log{"abc"});
}

TEST(TimersOfOneMoment, FireInAnyOrderAtRandom) {
  const Log orders = orders_of({1ms, 1ms, 1ms}, weft::testing::random(200));
  EXPECT_EQ((std::set<std::string>{orders.begin(), orders.end()}).size(), 6U);
}

}  // namespace
