#include <functional>
#include <ostream>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

// R-CAN-1
TEST(CancelWait, IsNotCaughtByCodeThatCatchesErrors) {
  static_assert(!std::is_base_of_v<std::exception, weft::Cancelled>);
  Log log;
  weft::testing::run([&] {
    auto sleeper = weft::spawn([&] {
      try {
        weft::delay(1h);
      } catch (const std::exception&) {
        log.emplace_back("taken for an error");
      }
      log.emplace_back("went on");
    });
    weft::suspend();
    sleeper.cancel();
    log.push_back(text(error_of([&] { weft::await(sleeper); })));
  });
  EXPECT_EQ(log, (Log{"cancelled: Coroutine cancelled"}));
}

struct Waiting {
  const char* name;
  std::function<void()> wait;
};
void PrintTo(const Waiting& waiting, std::ostream* out) { *out << waiting.name; }

class CancelledWait : public ::testing::TestWithParam<Waiting> {};

// R-CAN-1, R-CAN-2
TEST_P(CancelledWait, ThrowsAtTheSuspensionPoint) {
  Log log;
  weft::testing::run([&] {
    auto waiter = weft::spawn([&] {
      log.push_back(text(error_of(GetParam().wait)));
      log.emplace_back("cleaned up");
    });
    weft::suspend();
    log.emplace_back("cancelling");
    waiter.cancel("enough");
    log.emplace_back("no other ran yet");
    weft::await(waiter);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  EXPECT_EQ(log, (Log{"cancelling", "no other ran yet", "cancelled: enough", "cleaned up"}));
}

INSTANTIATE_TEST_SUITE_P(Cancel, CancelledWait,
                         ::testing::Values(Waiting{"Delay", [] { weft::delay(1h); }},
                                           Waiting{"Yield", [] { weft::suspend(); }},
                                           Waiting{"Event",
                                                   [] {
                                                     Doorbell bell;
                                                     weft::await(bell);
                                                   }},
                                           Waiting{"EventWithToken",
                                                   [] {
                                                     Doorbell bell;
                                                     weft::Timer token{1h};
                                                     weft::await(bell, token);
                                                   }},
                                           Waiting{"Trigger",
                                                   [] {
                                                     weft::Trigger trigger;
                                                     weft::await(trigger);
                                                   }},
                                           Waiting{"OwnWaker",
                                                   [] {
                                                     Doorbell one;
                                                     Doorbell two;
                                                     weft::Timer three{1h};
                                                     weft::Waker& waker =
                                                         weft::current().base().waker().renew();
                                                     waker.resume_when(one);
                                                     waker.resume_when(two);
                                                     waker.resume_when(three);
                                                     weft::suspend(waker);
                                                   }}),
                         [](const auto& one) { return std::string{one.param.name}; });

// R-CAN-2
TEST(CancelWait, NeverInterruptsCodeBetweenSuspensionPoints) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::Coroutine<void> worker;
    auto canceller = weft::make_ref<weft_test::Call>(
        [&](weft::Event&, const weft::Outcome&) { worker.cancel(); });
    bell.add_callback(*canceller);
    worker = weft::spawn([&] {
      log.emplace_back("before");
      bell.ring();  // the callback cancels this coroutine
      log.emplace_back("after");
      weft::suspend();
      log.emplace_back("never");
    });
    log.push_back(text(error_of([&] { weft::await(worker); })));
    bell.remove_callback(*canceller);
  });
  EXPECT_EQ(log, (Log{"before", "after", "cancelled: Coroutine cancelled"}));
}

// R-CAN-5
TEST(CancelWait, OfAWaitStopsItsEventsAndQueuesTheCoroutine) {
  std::exception_ptr error;
  weft::testing::run([&] {
    weft::Timer timer{1h};
    auto sleeper = weft::spawn([&] { error = error_of([&] { weft::await(timer); }); });
    weft::suspend();
    EXPECT_TRUE(timer.is_armed());
    sleeper.cancel();
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_TRUE(sleeper.is_queued());
    EXPECT_EQ(error, nullptr);
    weft::await(sleeper);
    EXPECT_EQ(timer.subscribers(), 0U);
    EXPECT_FALSE(timer.is_closed());
  });
  EXPECT_TRUE(is<weft::Cancelled>(error)) << text(error);
}

// R-CAN-6
TEST(CancelWait, WinsOverAValueThatWasNotTakenYet) {
  std::exception_ptr error;
  weft::testing::run([&] {
    Doorbell bell;
    auto waiter = weft::spawn([&] { error = error_of([&] { weft::await(bell); }); });
    weft::suspend();
    const int value = 5;
    bell.ring(weft::Outcome::of(value));
    EXPECT_TRUE(waiter.is_queued());
    waiter.cancel("just in time");
    weft::await(waiter);
  });
  EXPECT_EQ(text(error), "cancelled: just in time");
}

// R-CAN-6
TEST(CancelWait, OfOneAwaiterDoesNotLoseTheValueForOthers) {
  weft::testing::run([] {
    auto producer = weft::spawn([] {
      weft::delay(1ms);
      return 42;
    });
    auto unlucky = weft::spawn([&] { return weft::await(producer); });
    auto lucky = weft::spawn([&] { return weft::await(producer); });
    producer.on_finally([&] { unlucky.cancel(); });
    EXPECT_EQ(weft::await(lucky), 42);
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(unlucky); })));
    EXPECT_EQ(weft::await(producer), 42);
  });
}

// R-CAN-17
TEST(CancelWait, OfOneWaiterLeavesTheEventUsableByOthers) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto gone =
        weft::spawn([&] { log.push_back("gone: " + text(error_of([&] { weft::await(bell); }))); });
    auto stays =
        weft::spawn([&] { log.push_back("stays: " + text(error_of([&] { weft::await(bell); }))); });
    weft::suspend();
    gone.cancel();
    weft::await(gone);
    EXPECT_FALSE(bell.is_closed());
    EXPECT_EQ(bell.subscribers(), 1U);
    bell.ring();
    weft::await(stays);
  });
  EXPECT_EQ(log, (Log{"gone: cancelled: Coroutine cancelled", "stays: nothing"}));
}

// R-CAN-17, trap 15
TEST(CancelWait, OfOneWaiterLeavesASharedTimerArmedForOthers) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    auto gone = weft::spawn([&] { weft::await(timer); });
    auto stays = weft::spawn([&] { weft::await(timer); });
    weft::suspend();
    gone.cancel();
    EXPECT_TRUE(timer.is_armed());
    weft::await(stays);
    EXPECT_TRUE(gone.is_cancelled());
  });
}

}  // namespace
