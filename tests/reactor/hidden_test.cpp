#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;

class HiddenEvent : public ::testing::Test {
 protected:
  /// Runs `body` and returns whether it ended in a deadlock.
  template <class F>
  bool deadlocks(F body) {
    std::vector<std::string> warnings;
    try {
      weft::testing::run(body, weft_test::collecting(warnings));
      return false;
    } catch (const weft::DeadlockError&) {
      return true;
    }
  }
};

// R-HID-1, R-DLK-1
TEST_F(HiddenEvent, NothingActiveAndAllSuspendedIsADeadlock) {
  EXPECT_TRUE(deadlocks([] {
    Doorbell bell;
    EXPECT_EQ(weft::stats().active_events, 0U);
    weft::await(bell);
  }));
}

// R-HID-1
TEST_F(HiddenEvent, AnActiveEventMeansThatACoroutineMayStillBeWoken) {
  EXPECT_FALSE(deadlocks([] {
    Doorbell bell;
    weft::Timer timer{10ms};
    Call ring{[&](weft::Event&, const weft::Outcome&) { bell.ring(); }};
    timer.add_callback(ring);
    timer.start();
    weft::await(bell);
    timer.remove_callback(ring);
  }));
}

// R-HID-1: the count becomes 0 when the last active event is stopped.
TEST_F(HiddenEvent, TheDeadlockIsSeenWhenTheLastActiveEventIsGone) {
  weft::Duration waited{};
  EXPECT_TRUE(deadlocks([&] {
    Doorbell bell;
    weft::Timer timer{10ms};
    const auto start = weft::now();
    timer.start();
    try {
      weft::await(bell);
    } catch (const weft::Cancelled&) {
      waited = weft::now() - start;
      throw;
    }
  }));
  EXPECT_GE(waited, 10ms);
}

// R-HID-2
TEST_F(HiddenEvent, IsCountedApart) {
  weft::testing::run([] {
    weft::Timer hidden{1h};
    hidden.set_hidden(true);
    EXPECT_TRUE(hidden.is_hidden());
    hidden.start();
    EXPECT_TRUE(hidden.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    hidden.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// R-HID-2
TEST_F(HiddenEvent, LeavesTheCountOfTheVisibleOnesAlone) {
  weft::testing::run([] {
    weft::Timer visible{1h};
    visible.start();
    {
      weft::Timer hidden{1h};
      hidden.set_hidden(true);
      hidden.start();
      EXPECT_EQ(weft::stats().active_events, 1U);
      hidden.stop();
      EXPECT_EQ(weft::stats().active_events, 1U);
      hidden.start();
    }
    EXPECT_EQ(weft::stats().active_events, 1U) << "destroyed while armed";
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// R-HID-2, R-DLK-9
TEST_F(HiddenEvent, APeriodicTimerThatIsHiddenDoesNotHideADeadlock) {
  EXPECT_TRUE(deadlocks([] {
    weft::Timer health_check = weft::Timer::periodic(10ms);
    health_check.set_hidden(true);
    health_check.start();
    Doorbell bell;
    weft::await(bell);
  }));
}

// R-HID-3
TEST_F(HiddenEvent, StillFires) {
  int fired = 0;
  weft::testing::run([&] {
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    weft::Timer timer = weft::Timer::periodic(10ms);
    timer.set_hidden(true);
    timer.add_callback(call);
    timer.start();
    weft::delay(35ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, 3);
}

// R-HID-3
TEST_F(HiddenEvent, StillWakesItsWaiterWhileSomethingVisibleIsActive) {
  bool woken = false;
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    timer.set_hidden(true);
    auto waiter = weft::spawn([&] {
      weft::await(timer);
      woken = true;
    });
    weft::delay(20ms);
    EXPECT_TRUE(woken);
    weft::await(waiter);
  });
  EXPECT_TRUE(woken);
}

// R-HID-3, R-TICK-5
TEST_F(HiddenEvent, DoesNotKeepTheProgramAlive) {
  int fired = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
  weft::Timer once{10ms};
  weft::Timer periodic = weft::Timer::periodic(10ms);
  for (weft::Timer* timer : {&once, &periodic}) timer->set_hidden(true);
  once.add_callback(call);
  weft::testing::run([&] {
    once.start();
    periodic.start();
  });
  EXPECT_EQ(fired, 0) << "no coroutine waited for it";
  once.remove_callback(call);
}

// R-HID-3
TEST_F(HiddenEvent, DoesNotHoldUpAShutdown) {
  weft::Timer timer = weft::Timer::periodic(10ms);
  timer.set_hidden(true);
  std::string reason;
  weft::testing::run([&] {
    timer.start();
    weft::shutdown("enough");
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled& cancelled) {
      reason = cancelled.reason();
    }
  });
  EXPECT_EQ(reason, "enough");
  EXPECT_FALSE(timer.is_armed());
}

// R-HID-4
TEST_F(HiddenEvent, TogglingKeepsTheCountBalanced) {
  weft::testing::run([] {
    weft::Timer timer{1h};
    timer.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.set_hidden(true);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    timer.set_hidden(true);
    EXPECT_EQ(weft::stats().active_events, 0U) << "a second hide does nothing";
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    timer.set_hidden(false);
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.set_hidden(false);
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.set_hidden(true);
    timer.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    timer.set_hidden(false);
    EXPECT_EQ(weft::stats().active_events, 0U) << "it is not armed any more";
  });
}

// R-HID-4: an event armed twice still counts once.
TEST_F(HiddenEvent, TogglingAnEventThatWasStartedTwiceMovesOneCount) {
  weft::testing::run([] {
    weft::Timer timer{1h};
    timer.start();
    timer.start();
    timer.set_hidden(true);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    timer.stop();
    timer.set_hidden(false);
    EXPECT_EQ(weft::stats().active_events, 1U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// R-HID-4, R-HID-1
TEST_F(HiddenEvent, HidingTheLastVisibleEventMakesTheDeadlockVisible) {
  EXPECT_TRUE(deadlocks([] {
    weft::Timer timer = weft::Timer::periodic(10ms);
    timer.start();
    int fired = 0;
    Call hide{[&](weft::Event& event, const weft::Outcome&) {
      if (++fired == 3) event.set_hidden(true);
    }};
    timer.add_callback(hide);
    Doorbell bell;
    try {
      weft::await(bell);
    } catch (...) {
      EXPECT_EQ(fired, 3);
      timer.remove_callback(hide);
      throw;
    }
  }));
}

}  // namespace
