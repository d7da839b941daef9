#include "weft/signal.hpp"

#include <csignal>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "dispositions.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::has_default_action;

// R-SGN-1
TEST(SignalTest, ListensFromTheCallOnAndCompletesOnce) {
  weft::testing::run([] {
    const weft::Future<int> future = weft::signal(SIGUSR1);
    EXPECT_FALSE(has_default_action(SIGUSR1)) << "armed at once";
    ::raise(SIGUSR1);  // before a coroutine waits
    EXPECT_EQ(weft::await(future), SIGUSR1);
    EXPECT_TRUE(has_default_action(SIGUSR1)) << "one-shot";
    EXPECT_EQ(weft::await(future), SIGUSR1) << "the outcome stays";
  });
}

// R-SGN-1
TEST(SignalTest, SeveralWaitsAreIndependent) {
  weft::testing::run([] {
    const weft::Future<int> first = weft::signal(SIGUSR1);
    const weft::Future<int> second = weft::signal(SIGUSR1);
    const weft::Future<int> other = weft::signal(SIGUSR2);
    first.cancel();
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    EXPECT_FALSE(second.is_completed());
    ::raise(SIGUSR1);
    EXPECT_EQ(weft::await(second), SIGUSR1);
    EXPECT_FALSE(other.is_completed());
    ::raise(SIGUSR2);
    EXPECT_EQ(weft::await(other), SIGUSR2);
  });
}

// R-SGN-1, trap 21
TEST(SignalTest, DroppingTheFutureReleasesTheHandlerAndTheProgramEnds) {
  bool ended = false;
  weft::testing::run([&] {
    {
      const weft::Future<int> future = weft::signal(SIGUSR1);
      future.ignore();
      EXPECT_EQ(weft::stats().active_events, 1U);
    }
    EXPECT_TRUE(has_default_action(SIGUSR1));
    EXPECT_EQ(weft::stats().active_events, 0U);
    ended = true;
  });
  EXPECT_TRUE(ended);
}

// R-SGN-1, trap 21: a chain keeps the signal event started when no future is left.
TEST(SignalTest, AChainIsReasonEnoughToListen) {
  weft::testing::run([] {
    const weft::Future<int> next = weft::signal(SIGUSR1).map([](int number) { return number + 1; });
    EXPECT_FALSE(has_default_action(SIGUSR1));
    ::raise(SIGUSR1);
    EXPECT_EQ(weft::await(next), SIGUSR1 + 1);
    EXPECT_TRUE(has_default_action(SIGUSR1));
  });
}

// R-SGN-1, R-SHU-15: a future that outlives the runtime is broken.
TEST(SignalTest, AFutureThatOutlivesTheRuntimeIsBroken) {
  weft::Future<int> kept;
  weft::testing::run([&] {
    kept = weft::signal(SIGUSR1);
    weft::shutdown();
  });
  EXPECT_TRUE(has_default_action(SIGUSR1));
  EXPECT_TRUE(kept.is_completed());
  EXPECT_THROW(std::rethrow_exception(kept.exception()), weft::BrokenPromise);
  kept.ignore();
}

// R-SGN-2
TEST(SignalTest, ATimeoutRejectsItWithTimedOutItself) {
  weft::testing::run([] {
    const auto start = weft::now();
    const weft::Future<int> future = weft::signal(SIGUSR1, weft::timeout(50ms));
    try {
      weft::await(future);
      FAIL() << "it was not sent";
    } catch (const weft::TimedOut& error) {
      EXPECT_STREQ(error.what(), "Timeout occurred after 50 milliseconds");
    }
    EXPECT_GE(weft::now() - start, 50ms);
    EXPECT_TRUE(has_default_action(SIGUSR1));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-SGN-2: the future fails with the error of the token.
TEST(SignalTest, ATokenThatFailsRejectsItWithItsError) {
  weft::testing::run([] {
    Doorbell bell;
    const weft::Future<int> future = weft::signal(SIGUSR1, bell);
    bell.ring(weft::Outcome{std::make_exception_ptr(std::runtime_error{"the token's own"})});
    EXPECT_THROW(weft::await(future), std::runtime_error);
    EXPECT_EQ(bell.subscribers(), 0U);
    EXPECT_TRUE(has_default_action(SIGUSR1));
  });
}

// R-SGN-2
TEST(SignalTest, ATokenWithoutAnErrorRejectsItWithOperationCancelled) {
  weft::testing::run([] {
    Doorbell bell;
    const weft::Future<int> future = weft::signal(SIGUSR1, bell);
    bell.ring();
    EXPECT_THROW(weft::await(future), weft::OperationCancelled);
  });
}

// R-SGN-2
TEST(SignalTest, AnExpiredTokenRejectsItAtOnce) {
  weft::testing::run([] {
    weft::Timeout expired{1ms};
    Doorbell never;
    EXPECT_THROW(weft::await(never, expired), weft::OperationCancelled);
    const weft::Future<int> future = weft::signal(SIGUSR1, expired);
    EXPECT_TRUE(future.is_completed());
    EXPECT_TRUE(has_default_action(SIGUSR1)) << "no event was started";
    EXPECT_THROW(weft::await(future), weft::TimedOut);
  });
}

TEST(SignalTest, WhatIsRefusedIsAnErrorAndNoUnusedFuture) {
  std::vector<std::string> warnings;
  const auto keep = [&](std::string_view warning) { warnings.emplace_back(warning); };
  weft::testing::run(
      [] { EXPECT_THROW(static_cast<void>(weft::signal(SIGKILL)), std::system_error); },
      {.on_warning = keep});
  EXPECT_EQ(warnings, std::vector<std::string>{});
}

// R-SGN-2
TEST(SignalTest, TheSignalInTimeLeavesTheTokenAlone) {
  weft::testing::run([] {
    weft::Timeout limit{50ms};
    const weft::Future<int> future = weft::signal(SIGUSR1, limit);
    ::raise(SIGUSR1);
    EXPECT_EQ(weft::await(future), SIGUSR1);
    EXPECT_EQ(limit.subscribers(), 0U);
    EXPECT_FALSE(limit.is_completed());
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-SGN-2: the signal keeps a counted token when all other references are dropped.
TEST(SignalTest, ACountedTokenIsKept) {
  weft::testing::run([] {
    weft::Future<int> future;
    {
      const auto limit = weft::make_ref<weft::Timeout>(50ms);
      future = weft::signal(SIGUSR1, limit);
    }
    EXPECT_THROW(weft::await(future), weft::TimedOut);
  });
}

// R-SGN-3
TEST(SignalTest, LinuxNumbersAreUnderstood) {
  EXPECT_EQ(weft::signal_from_linux(1), SIGHUP);
  EXPECT_EQ(weft::signal_from_linux(10), SIGUSR1);
  EXPECT_EQ(weft::signal_from_linux(12), SIGUSR2);
  EXPECT_EQ(weft::signal_from_linux(15), SIGTERM);
  EXPECT_EQ(weft::signal_from_linux(17), SIGCHLD);
  EXPECT_EQ(weft::signal_from_linux(0), -1);
  EXPECT_EQ(weft::signal_from_linux(65), -1);
  weft::testing::run([] {
    const weft::Future<int> future = weft::signal(weft::signal_from_linux(10));
    ::raise(SIGUSR1);
    EXPECT_EQ(weft::await(future), SIGUSR1);
  });
}

// R-SGN-1, R-CAN-1
TEST(SignalTest, CancellingAnywhereLeavesNothingBehind) {
  const auto report = weft::testing::explore(
      [] {
        auto waiter = weft::spawn([] {
          const weft::Future<int> future = weft::signal(SIGUSR1, weft::timeout(10ms));
          future.ignore();
          try {
            weft::await(future);
          } catch (const weft::TimedOut&) {
          }
        });
        auto other = weft::spawn([] { weft::delay(1ms); });
        weft::await_settled(std::vector{waiter, other});
        if (!has_default_action(SIGUSR1)) weft::testing::fail("the handler is still there");
      },
      {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 1U);
}

}  // namespace
