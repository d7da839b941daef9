#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// In which order the end of the program cancels its coroutines. A coroutine that may use a frame of
// another is cancelled before it: younger coroutines before older ones, main last.

namespace {

using namespace std::chrono_literals;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

/// A body that waits until it is cancelled, then cleans up for `rounds` suspensions.
auto waits(Log& log, std::string name, int rounds = 0) {
  return [&log, name = std::move(name), rounds] {
    const std::exception_ptr error = error_of([] { weft::delay(24h); });
    log.push_back(name + " " + text(error));
    for (int i = 0; i < rounds; ++i) weft::suspend();
    if (rounds > 0) log.push_back(name + " ends");
  };
}

// R-SHU-6
TEST(ShutdownOrder, CancelsTheYoungestFirstAndMainWhenTheOthersHaveEnded) {
  Log log;
  weft::testing::run([&] {
    const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    weft::spawn(waits(log, "first", 3));
    scope->spawn(waits(log, "second", 5));  // in another scope: only the order of spawning counts
    weft::spawn(waits(log, "third"));
    weft::spawn([] {
      weft::delay(1ms);
      weft::shutdown("enough");
    });
    waits(log, "main")();
  });
  EXPECT_EQ(log,
            (Log{"third cancelled: enough", "second cancelled: enough", "first cancelled: enough",
                 "first ends", "second ends", "main cancelled: enough"}));
}

// R-SHU-6, R-CAN-13
TEST(ShutdownOrder, MainGoesOnUntilItsTurnComes) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] {
      const std::exception_ptr ignored = error_of([] { weft::delay(24h); });
      weft::delay(10ms);
      log.emplace_back("other ends");
    });
    weft::suspend();
    weft::shutdown();
    EXPECT_TRUE(weft::current().is_cancellation_requested());
    weft::delay(1ms);  // the shutdown does not end this wait or the next
    weft::with_timeout(1s, [] { weft::delay(1ms); });
    EXPECT_THROW(weft::with_timeout(1ms, [] { weft::delay(1h); }), weft::TimedOut);
    log.emplace_back("main goes on");
    log.push_back("main " + text(error_of([] { weft::delay(24h); })));
  });
  EXPECT_EQ(log, (Log{"main goes on", "other ends", "main cancelled: Graceful shutdown"}));
}

// R-SHU-6
TEST(ShutdownOrder, MainIsCancelledAtOnceIfItIsAlone) {
  Log log;
  weft::testing::run([&] {
    weft::shutdown();
    log.push_back(text(error_of([] { weft::delay(1h); })));
  });
  weft::testing::run([&] {
    weft::shutdown();
    log.push_back(text(error_of([] {
      for (;;) weft::suspend();
    })));
  });
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "cancelled: Graceful shutdown"}));
}

// R-SHU-6
TEST(ShutdownOrder, MainFollowsWhenTheOthersWaitForIt) {
  Log log;
  weft_test::Doorbell bell;
  weft::testing::run([&] {
    weft::spawn([&] {
      const std::exception_ptr ignored = error_of([] { weft::delay(24h); });
      weft::await(bell);
      log.emplace_back("other ends");
    });
    weft::suspend();
    weft::shutdown();
    log.push_back(text(error_of([&] {
      weft_test::Doorbell never;
      weft::await(never);
    })));
    bell.ring();
  });
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "other ends"}));
}

// R-SHU-6
TEST(ShutdownOrder, MainFollowsWhenHalfOfTheDeadlineIsOver) {
  weft::Options options;
  options.shutdown_deadline = 100ms;
  weft::Duration waited{};
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          const std::exception_ptr ignored = error_of([] { weft::delay(24h); });
          weft::delay(80ms);
        });
        weft::suspend();
        weft::shutdown();
        const weft::TimePoint begin = weft::now();
        EXPECT_EQ(text(error_of([] { weft::delay(24h); })), "cancelled: Graceful shutdown");
        waited = weft::now() - begin;
      },
      options);
  EXPECT_GE(waited, 50ms);
  EXPECT_LT(waited, 60ms);
}

// R-DLK-6, R-DLK-7
TEST(ShutdownOrder, HoldsForADeadlockToo) {
  Log log;
  weft_test::Doorbell never;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          const auto waits_for_ever = [&](std::string name) {
            return [&, name] {
              log.push_back(name + " " + text(error_of([&] { weft::await(never); })));
            };
          };
          weft::spawn(waits_for_ever("first"));
          weft::spawn(waits_for_ever("second"));
          waits_for_ever("main")();
        },
        quiet());
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error));
  EXPECT_EQ(log, (Log{"second cancelled: Deadlock detected", "first cancelled: Deadlock detected",
                      "main cancelled: Deadlock detected"}));
}

// R-DLK-5, R-DLK-8: the two mutexes are in the frame of main.
TEST(ShutdownOrder, TwoMutexesInMainTakenInOppositeOrderAreADeadlockError) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [] {
          weft::Mutex a;
          weft::Mutex b;
          const auto take = [](weft::Mutex& one, weft::Mutex& other) {
            const std::lock_guard first{one};
            weft::delay(1ms);
            const std::lock_guard second{other};
          };
          auto ab = weft::spawn([&] { take(a, b); });
          auto ba = weft::spawn([&] { take(b, a); });
          weft::await(ab);
          weft::await(ba);
        },
        collecting(warnings));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error));
  ASSERT_EQ(warnings.size(), 1U);
}

/// A main that can neither be cancelled nor left behind: it catches every error and waits again.
// R-SHU-13
TEST(ShutdownOrder, WaitsOfAMainThatOutlastsTheDeadlineFail) {
  weft::Options options = quiet();
  options.shutdown_deadline = 100ms;
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::shutdown();
          for (int i = 0; i < 4; ++i) log.push_back(text(error_of([] { weft::delay(24h); })));
        },
        options);
  });
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown",
                      "the deadline of the shutdown has passed; main still waits",
                      "the deadline of the shutdown has passed; main still waits",
                      "the deadline of the shutdown has passed; main still waits"}));
  EXPECT_TRUE(is<weft::ShutdownError>(error));
}

}  // namespace
