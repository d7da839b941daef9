#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

// R-EXC-8
TEST(FinallyFailure, AloneIsPassedOnAsItIs) {
  int value = 0;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto done = weft::spawn([] { return 7; });
          done.on_finally([] {
            weft::delay(1ms);  // the awaiter runs first; afterwards all are cancelled
            throw std::out_of_range{"handler"};
          });
          value = weft::await(done);
        },
        quiet());
  });
  EXPECT_EQ(value, 7);  // the awaiter sees the coroutine's own outcome
  EXPECT_TRUE(is<std::out_of_range>(error)) << text(error);
  EXPECT_EQ(text(error), "handler");
}

// R-EXC-8
TEST(FinallyFailure, ComesTogetherWithOthersInTheirOrder) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto done = weft::spawn([] {});
          done.on_finally([] { throw std::runtime_error{"one"}; });
          done.on_finally([&] { log.emplace_back("two is fine"); });
          done.on_finally([] {
            weft::delay(1ms);
            throw std::out_of_range{"three"};
          });
          weft::await(done);
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"two is fine"}));
  ASSERT_TRUE(is<weft::CompositeError>(error)) << text(error);
  try {
    std::rethrow_exception(error);
  } catch (const weft::CompositeError& composite) {
    ASSERT_EQ(composite.errors().size(), 2U);
    EXPECT_EQ(text(composite.errors()[0]), "one");
    EXPECT_EQ(text(composite.errors()[1]), "three");
    EXPECT_TRUE(is<std::out_of_range>(composite.errors()[1]));
  }
}

// R-EXC-8
TEST(FinallyFailure, DoesNotReplaceTheErrorThatTheAwaiterSees) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto failing = weft::spawn([] { throw std::runtime_error{"own"}; });
          failing.on_finally([] {
            weft::delay(1ms);
            throw std::runtime_error{"handler"};
          });
          log.push_back(text(error_of([&] { weft::await(failing); })));
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"own"}));
  EXPECT_EQ(text(error), "handler");
}

// R-EXC-8, R-CAN-15
TEST(FinallyFailure, IsNoneIfTheHandlerEndsWithACancellation) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        auto done = weft::spawn([] {});
        done.on_finally([] { throw weft::Cancelled{"handler"}; });
        weft::await(done);
        weft::delay(1ms);
      },
      collecting(warnings));
  EXPECT_THAT(warnings, ::testing::IsEmpty());
}

// R-EXC-8: a failure stays unhandled although a finally handler of the coroutine has seen it.
TEST(FinallyFailure, IsNotHandledByAFinallyHandlerThatInspectsIt) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([] {
            throw std::runtime_error{"own"};
          }).on_finally([&](const weft::AnyCoroutine& ended) {
            log.push_back(text(ended.exception()));
          });
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"own"}));
  EXPECT_EQ(text(error), "own");
}

// R-SHU-6, R-SHU-11
TEST(FinallyDuringShutdown, RunsAndMaySuspend) {
  Log log;
  weft::testing::run(
      [&] {
        auto sleeper = weft::spawn([] { weft::delay(1h); });
        sleeper.on_finally([&] {
          log.emplace_back("handler begins");
          weft::delay(5ms);
          log.emplace_back("handler ends");
        });
        weft::spawn([] {
          weft::delay(1ms);
          weft::shutdown();
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"handler begins", "handler ends"}));
}

// R-SHU-8
TEST(FinallyDuringShutdown, RunsForACoroutineThatNeverStarted) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          auto unborn = weft::spawn([&] { log.emplace_back("body"); });
          unborn.on_finally([&](const weft::AnyCoroutine& ended) {
            log.push_back("finally, " + text(ended.exception()));
          });
          weft::shutdown("closing");
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"finally, cancelled: closing"}));
}

}  // namespace
