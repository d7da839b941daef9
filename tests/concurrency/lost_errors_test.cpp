#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Errors and deadlines that meet: none of them is lost.
namespace {

using namespace std::chrono_literals;
using weft::with_scope;
using weft::with_timeout;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

// R-EXC-9
TEST(LostErrors, AChildThatFailsAtTheDeadlineIsThePreviousOfTheTimeout) {
  weft::testing::run([] {
    const auto error = error_of([] {
      with_timeout(20ms, [] {
        with_scope([](weft::Scope& scope) {
          scope.spawn([] {
            weft::delay(15ms);
            weft::testing::advance(20ms);  // works past the deadline without suspending
          });
          scope.spawn([] {
            weft::delay(15ms);
            throw std::runtime_error{"disk is full"};
          });
        });
      });
    });
    ASSERT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(text(weft::previous(error)), "disk is full");
  });
}

// R-EXC-9
TEST(LostErrors, AChildThatFailsInItsCleanUpIsThePreviousOfTheTimeout) {
  weft::testing::run([] {
    const auto error = error_of([] {
      with_timeout(20ms, [] {
        with_scope([](weft::Scope& scope) {
          scope.spawn([] {
            try {
              weft::delay(1h);
            } catch (const weft::Cancelled&) {
              throw std::runtime_error{"flush failed"};
            }
          });
        });
      });
    });
    ASSERT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_EQ(text(weft::previous(error)), "flush failed");
  });
}

// R-EXC-9
TEST(LostErrors, AChildThatFailsInItsCleanUpIsThePreviousOfACancellation) {
  weft::testing::run([] {
    auto block = weft::spawn([] {
      with_scope([](weft::Scope& scope) {
        scope.spawn([] {
          try {
            weft::delay(1h);
          } catch (const weft::Cancelled&) {
            throw std::runtime_error{"flush failed"};
          }
        });
      });
    });
    weft::delay(1ms);
    block.cancel();
    const auto error = error_of([&] { weft::await(block); });
    ASSERT_TRUE(is<weft::Cancelled>(error)) << text(error);
    EXPECT_EQ(text(weft::previous(error)), "flush failed");
  });
}

TEST(LostErrors, AChildThatFailsAfterTheBodyIsWarnedAbout) {
  std::vector<std::string> warnings;
  weft::Options options;
  options.on_warning = [&](std::string_view warning) { warnings.emplace_back(warning); };
  const auto body = [] {
    const auto error = error_of([] {
      with_scope([](weft::Scope& scope) {
        scope.spawn([] {
          try {
            weft::delay(1h);
          } catch (const weft::Cancelled&) {
            throw std::runtime_error{"flush failed"};
          }
        });
        weft::suspend();
        throw std::runtime_error{"body"};
      });
    });
    EXPECT_EQ(text(error), "body");
  };
  weft::testing::run(body, options);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("flush failed"), std::string::npos) << warnings[0];
}

// R-CAN-16
TEST(LostErrors, ADeadlineThatPassesWhileACancellationIsPendingStillCounts) {
  weft::testing::run([] {
    std::exception_ptr error;
    auto victim = weft::spawn([&] {
      error = error_of([] {
        with_timeout(10ms, [] {
          try {
            weft::delay(1h);
          } catch (const weft::Cancelled&) {  // swallowed
          }
          weft::delay(1h);
        });
      });
    });
    weft::delay(9ms);
    victim.cancel();
    weft::testing::advance(5ms);
    weft::suspend();
    (void)error_of([&] { weft::await(victim); });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
  });
}

// A cancellation that leaves a section ends its deadline.
TEST(LostErrors, ADeadlineThatPassedIsForgottenWithItsFrame) {
  weft::testing::run([] {
    Log log;
    auto victim = weft::spawn([&] {
      try {
        with_timeout(10ms, [] { weft::delay(1h); });
      } catch (const weft::Cancelled& cancelled) {
        log.push_back(cancelled.reason());
      }
      weft::delay(1s);
      log.push_back("goes on");
    });
    weft::delay(9ms);
    victim.cancel("stop");
    weft::testing::advance(5ms);
    weft::suspend();
    (void)error_of([&] { weft::await(victim); });
    EXPECT_EQ(log, (Log{"stop", "goes on"}));
  });
}

// A child fails while a cancellation is pending.
TEST(LostErrors, AFailureThatMeetsAPendingCancellationIsItsPrevious) {
  weft::testing::run([] {
    weft::Semaphore go{0};
    auto block = weft::spawn([&] {
      with_scope([&](weft::Scope& scope) {
        scope.spawn([&] {
          go.acquire();
          throw std::runtime_error{"child"};
        });
        weft::delay(1h);
      });
    });
    weft::testing::settle();
    go.release();  // the child is ready first
    block.cancel();
    const auto error = error_of([&] { weft::await(block); });
    ASSERT_TRUE(is<weft::Cancelled>(error)) << text(error);
    EXPECT_EQ(text(weft::previous(error)), "child");
  });
}

}  // namespace
