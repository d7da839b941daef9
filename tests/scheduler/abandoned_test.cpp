#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Coroutines that a runtime had to leave behind. Their frames are never unwound, so each test runs
// in a process of its own, which ends without a check for leaks.

namespace {

using namespace std::chrono_literals;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::_Exit(1);
}

[[noreturn]] void swallow_every_cancellation_in_the_final_shutdown() {
  int swallowed = 0;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            for (;;) {
              const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
              ++swallowed;
            }
          });
          weft::spawn([] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            throw std::runtime_error{"second"};
          });
          weft::suspend();
          throw std::runtime_error{"first"};
        },
        quiet());
  });
  check(text(error) == "first", "the first cause is thrown");
  check(swallowed > 1, "the coroutine was cancelled more than once");
  check(swallowed < 100, "the cancellations have ended");
  std::_Exit(0);
}

// R-SHU-9, R-CAN-16
TEST(AbandonedDeathTest, OneThatSwallowsEveryCancellationDoesNotHoldUpTheFinalShutdown) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(swallow_every_cancellation_in_the_final_shutdown(), ExitedWithCode(0), "");
}

/// A runtime that leaves behind a coroutine that waits for `bell`; returns its handle.
weft::Coroutine<int> leave_behind(Doorbell& bell, bool& went_on) {
  weft::Options options = quiet();
  options.shutdown_deadline = 50ms;
  weft::Coroutine<int> left;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          left = weft::spawn([&] {
            for (;;) {
              const std::exception_ptr ignored = error_of([&] { weft::await(bell); });
              if (!ignored) went_on = true;
            }
            return 1;
          });
          weft::spawn([] {
            weft::delay(1ms);
            weft::shutdown();
            const std::exception_ptr ignored = error_of([] { weft::delay(1s); });
            weft::delay(1h);  // keeps an active event until the deadline
          });
        },
        options);
  });
  check(is<weft::ShutdownError>(error), "run() throws a ShutdownError for coroutines left behind");
  return left;
}

[[noreturn]] void use_a_scope_of_the_abandoned() {
  weft::Options options = quiet();
  options.shutdown_deadline = 50ms;
  weft::Ref<weft::Scope> above;
  weft::Ref<weft::Scope> scope;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          above = weft::Scope::inherit();
          scope = weft::Scope::inherit(*above);
          scope->on_finally([](weft::Scope&) { check(false, "no handler runs any more"); });
          scope->spawn([] {
            for (;;) const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
          });
          weft::delay(1ms);
          weft::shutdown();
        },
        options);
  });
  check(is<weft::ShutdownError>(error), "run() throws a ShutdownError for coroutines left behind");
  check(scope->size() == 0, "no coroutine is left in it");
  check(above->is_finished(), "no coroutine is left in the other scope");
  above->dispose_safely();
  scope->cancel();
  above = nullptr;
  scope = nullptr;
  std::_Exit(0);
}

// R-SCP-2, trap 22
TEST(AbandonedDeathTest, AScopeMayBeHeldLongerThanTheAbandonedInIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_a_scope_of_the_abandoned(), ExitedWithCode(0), "");
}

[[noreturn]] void use_a_handle_of_the_abandoned() {
  Doorbell bell;
  bool went_on = false;
  weft::Coroutine<int> left = leave_behind(bell, went_on);
  check(left.is_completed(), "the coroutine counts as ended");
  check(text(left.exception()) == "cancelled: Left behind by the shutdown",
        "the coroutine did not succeed");
  check(!left.is_suspended() && !left.is_queued(), "the coroutine waits for nothing");
  check(left.awaiting().empty(), "reports show no awaited event");
  check(bell.subscribers() == 0, "the event has no subscriber left");
  check(!left.info().empty(), "the coroutine can still be described");
  check(left.is_cancelled(), "it was cancelled");
  check(weft::is_cancellation(left.exception()), "and did not succeed");
  check(text(error_of([&] { weft::await(left); })) == "cancelled: Left behind by the shutdown",
        "which awaiting it says");
  left.cancel();
  left.cancel("too late");
  bell.ring();
  weft::testing::run([&] {  // the next runtime of this thread is not disturbed
    left.cancel();
    bell.ring();
    const weft::Coroutine<int> copy = left;
    left = {};
    weft::delay(1ms);
  });
  check(weft::stats().coroutines == 0, "no coroutine is left of the second runtime");
  check(!went_on, "the coroutine never ran again");
  std::_Exit(0);
}

// R-SHU-13, R-RC-4, R-COR-5, R-COR-10
TEST(AbandonedDeathTest, AHandleOfOneOutlivesItsRuntimeUnharmed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_a_handle_of_the_abandoned(), ExitedWithCode(0), "");
}

}  // namespace
