#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace unhandled_test {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

[[noreturn]] void fail() { throw std::runtime_error{"failed"}; }

// R-EXC-4, trap 8
TEST(Unhandled, FailureStaysOnTheHandleForALateAwait) {
  Log log;
  weft::testing::run([&] {
    auto failing = weft::spawn(fail);
    weft::delay(1h);
    EXPECT_TRUE(failing.is_completed());
    log.push_back(text(error_of([&] { weft::await(failing); })));
    failing = {};
    weft::delay(1h);  // the error was delivered: dropping the handle is no failure
    log.emplace_back("went on");
  });
  EXPECT_EQ(log, (Log{"failed", "went on"}));
}

// R-EXC-4
TEST(Unhandled, FailureStaysOnAHandleThatOutlivesTheRuntime) {
  weft::Coroutine<void> kept;
  weft::testing::run([&] { kept = weft::spawn(fail); });
  EXPECT_TRUE(kept.is_completed());
  EXPECT_EQ(text(kept.exception()), "failed");
  EXPECT_EQ(text(error_of([&] { weft::await(kept); })), "failed");
}

// R-EXC-4, trap 8
TEST(Unhandled, FailureSurfacesWhenTheLastHandleIsDroppedUnread) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto failing = weft::spawn(fail);
          auto copy = failing;
          weft::suspend();
          EXPECT_TRUE(failing.is_completed());
          failing = {};
          weft::delay(1ms);
          log.emplace_back("one handle left");
          copy = {};
          log.emplace_back("nothing is thrown by the drop");
          log.push_back(text(error_of([] { weft::delay(1h); })));
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"one handle left", "nothing is thrown by the drop",
                      "cancelled: Graceful shutdown"}));
  EXPECT_EQ(text(error), "failed");
}

// R-EXC-4: reading an outcome without await() does not handle its error.
TEST(Unhandled, FailureSurfacesAlsoIfItWasOnlyInspected) {
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto failing = weft::spawn(fail);
          weft::suspend();
          EXPECT_EQ(text(failing.exception()), "failed");
        },
        quiet());
  });
  EXPECT_EQ(text(error), "failed");
}

// R-EXC-4
TEST(Unhandled, FailureIsNotKeptByAHandleThatOnlyInspects) {
  weft::AnyCoroutine observer;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            observer = weft::current();
            fail();
          });
        },
        quiet());
  });
  EXPECT_EQ(text(error), "failed");
  EXPECT_EQ(text(observer.exception()), "failed");
}

// R-EXC-5, R-SHU-5
TEST(Unhandled, FailureOfACoroutineWithoutAHandleEndsTheProgramGracefully) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto other = weft::spawn([&] {
            log.push_back("other " + text(error_of([] { weft::delay(1h); })));
            weft::delay(1ms);
            log.emplace_back("other cleaned up");
          });
          weft::spawn([] {
            weft::delay(1ms);
            fail();
          });
          log.push_back("main " + text(error_of([] { weft::delay(1h); })));
        },
        quiet());
  });
  EXPECT_EQ(text(error), "failed");
  EXPECT_THAT(log, ::testing::UnorderedElementsAre("other cancelled: Graceful shutdown",
                                                   "main cancelled: Graceful shutdown",
                                                   "other cleaned up"));
  EXPECT_EQ(log.back(), "main cancelled: Graceful shutdown");  // main unwinds last
}

// R-EXC-5
TEST(Unhandled, FailureOfTheMainBodyEndsTheProgramGracefully) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&]() -> int {
          weft::spawn([&] { log.push_back(text(error_of([] { weft::delay(1h); }))); });
          weft::suspend();
          throw std::out_of_range{"main failed"};
        },
        quiet());
  });
  EXPECT_TRUE(is<std::out_of_range>(error)) << text(error);
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown"}));
}

// R-EXC-5
TEST(Unhandled, FailureMayHaveAnyType) {
  EXPECT_TRUE(is<int>(error_of([] { weft::testing::run([] { throw 42; }, quiet()); })));
  EXPECT_TRUE(is<int>(
      error_of([] { weft::testing::run([] { weft::spawn([] { throw 42; }); }, quiet()); })));
}

// R-EXC-6
TEST(Unhandled, FailureOfAMicrotaskEndsTheProgramGracefully) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::post_microtask(fail);
          log.push_back(text(error_of([] { weft::delay(1h); })));
        },
        quiet());
  });
  EXPECT_EQ(text(error), "failed");
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown"}));
}

// R-EXC-6
TEST(Unhandled, FailureOfAReactorCallbackEndsTheProgramGracefully) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::Timer timer{1ms};
          auto failing = weft::make_ref<Call>([](weft::Event&, const weft::Outcome&) {
            weft::leave_pending(std::make_exception_ptr(std::runtime_error{"callback failed"}));
          });
          timer.add_callback(*failing);
          timer.start();
          log.push_back(text(error_of([] { weft::delay(1h); })));
          timer.remove_callback(*failing);
        },
        quiet());
  });
  EXPECT_EQ(text(error), "callback failed");
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown"}));
}

// R-EXC-6, R-SWH-6
TEST(Unhandled, FailureOfASwitchHandlerEndsTheProgramGracefully) {
  for (const weft::Switch where :
       {weft::Switch::enter, weft::Switch::leave, weft::Switch::finish}) {
    const std::exception_ptr error = error_of([&] {
      weft::testing::run(
          [&] {
            auto handled = weft::spawn([] { weft::suspend(); });
            handled.add_switch_handler([where](weft::Switch what) {
              if (what == where) fail();
              return true;
            });
            const std::exception_ptr ignored = error_of([&] { weft::await(handled); });
          },
          quiet());
    });
    EXPECT_EQ(text(error), "failed") << static_cast<int>(where);
  }
}

// R-EXC-7
TEST(Unhandled, FailureWhoseHandleIsDroppedInTheSchedulerPhaseIsRaisedOutsideIt) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          auto failing = weft::spawn(fail);
          weft::suspend();
          weft::post_microtask([&, held = std::move(failing)]() mutable {
            held = {};
            log.emplace_back("dropped");
          });
          log.push_back(text(error_of([] { weft::delay(1h); })));
        },
        quiet());
  });
  EXPECT_EQ(text(error), "failed");
  EXPECT_EQ(log, (Log{"dropped", "cancelled: Graceful shutdown"}));
}

}  // namespace unhandled_test
