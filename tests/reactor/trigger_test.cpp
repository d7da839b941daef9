#include <atomic>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Log;

// R-TRG-1
TEST(TriggerTest, WakesItsWaiter) {
  Log log;
  weft::testing::run([&] {
    weft::Trigger trigger;
    auto waiter = weft::spawn([&] {
      weft::await(trigger);
      log.push_back("woken");
    });
    weft::testing::settle();
    log.push_back("firing");
    trigger.fire();
    weft::await(waiter);
  });
  EXPECT_EQ(log, (Log{"firing", "woken"}));
}

// R-TRG-1
TEST(TriggerTest, WakesAllItsWaiters) {
  int woken = 0;
  weft::testing::run([&] {
    weft::Trigger trigger;
    std::vector<weft::Coroutine<void>> waiters;
    for (int i = 0; i < 5; ++i) {
      waiters.push_back(weft::spawn([&] {
        weft::await(trigger);
        ++woken;
      }));
    }
    weft::testing::settle();
    trigger.fire();
    for (const auto& waiter : waiters) weft::await(waiter);
  });
  EXPECT_EQ(woken, 5);
}

// R-TRG-1, R-LIFE-3
TEST(TriggerTest, CanBeFiredAgainAndAgain) {
  int woken = 0;
  weft::testing::run([&] {
    weft::Trigger trigger;
    auto waiter = weft::spawn([&] {
      for (; woken < 3; ++woken) weft::await(trigger);
    });
    for (int i = 0; i < 3; ++i) {
      weft::testing::settle();
      EXPECT_EQ(woken, i);
      trigger.fire();
      weft::tick_reactor();
    }
    weft::await(waiter);
    EXPECT_FALSE(trigger.is_closed());
  });
  EXPECT_EQ(woken, 3);
}

// R-TRG-1
TEST(TriggerTest, AFiringWithoutAWaiterIsKeptForTheNextWait) {
  bool returned = false;
  weft::testing::run([&] {
    weft::Trigger trigger;
    trigger.fire();
    weft::await(trigger);
    returned = true;
  });
  EXPECT_TRUE(returned);
}

// R-TRG-1: a firing is kept for one wait.
TEST(TriggerTest, AKeptFiringServesOneWaitOnly) {
  std::vector<std::string> warnings;
  int woken = 0;
  EXPECT_THROW(weft::testing::run(
                   [&] {
                     weft::Trigger trigger;
                     trigger.fire();
                     weft::await(trigger);
                     ++woken;
                     weft::Timer timer{10ms};
                     weft::await(trigger, timer);
                     ++woken;
                   },
                   weft_test::collecting(warnings)),
               weft::OperationCancelled);
  EXPECT_EQ(woken, 1);
}

// R-TRG-1, R-REA-2: ready coroutines do not keep a trigger from notifying.
TEST(TriggerTest, NotifiesWhileCoroutinesAreBusy) {
  int passes = 0;
  weft::testing::run([&] {
    weft::Trigger trigger;
    auto waiter = weft::spawn([&] { weft::await(trigger); });
    weft::testing::settle();
    auto busy = weft::spawn([&] {
      for (; passes < 10'000 && !waiter.is_completed(); ++passes) weft::suspend();
    });
    trigger.fire();
    weft::await(busy);
    EXPECT_TRUE(waiter.is_completed());
    waiter.cancel();  // so that a runtime which misses the trigger ends as well
    weft::testing::settle();
  });
  EXPECT_LT(passes, 10'000);
}

// R-TRG-1: the virtual clock jumps only when nothing else has happened.
TEST(TriggerTest, IsDeliveredBeforeTheVirtualClockJumps) {
  weft::testing::run([] {
    weft::Trigger trigger;
    const auto start = weft::now();
    weft::Duration waited = 24h;
    auto waiter = weft::spawn([&] {
      weft::await(trigger);
      waited = weft::now() - start;
    });
    weft::testing::settle();
    trigger.fire();
    weft::delay(1h);
    EXPECT_LT(waited, 1s);
    waiter.cancel();  // so that a runtime which misses the trigger ends as well
    weft::testing::settle();
  });
}

// R-TRG-2
TEST(TriggerTest, ANewOneDoesNotKeepTheLoopAlive) {
  weft::Trigger trigger;
  bool ended = false;
  weft::testing::run([&] {
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_FALSE(trigger.is_armed());
    ended = true;
  });
  EXPECT_TRUE(ended);
}

// R-TRG-2
TEST(TriggerTest, KeepsTheLoopAliveOnceStarted) {
  weft::Trigger trigger;
  int fired = 0;
  std::binary_semaphore main_ended{0};
  Call call{[&](weft::Event& event, const weft::Outcome&) {
    ++fired;
    event.stop();
  }};
  trigger.add_callback(call);
  std::thread thread{[&] {
    main_ended.acquire();
    trigger.fire();
  }};
  weft::testing::run([&] {
    trigger.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
    main_ended.release();
  });
  EXPECT_EQ(fired, 1) << "run() returned before the trigger was stopped";
  thread.join();
  trigger.remove_callback(call);
}

// R-TRG-2
TEST(TriggerTest, SeveralFiringsBeforeTheNextPollMayBecomeOne) {
  weft::testing::run([] {
    weft::Trigger trigger;
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    trigger.add_callback(call);
    trigger.start();
    for (int i = 0; i < 100; ++i) trigger.fire();
    weft::tick_reactor();
    EXPECT_GE(notified, 1);
    EXPECT_LE(notified, 100);
    const int before = notified;
    weft::tick_reactor();
    weft::delay(10ms);
    EXPECT_EQ(notified, before) << "nothing is left over";
    trigger.remove_callback(call);
  });
}

// R-TRG-2
TEST(TriggerTest, FiringAClosedOneDoesNothing) {
  weft::testing::run([] {
    weft::Trigger trigger;
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    trigger.add_callback(call);
    trigger.start();
    trigger.close();
    EXPECT_TRUE(trigger.is_closed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    trigger.fire();
    weft::tick_reactor();
    weft::delay(10ms);
    EXPECT_EQ(notified, 0);
    trigger.remove_callback(call);
  });
}

// R-TRG-2: fired and then closed before the loop polled.
TEST(TriggerTest, ClosingItTakesBackAFiringThatTheLoopHasNotSeen) {
  weft::testing::run([] {
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    {
      weft::Trigger trigger;
      trigger.add_callback(call);
      trigger.start();
      trigger.fire();
      trigger.close();
      trigger.remove_callback(call);
    }
    weft::tick_reactor();
    weft::delay(10ms);
    EXPECT_EQ(notified, 0);
  });
}

// R-TRG-2: stopped before the loop polled, it keeps the firing for the next wait.
TEST(TriggerTest, AFiringWithoutAWaiterSurvivesAStop) {
  bool woken = false;
  weft::testing::run([&] {
    weft::Trigger trigger;
    trigger.start();
    trigger.fire();
    trigger.stop();
    weft::await(trigger);
    woken = true;
  });
  EXPECT_TRUE(woken);
}

// R-TRG-1: the trigger is armed before, so the wait does not arm it.
TEST(TriggerTest, AFiringKeptWhileItIsArmedServesTheNextWait) {
  bool woken = false;
  weft::testing::run([&] {
    weft::Trigger trigger;
    trigger.start();
    trigger.fire();
    weft::delay(10ms);  // the loop has polled while no coroutine waited
    weft::Timer timer{10ms};
    EXPECT_NO_THROW(weft::await(trigger, timer));
    woken = true;
    trigger.stop();
  });
  EXPECT_TRUE(woken);
}

// R-HID-2, R-DLK-1
TEST(TriggerTest, AHiddenOneDoesNotHideADeadlock) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::testing::run(
                   [] {
                     weft::Trigger trigger;
                     trigger.set_hidden(true);
                     weft::await(trigger);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
}

// A firing during notifications is kept for the next poll: coroutines run in between.
TEST(TriggerTest, FiredAgainByItsOwnCallbackDoesNotHoldUpTheLoop) {
  weft::testing::run([] {
    weft::Trigger trigger;
    int notified = 0;
    auto again = weft::make_ref<weft_test::Call>([&](weft::Event&, const weft::Outcome&) {
      if (++notified < 1'000) trigger.fire();
    });
    trigger.add_callback(*again);
    trigger.start();
    trigger.fire();
    weft::tick_reactor();
    EXPECT_EQ(notified, 1);
    weft::tick_reactor();
    EXPECT_EQ(notified, 2);
    trigger.remove_callback(*again);
    trigger.stop();
  });
}

// Two triggers that fire each other do not block the loop either.
TEST(TriggerTest, FiredByAnotherWhileFiringsAreNotifiedIsForTheNextPoll) {
  weft::testing::run([] {
    weft::Trigger ping;
    weft::Trigger pong;
    int notified = 0;
    auto on_ping = weft::make_ref<weft_test::Call>([&](weft::Event&, const weft::Outcome&) {
      if (++notified < 1'000) pong.fire();
    });
    auto on_pong = weft::make_ref<weft_test::Call>([&](weft::Event&, const weft::Outcome&) {
      if (++notified < 1'000) ping.fire();
    });
    ping.add_callback(*on_ping);
    pong.add_callback(*on_pong);
    ping.start();
    pong.start();
    ping.fire();
    for (int look = 1; look <= 5; ++look) {
      weft::tick_reactor();
      EXPECT_EQ(notified, look);
    }
    ping.remove_callback(*on_ping);
    pong.remove_callback(*on_pong);
    ping.stop();
    pong.stop();
  });
}

}  // namespace
