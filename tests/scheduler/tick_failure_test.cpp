#include <stdexcept>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::Call;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// Runs `fail` beside a coroutine that sleeps for an hour, and logs the outcome of both.
Log outcome_of_failure(weft::Function<void()> fail) {
  Log log;
  weft::TimePoint start{};
  weft::TimePoint end{};
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      start = weft::now();
      weft::spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled& cancelled) {
          end = weft::now();
          log.push_back(std::string{"sleeper: "} + cancelled.reason());
        }
      });
      weft::suspend();
      fail();
    });
  });
  log.push_back("run: " + text(error));
  EXPECT_LT(end - start, 1min);
  return log;
}

// R-TICK-4, R-EXC-6
TEST(TickFailureTest, ShutsDownWhenAMicrotaskFails) {
  const Log log = outcome_of_failure(
      [] { weft::post_microtask([] { throw std::runtime_error{"microtask"}; }); });
  EXPECT_EQ(log, (Log{"sleeper: Graceful shutdown", "run: microtask"}));
}

// R-TICK-4, R-EXC-6
TEST(TickFailureTest, ShutsDownWhenACallbackOfTheReactorFails) {
  weft::Timer timer{1ms};
  Call callback{[](weft::Event&, const weft::Outcome&) {
    weft::leave_pending(std::make_exception_ptr(std::runtime_error{"callback"}));
  }};
  const Log log = outcome_of_failure([&] {
    timer.add_callback(callback);
    timer.start();
  });
  timer.remove_callback(callback);
  EXPECT_EQ(log, (Log{"sleeper: Graceful shutdown", "run: callback"}));
}

// R-TICK-4
TEST(TickFailureTest, ShutsDownWhenACoroutineFailsThatCannotBeAwaited) {
  const Log log =
      outcome_of_failure([] { weft::spawn([] { throw std::runtime_error{"coroutine"}; }); });
  EXPECT_EQ(log, (Log{"sleeper: Graceful shutdown", "run: coroutine"}));
}

// R-TICK-4
TEST(TickFailureTest, CancelsOnceMoreWhenSomethingFailsDuringShutdown) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      weft::spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
        }
        try {
          weft::delay(1h);  // cleans up slowly
        } catch (const weft::Cancelled&) {
          log.push_back("cancelled again");
        }
      });
      weft::spawn([] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          weft::delay(1ms);
          throw std::runtime_error{"second"};
        }
      });
      weft::suspend();
      throw std::runtime_error{"first"};
    });
  });
  EXPECT_EQ(log, (Log{"cancelled again"}));
  EXPECT_EQ(text(error), "first");  // the first cause is kept
}

// R-SHU-10, R-EXC-9: several errors of one phase are chained in their order.
TEST(TickFailureTest, ChainsErrorsLeftPendingTogether) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [] {
          for (const char* name : {"first", "second", "third"}) {
            weft::leave_pending(std::make_exception_ptr(std::runtime_error{name}));
          }
          weft::delay(1h);
        },
        weft_test::collecting(warnings));
  });
  EXPECT_EQ(text(error), "first");
  EXPECT_EQ(text(weft::previous(error)), "second");
  EXPECT_EQ(text(weft::previous(weft::previous(error))), "third");
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
