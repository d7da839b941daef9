#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;

/// Never ends by itself: swallows every cancellation.
[[noreturn]] void hold_out() {
  for (;;) {
    try {
      weft::delay(1s);
    } catch (const weft::Cancelled&) {
      weft::suspend();
    }
  }
}

// R-SHU-6, R-SHU-13
TEST(ShutdownDeadlineDeathTest, ReportsWhatStillRunsAndAbortsIfAskedTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  weft::Options options;
  options.abort_at_deadline = true;
  EXPECT_EXIT(weft::testing::run(
                  [] {
                    weft::spawn({.name = "stubborn"}, hold_out);
                    weft::spawn([] {
                      weft::delay(1ms);
                      weft::shutdown();
                    });
                  },
                  options),
              ::testing::KilledBySignal(SIGABRT),
              ::testing::AllOf(HasSubstr("stubborn"), HasSubstr("shutdown_deadline_test.cpp:")));
}

/// Options that print warnings to standard error, which a death test reads.
weft::Options printing() {
  weft::Options options;
  options.on_warning = [](std::string_view warning) {
    std::fprintf(stderr, "warning: %s\n", std::string{warning}.c_str());
  };
  options.shutdown_deadline = 50ms;
  return options;
}

// Coroutines that are left behind are never freed, so these two exit without a check for leaks.

[[noreturn]] void abandon_the_stubborn() {
  weft::Duration allowed{};
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn({.name = "stubborn"}, hold_out);
          weft::spawn([&] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            const weft::TimePoint start = weft::now();
            weft::delay(20ms);  // within the deadline: not cancelled again
            allowed = weft::now() - start;
          });
          weft::spawn([] {
            weft::delay(1ms);
            weft::shutdown();
          });
        },
        printing());
  });
  std::fprintf(stderr, "run: %s\n", text(error).c_str());
  std::_Exit(allowed >= 20ms ? 0 : 1);
}

// R-SHU-6, R-SHU-13
TEST(ShutdownDeadlineDeathTest, LeavesTheRestBehindAndNamesIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      abandon_the_stubborn(), ::testing::ExitedWithCode(0),
      ::testing::AllOf(HasSubstr("stubborn"),
                       HasSubstr("run: the deadline of the shutdown has passed; left behind:\n"
                                 "  Coroutine 2 spawned at ")));
}

[[noreturn]] void abandon_two_and_a_microtask() {
  static int executed = 0;
  weft::Timer last{50ms};  // fires at the same moment as the deadline
  auto callback = weft::make_ref<weft_test::Call>(
      [](weft::Event&, const weft::Outcome&) { weft::post_microtask([] { ++executed; }); });
  last.add_callback(*callback);
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn(hold_out);
          weft::spawn(hold_out);
          weft::spawn([&] {
            weft::delay(1ms);
            weft::shutdown();
            last.start();
          });
        },
        printing());
  });
  if (!weft_test::is<weft::ShutdownError>(error)) std::_Exit(2);
  std::_Exit(executed);
}

// R-SHU-13
TEST(ShutdownDeadlineDeathTest, ReportsWhatWasNotExecuted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(abandon_two_and_a_microtask(), ::testing::ExitedWithCode(0),
              ::testing::AllOf(HasSubstr("warning: 1 microtasks were not executed\n"),
                               HasSubstr("warning: 2 deferred coroutines were not executed\n")));
}

// R-SHU-13
TEST(ShutdownDeadline, DoesNotReachCoroutinesThatEndInTime) {
  std::vector<std::string> warnings;
  weft::Options options = collecting(warnings);
  options.shutdown_deadline = 50ms;
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          const std::exception_ptr ignored = error_of([] { weft::delay(2h); });
          weft::delay(49ms);
          log.emplace_back("cleaned up");
        });
        weft::spawn([] {
          weft::delay(1h);  // the deadline counts from the request
          weft::shutdown();
        });
      },
      std::move(options));
  EXPECT_EQ(log, (Log{"cleaned up"}));
  EXPECT_THAT(warnings, ::testing::IsEmpty());
}

}  // namespace
