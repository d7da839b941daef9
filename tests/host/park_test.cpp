#include "weft/extend/park.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concurrency/all_schedules.hpp"
#include "weft/extend/embed.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using weft::Woken;

/// park() in a noexcept function: an exception would end the test program.
Woken wait_for(weft::Event& event, std::exception_ptr& error) noexcept {
  return weft::park(event, error);
}

std::string text_of(const std::exception_ptr& error) { return weft::describe(error); }

TEST(Park, ReturnsWhenTheEventHasHappened) {
  weft::testing::run([] {
    std::exception_ptr error;
    weft::Timer timer{10ms};
    EXPECT_EQ(wait_for(timer, error), Woken::event);
    EXPECT_EQ(error, nullptr);
  });
}

TEST(Park, SaysWhichOfSeveralEventsCameFirst) {
  weft::testing::run([] {
    weft::Timer late{20ms};
    weft::Timer early{10ms};
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(late);
    waker.resume_when(early, weft::Wake::timeout);
    std::exception_ptr error;
    EXPECT_EQ(weft::park(waker, error), Woken::event);
    EXPECT_EQ(waker.triggered(), 1);
    EXPECT_EQ(error, nullptr) << "a timeout is an event like the others";
  });
}

TEST(Park, GivesTheErrorOfTheAwaitedWithoutThrowingIt) {
  weft::testing::run([] {
    auto failing = weft::spawn([] { throw std::runtime_error{"boom"}; });
    std::exception_ptr error;
    EXPECT_EQ(wait_for(failing, error), Woken::event);
    EXPECT_EQ(text_of(error), "boom");
    // The error was handed over: the next wait is not affected by it.
    EXPECT_EQ(weft::park(error), Woken::event);
    EXPECT_EQ(error, nullptr);
    weft::suspend();
  });
}

TEST(Park, DistinguishesItsOwnCancellationFromThatOfTheAwaited) {
  weft::testing::run([] {
    auto awaited = weft::spawn([] { weft::delay(1h); });
    Woken first{};
    Woken second{};
    std::exception_ptr error_of_first;
    std::exception_ptr error_of_second;
    auto one = weft::spawn([&] { first = wait_for(awaited, error_of_first); });
    auto two = weft::spawn([&] {
      second = wait_for(awaited, error_of_second);
      EXPECT_EQ(weft::take_cancellation().reason, weft::CancelReason::coroutine);
    });
    weft::suspend();
    two.cancel();
    weft::suspend();
    awaited.cancel();
    weft::await(one);
    EXPECT_EQ(first, Woken::event);
    EXPECT_TRUE(weft::is_cancellation(error_of_first));
    EXPECT_EQ(second, Woken::cancelled);
    EXPECT_EQ(error_of_second, nullptr);
  });
}

TEST(Park, EndsEveryWaitAsCancelledUntilTheCancellationIsTaken) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {
      std::exception_ptr error;
      weft::Timer timer{1h};
      EXPECT_EQ(wait_for(timer, error), Woken::cancelled);
      EXPECT_EQ(wait_for(timer, error), Woken::cancelled);
      EXPECT_EQ(weft::park(error), Woken::cancelled);
      const weft::Cancellation taken = weft::take_cancellation();
      EXPECT_EQ(taken.reason, weft::CancelReason::given);
      EXPECT_EQ(taken.text, "enough");
      EXPECT_EQ(weft::take_cancellation().reason, weft::CancelReason::none);
      EXPECT_EQ(weft::park(error), Woken::event) << "clean-up waits as usual";
    });
    weft::suspend();
    coroutine.cancel("enough");
    weft::await(static_cast<weft::Event&>(coroutine));
    EXPECT_TRUE(coroutine.is_cancelled());
  });
}

TEST(Park, IsNotCancelledInsideAProtectedSection) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {
      weft::protect([] {
        std::exception_ptr error;
        weft::Timer timer{10ms};
        EXPECT_EQ(wait_for(timer, error), Woken::event);
        EXPECT_EQ(weft::take_cancellation().reason, weft::CancelReason::none);
      });
    });
    weft::suspend();
    coroutine.cancel();
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

TEST(Park, LeavesTheEndOfASectionToItsFrame) {
  weft::testing::run([] {
    std::exception_ptr error;
    EXPECT_THROW(weft::with_timeout(10ms,
                                    [&] {
                                      weft::Timer timer{1h};
                                      EXPECT_EQ(wait_for(timer, error), Woken::cancelled);
                                      const weft::Cancellation taken = weft::take_cancellation();
                                      EXPECT_EQ(taken.reason, weft::CancelReason::section);
                                      std::rethrow_exception(taken.error);
                                    }),
                 weft::TimedOut);
    EXPECT_EQ(weft::park(error), Woken::event);
  });
}

class Unstartable final : public weft::Event {
 public:
  bool start() override { throw std::runtime_error{"cannot start"}; }
};

TEST(Park, FailsIfAnEventCannotBeStarted) {
  weft::testing::run([] {
    Unstartable event;
    std::exception_ptr error;
    EXPECT_EQ(wait_for(event, error), Woken::failed);
    EXPECT_EQ(text_of(error), "cannot start");
    EXPECT_EQ(event.subscribers(), 0U);
    EXPECT_EQ(weft::park(error), Woken::event);
  });
}

TEST(Park, FailsIfAnEventCannotBeAwaited) {
  weft::testing::run([] {
    weft::Trigger trigger;
    trigger.close();
    std::exception_ptr error;
    EXPECT_EQ(wait_for(trigger, error), Woken::failed);
    EXPECT_THROW(std::rethrow_exception(error), weft::MisuseError);
  });
}

TEST(Park, FailsWithTheWakerOfAnotherCoroutine) {
  weft::testing::run([] {
    auto other = weft::spawn([] {});
    std::exception_ptr error;
    EXPECT_EQ(weft::park(other.base().waker(), error), Woken::failed);
    EXPECT_THROW(std::rethrow_exception(error), weft::MisuseError);
  });
}

TEST(Park, ReadsTheErrorOfAFutureThatHadFailedBefore) {
  std::vector<std::string> warnings;
  weft::Options options;
  options.on_warning = [&](std::string_view text) { warnings.emplace_back(text); };
  weft::testing::run(
      [] {
        const auto future =
            weft::Future<int>::failed(std::make_exception_ptr(std::runtime_error{"boom"}));
        std::exception_ptr error;
        EXPECT_EQ(wait_for(future, error), Woken::event);
        EXPECT_EQ(text_of(error), "boom");
      },
      options);
  EXPECT_THAT(warnings, ::testing::Not(::testing::Contains(::testing::HasSubstr("Unhandled"))));
}

TEST(Park, FailsWithTheErrorThatResumeBrings) {
  weft::testing::run([] {
    Woken waiting{};
    Woken yielding{};
    std::exception_ptr first;
    std::exception_ptr second;
    weft::Timer timer{1h};
    auto waits = weft::spawn([&] { waiting = wait_for(timer, first); });
    auto yields = weft::spawn([&] { yielding = weft::park(second); });
    weft::suspend();
    weft::resume(waits.base(), std::make_exception_ptr(std::runtime_error{"one"}));
    weft::await(waits);
    EXPECT_EQ(waiting, Woken::failed);
    EXPECT_EQ(text_of(first), "one");
    weft::await(yields);
    EXPECT_EQ(yielding, Woken::event);

    auto again = weft::spawn([&] { yielding = weft::park(second); });
    auto resumer = weft::spawn(
        [&] { weft::resume(again.base(), std::make_exception_ptr(std::runtime_error{"two"})); });
    weft::await(again);
    EXPECT_EQ(yielding, Woken::failed);
    EXPECT_EQ(text_of(second), "two");
    weft::await(resumer);
  });
}

TEST(Park, IsRefusedWhereNoCoroutineMaySuspend) {
  std::exception_ptr error;
  EXPECT_FALSE(weft::can_suspend());
  EXPECT_EQ(weft::park(error), Woken::refused);
  EXPECT_EQ(weft::take_cancellation().reason, weft::CancelReason::none);
  weft::testing::run([] {
    EXPECT_TRUE(weft::can_suspend());
    bool in_microtask = true;
    Woken woken{};
    weft::Timer timer{1ms};
    weft::post_microtask([&] {
      in_microtask = weft::can_suspend();
      std::exception_ptr refused;
      woken = weft::park(timer, refused);
    });
    weft::suspend();
    EXPECT_FALSE(in_microtask);
    EXPECT_EQ(woken, Woken::refused);
    EXPECT_EQ(timer.subscribers(), 0U);
  });
}

TEST(Park, CountsAsTheWaitsOfSuspendDo) {
  weft::testing::run([] {
    const auto before = weft::stats();
    std::exception_ptr error;
    auto other = weft::spawn([] {});
    EXPECT_EQ(weft::park(error), Woken::event);
    weft::Timer timer{1ms};
    EXPECT_EQ(wait_for(timer, error), Woken::event);
    EXPECT_EQ(weft::stats().suspensions - before.suspensions, 2U);
  });
}

TEST(Park, YieldsToCoroutinesThatNeverRun) {
  weft::testing::run([] {
    bool ran = false;
    for (int i = 0; i < 3; ++i) weft::spawn([&ran] { ran = true; }).cancel();
    std::exception_ptr error;
    EXPECT_EQ(weft::park(error), weft::Woken::event);
    EXPECT_FALSE(ran);
    EXPECT_EQ(weft::park(error), weft::Woken::event) << "alone";
  });
}

TEST(Park, ShowsInReportsWhatItWaitsFor) {
  weft::testing::run([] {
    weft::Timer timer{1h};
    auto coroutine = weft::spawn([&] {
      std::exception_ptr error;
      EXPECT_EQ(wait_for(timer, error), Woken::cancelled);
    });
    weft::suspend();
    ASSERT_EQ(coroutine.awaiting().size(), 1U);
    EXPECT_THAT(coroutine.awaiting(), ElementsAre(::testing::HasSubstr("Timer")));
    coroutine.cancel();
  });
}

/// Waits for the end of `coroutine`, and swallows a cancellation.
void wait_whatever_comes(weft::AnyCoroutine coroutine) {
  std::exception_ptr error;
  while (!coroutine.is_completed()) {
    if (wait_for(coroutine, error) != Woken::cancelled) continue;
    if (weft::take_cancellation().reason == weft::CancelReason::none) {
      weft::testing::fail("cancelled without a reason");
      return;
    }
  }
}

/// Under every schedule and with a cancellation at every point: park() reports the cancellation, no
/// coroutine hangs, all counters return to zero.
TEST(Park, EndsUnderEveryScheduleAndCancellation) {
  weft_test::expect_all_schedules([] {
    weft::Promise<void> promise;
    const auto future = promise.future();
    auto waiter = weft::spawn([&] {
      std::exception_ptr error;
      const Woken woken = wait_for(future, error);
      if (woken == Woken::cancelled) {
        if (weft::take_cancellation().reason == weft::CancelReason::none) {
          weft::testing::fail("cancelled without a reason");
        }
      } else if (woken != Woken::event || error != nullptr) {
        weft::testing::fail("the future was not completed");
      }
      if (weft::park(error) == Woken::refused) weft::testing::fail("a yield was refused");
    });
    auto yielder = weft::spawn([&] {
      std::exception_ptr error;
      if (weft::park(error) == Woken::failed) weft::testing::fail("a yield failed");
    });
    wait_whatever_comes(yielder);
    promise.complete();
    wait_whatever_comes(waiter);
  });
}

}  // namespace
