#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace waker_iteration_test {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

weft::Waker& my_waker() { return weft::current().base().waker(); }

/// An event that cannot be started.
class Broken final : public weft::Event {
 public:
  bool start() override { throw std::runtime_error{"cannot start"}; }
  bool stop() noexcept override {
    ++stops;
    return true;
  }
  int stops = 0;
};

/// Counts starts and stops.
class Metered final : public weft::Event {
 public:
  bool start() override {
    ++starts;
    return Event::start();
  }
  bool stop() noexcept override {
    ++stops;
    return Event::stop();
  }
  int starts = 0;
  int stops = 0;
};

// R-WAK-12
TEST(WakerIteration, AWakeUpInTheMiddleOfANotificationSkipsNoWaiter) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    Call before{[&](weft::Event&, const weft::Outcome&) { log.push_back("before"); }};
    Call after{[&](weft::Event&, const weft::Outcome&) { log.push_back("after"); }};
    Call last{[&](weft::Event&, const weft::Outcome&) { log.push_back("last"); }};
    bell.add_callback(before);
    // Two subscriptions of one waker: the first wake-up removes the second.
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(bell);
      waker.resume_when(bell, weft::Wake::cancel);
      weft::suspend(waker);
      log.push_back("woken");
    });
    weft::testing::settle();
    bell.add_callback(after);
    bell.add_callback(last);
    bell.ring();
    weft::await(coroutine);
    for (Call* call : {&before, &after, &last}) bell.remove_callback(*call);
  });
  EXPECT_EQ(log.size(), 4U);
  EXPECT_THAT(log, ::testing::UnorderedElementsAre("before", "after", "last", "woken"));
}

// R-WAK-12
TEST(WakerIteration, EveryWaiterOfOneEventIsWokenOnceWhateverElseItWaitsFor) {
  constexpr int count = 20;
  std::vector<int> woken(count, 0);
  weft::testing::run([&] {
    Doorbell bell;
    Doorbell other;
    std::vector<weft::Coroutine<void>> waiters;
    for (int i = 0; i < count; ++i) {
      waiters.push_back(weft::spawn([&, i] {
        weft::Waker& waker = my_waker().renew();
        waker.resume_when(i % 2 == 0 ? bell : other);
        waker.resume_when(i % 2 == 0 ? other : bell);
        weft::suspend(waker);
        ++woken[static_cast<std::size_t>(i)];
      }));
    }
    weft::testing::settle();
    bell.ring();
    for (const auto& waiter : waiters) weft::await(waiter);
    EXPECT_EQ(bell.subscribers(), 0U);
    EXPECT_EQ(other.subscribers(), 0U);
  });
  EXPECT_EQ(woken, std::vector<int>(count, 1));
}

// R-WAK-12, trap 4: removing a waiter during the notification does not change the order of the
// others.
TEST(WakerIteration, WaitersOfOneEventAreWokenInTheOrderOfArrival) {
  std::vector<int> order;
  weft::testing::run([&] {
    Doorbell bell;
    std::vector<weft::Coroutine<void>> waiters;
    for (int i = 0; i < 6; ++i) {
      waiters.push_back(weft::spawn([&, i] {
        weft::await(bell);
        order.push_back(i);
      }));
    }
    weft::testing::settle();
    bell.ring();
    for (const auto& waiter : waiters) weft::await(waiter);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

// R-WAK-12: a notification inside another; each removes callbacks of the other event.
TEST(WakerIteration, ANotificationInsideAnotherWakesEachWaiterOnce) {
  std::vector<int> woken_by;
  weft::testing::run([&] {
    Doorbell outer;
    Doorbell inner;
    Call forward{[&](weft::Event&, const weft::Outcome&) { inner.ring(); }};
    const auto wait = [&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(outer);
      waker.resume_when(inner);
      weft::suspend(waker);
      woken_by.push_back(waker.triggered());
    };
    auto early = weft::spawn(wait);
    weft::testing::settle();
    outer.add_callback(forward);
    auto late = weft::spawn(wait);
    weft::testing::settle();
    outer.ring();
    weft::await(early);
    weft::await(late);
    outer.remove_callback(forward);
  });
  EXPECT_EQ(woken_by, (std::vector<int>{0, 1}))
      << "the first by the outer, the second by the inner notification";
}

// R-WAK-12: two timers are due in the same iteration of the reactor.
TEST(WakerIteration, TwoEventsOfOneWaitInOneReactorTickWakeItOnce) {
  int woken = 0;
  weft::testing::run([&] {
    weft::Timer first{10ms};
    weft::Timer second{10ms};
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(first);
    waker.resume_when(second);
    weft::suspend(waker);
    ++woken;
    EXPECT_EQ(waker.triggered(), 0);
    EXPECT_EQ(weft::stats().queued, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(first.subscribers() + second.subscribers(), 0U);
  });
  EXPECT_EQ(woken, 1);
}

// R-WAK-12, R-RC-4: the waiter destroys the other event of its wait as soon as it runs.
TEST(WakerIteration, TheEventsOfAWaitMayDieAsSoonAsItEnds) {
  int rounds = 0;
  weft::testing::run([&] {
    Doorbell bell;
    auto waiter = weft::spawn([&] {
      for (; rounds < 100; ++rounds) {
        Doorbell local;
        weft::Timer timer{1h};
        weft::Waker& waker = my_waker().renew();
        waker.resume_when(local);
        waker.resume_when(bell);
        waker.resume_when(timer);
        weft::suspend(waker);
        waker.renew();
      }
    });
    while (!waiter.is_completed()) {
      weft::testing::settle();
      bell.ring();
      weft::suspend();
    }
  });
  EXPECT_EQ(rounds, 100);
}

// R-WAK-17
TEST(WakerIteration, AnEventThatCannotBeStartedFailsTheSuspensionAtOnce) {
  Log log;
  weft::testing::run([&] {
    auto other = weft::spawn([&] { log.push_back("other"); });
    Metered first;
    Broken broken;
    Metered last;
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(first);
    waker.resume_when(broken);
    waker.resume_when(last);
    try {
      weft::suspend(waker);
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
    EXPECT_EQ(first.starts, 1);
    EXPECT_EQ(first.stops, 1) << "what was started is stopped";
    EXPECT_EQ(broken.stops, 0) << "it was never started";
    EXPECT_EQ(last.starts, last.stops);
    EXPECT_EQ(first.subscribers(), 0U);
    EXPECT_EQ(broken.subscribers(), 0U);
    EXPECT_EQ(last.subscribers(), 0U);
    EXPECT_TRUE(waker.empty());
    EXPECT_EQ(waker.status(), weft::Waker::Status::none);
    weft::await(other);
  });
  EXPECT_EQ(log, (Log{"cannot start", "other"}));
}

// R-WAK-17: after a suspension that failed, the coroutine can wait again.
TEST(WakerIteration, ASuspensionThatFailedLeavesTheCoroutineFitForTheNext) {
  bool slept = false;
  weft::testing::run([&] {
    Broken broken;
    EXPECT_THROW(weft::await(broken), std::runtime_error);
    weft::delay(10ms);
    slept = true;
  });
  EXPECT_TRUE(slept);
}

}  // namespace waker_iteration_test
