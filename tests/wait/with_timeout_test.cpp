#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Deadlines for a part of a coroutine.
namespace {

using namespace std::chrono_literals;
using weft::Scope;
using weft::with_scope;
using weft::with_timeout;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

TEST(WithTimeout, ReturnsWhatTheBodyReturnsInTime) {
  weft::testing::run([] {
    EXPECT_EQ(with_timeout(1s,
                           [] {
                             weft::delay(500ms);
                             return 2;
                           }),
              2);
    EXPECT_EQ(*with_timeout(1s, [] { return std::make_unique<int>(3); }), 3);
    int value = 4;
    EXPECT_EQ(&with_timeout(1s, [&]() -> int& { return value; }), &value);
    with_timeout(1s, [] {});
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(WithTimeout, ThrowsTimedOutAtItsOwnFrame) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    bool unwound = false;
    const std::exception_ptr error = error_of([&] {
      with_timeout(50ms, [&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          unwound = true;
          throw;
        }
      });
    });
    EXPECT_TRUE(unwound);
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(text(error), "Timeout occurred after 50 milliseconds");
    EXPECT_GE(weft::now() - begin, 50ms);
    EXPECT_LT(weft::now() - begin, 60ms);
    EXPECT_FALSE(weft::current().is_cancellation_requested());
    weft::delay(1s);  // goes on undisturbed
  });
}

TEST(WithTimeout, RunsInTheSameCoroutine) {
  weft::testing::run([] {
    const auto me = weft::current();
    const std::uint64_t spawned = weft::stats().coroutines_spawned;
    with_timeout(1s, [&] { EXPECT_TRUE(weft::current() == me); });
    EXPECT_EQ(weft::stats().coroutines_spawned, spawned);
  });
}

TEST(WithTimeout, RefusesDurationsThatAreNotAboveZero) {
  weft::testing::run([] {
    for (const weft::Duration duration : {weft::Duration{0}, weft::Duration{-1ms}}) {
      bool called = false;
      EXPECT_TRUE(
          is<weft::ValueError>(error_of([&] { with_timeout(duration, [&] { called = true; }); })));
      EXPECT_FALSE(called);
    }
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    weft::delay(1ms);
  });
}

TEST(WithTimeout, TakesALongestDuration) {
  weft::testing::run([] {
    EXPECT_EQ(with_timeout(weft::Duration::max(),
                           [] {
                             weft::delay(1s);
                             return 1;
                           }),
              1);
  });
}

TEST(WithTimeout, CannotBeUsedOutsideACoroutine) {
  bool called = false;
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { with_timeout(1s, [&] { called = true; }); })));
  EXPECT_FALSE(called);
}

TEST(WithTimeout, TheNearestDeadlineCounts) {
  weft::testing::run([] {
    // The inner deadline is earlier.
    std::string inner;
    with_timeout(1s, [&] {
      inner = text(error_of([] { with_timeout(10ms, [] { weft::delay(1h); }); }));
      weft::delay(10ms);
    });
    EXPECT_EQ(inner, "Timeout occurred after 10 milliseconds");
    // The outer deadline is earlier and passes through the inner section.
    bool inside = false;
    const std::exception_ptr outer = error_of([&] {
      with_timeout(10ms, [&] {
        try {
          with_timeout(1s, [] { weft::delay(1h); });
        } catch (const weft::TimedOut&) {
          inside = true;
        }
      });
    });
    EXPECT_FALSE(inside);
    EXPECT_EQ(text(outer), "Timeout occurred after 10 milliseconds");
  });
}

TEST(WithTimeout, BothAtTheSameMomentThrowOnceEach) {
  weft::testing::run([] {
    const std::exception_ptr error =
        error_of([] { with_timeout(10ms, [] { with_timeout(10ms, [] { weft::delay(1h); }); }); });
    EXPECT_TRUE(is<weft::TimedOut>(error));
    weft::delay(1s);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

TEST(WithTimeout, ABodyThatNeverSuspendsKeepsItsResult) {
  weft::testing::run([] {
    const int value = with_timeout(10ms, [] {
      weft::testing::advance(1s);
      return 7;
    });
    EXPECT_EQ(value, 7);
    weft::suspend();
    weft::delay(1ms);
  });
}

TEST(WithTimeout, ABodyThatSwallowsTheCancellationKeepsItsResult) {
  weft::testing::run([] {
    const int value = with_timeout(10ms, [] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
      }
      weft::delay(1s);  // not delivered again
      return 8;
    });
    EXPECT_EQ(value, 8);
  });
}

TEST(WithTimeout, PassesOtherErrorsOn) {
  weft::testing::run([] {
    EXPECT_EQ(text(error_of([] { with_timeout(1s, [] { throw std::runtime_error{"x"}; }); })), "x");
    EXPECT_EQ(text(error_of([] { with_timeout(1s, [] { throw weft::Cancelled{"own"}; }); })),
              "cancelled: own");
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

TEST(WithTimeout, ACancellationOfTheCoroutineIsNoTimeout) {
  weft::testing::run([] {
    auto timed = weft::spawn([] { with_timeout(1h, [] { weft::delay(2h); }); });
    settle();
    timed.cancel("stop");
    EXPECT_EQ(text(error_of([&] { weft::await(timed); })), "cancelled: stop");
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

TEST(WithTimeout, ACancellationGoesBeforeATimeoutOfTheSameMoment) {
  weft::testing::run([] {
    weft::Coroutine<void> timed;
    timed = weft::spawn([] { with_timeout(10ms, [] { weft::delay(2h); }); });
    weft::suspend();
    weft::testing::advance(20ms);
    timed.cancel("stop");
    EXPECT_EQ(text(error_of([&] { weft::await(timed); })), "cancelled: stop");
  });
}

TEST(WithTimeout, WaitsForAProtectedPart) {
  weft::testing::run([] {
    Log log;
    const std::exception_ptr error = error_of([&] {
      with_timeout(10ms, [&] {
        weft::protect([&] {
          weft::delay(1s);
          log.emplace_back("protected");
        });
        log.emplace_back("not reached");
      });
    });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(log, (Log{"protected"}));
  });
}

TEST(WithTimeout, EndsAScopeInsideIt) {
  Log log;
  weft::testing::run([&] {
    const std::exception_ptr error = error_of([&] {
      with_timeout(10ms, [&] {
        with_scope([&](Scope& scope) {
          scope.spawn([&] {
            try {
              weft::delay(1h);
            } catch (const weft::Cancelled&) {
              weft::delay(1s);
              log.emplace_back("cleaned");
            }
          });
        });
      });
    });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(log, (Log{"cleaned"}));
  });
}

TEST(WithTimeout, InACoroutineOfAScopeFailsTheScope) {
  weft::testing::run([] {
    const std::exception_ptr error = error_of([] {
      with_scope([](Scope& scope) {
        scope.spawn([] { weft::delay(1h); });
        scope.spawn([] { with_timeout(10ms, [] { weft::delay(1h); }); });
      });
    });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
  });
}

TEST(WithTimeout, AFailureOfTheScopeAroundItIsNoTimeout) {
  weft::testing::run([] {
    const std::exception_ptr error = error_of([] {
      with_scope([](Scope& scope) {
        scope.spawn([] { throw std::runtime_error{"child"}; });
        with_timeout(1s, [] { weft::delay(1h); });
      });
    });
    EXPECT_EQ(text(error), "child");
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

TEST(WithTimeout, LeavesAnAwaitedCoroutineRunning) {
  weft::testing::run([] {
    auto slow = weft::spawn([] {
      weft::delay(1s);
      return 9;
    });
    EXPECT_TRUE(
        is<weft::TimedOut>(error_of([&] { with_timeout(10ms, [&] { weft::await(slow); }); })));
    EXPECT_EQ(weft::await(slow), 9);
  });
}

TEST(WithTimeout, NestsAThousandDeep) {
  weft::Options options;
  weft::testing::run([] {
    struct Nest {
      static void down(int depth) {
        if (depth == 0) return weft::delay(1h);
        with_timeout(std::chrono::milliseconds{10 + depth}, [depth] { down(depth - 1); });
      }
    };
    const std::exception_ptr error = error_of([] { Nest::down(1'000); });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

TEST(WithTimeout, EndsInsideAProtectedSectionThatBeganBefore) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    EXPECT_TRUE(is<weft::TimedOut>(
        error_of([] { weft::protect([] { with_timeout(10ms, [] { weft::delay(1h); }); }); })));
    EXPECT_EQ(weft::now() - start, 10ms);
  });
}

TEST(WithTimeout, WaitsForAProtectedSectionInside) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    EXPECT_TRUE(is<weft::TimedOut>(
        error_of([] { with_timeout(10ms, [] { weft::protect([] { weft::delay(1s); }); }); })));
    EXPECT_EQ(weft::now() - start, 1s);
  });
}

// A protected section defers every deadline around it; a deadline inside of it ends its own part.
TEST(WithTimeout, EndsInsideAProtectedSectionWhileTheOneAroundThatWaits) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    Log log;
    const auto note = [&](const char* what) {
      log.push_back(what + std::to_string((weft::now() - start) / 1ms));
    };
    const std::exception_ptr error = error_of([&] {
      with_timeout(10ms, [&] {
        weft::protect([&] {
          EXPECT_TRUE(
              is<weft::TimedOut>(error_of([] { with_timeout(20ms, [] { weft::delay(1h); }); })));
          note("inner ");
          weft::delay(5ms);
          note("protected ");
        });
        note("never ");
      });
    });
    note("outer ");
    EXPECT_EQ(text(error), "Timeout occurred after 10 milliseconds");
    EXPECT_EQ(log, (Log{"inner 20", "protected 25", "outer 25"}));
    weft::delay(1s);  // goes on undisturbed
  });
}

// R-CAN-10
TEST(WithTimeout, EndsInsideAProtectedSectionWhileACancellationWaits) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    Log log;
    const auto note = [&](const char* what) {
      log.push_back(what + std::to_string((weft::now() - start) / 1ms));
    };
    auto victim = weft::spawn([&] {
      weft::protect([&] {
        EXPECT_TRUE(
            is<weft::TimedOut>(error_of([] { with_timeout(20ms, [] { weft::delay(1h); }); })));
        note("inner ");
        weft::delay(5ms);
        note("protected ");
      });
    });
    weft::delay(10ms);
    victim.cancel("enough");
    EXPECT_EQ(text(error_of([&] { weft::await(victim); })), "cancelled: enough");
    note("cancelled ");
    EXPECT_EQ(log, (Log{"inner 20", "protected 25", "cancelled 25"}));
  });
}

}  // namespace
