#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

// R-EVT-9
TEST(LoopEvent, StartAndStopOfACoroutineAreSuccessfulNoOps) {
  bool ran = false;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] { ran = true; });
    weft::Event& event = coroutine;
    EXPECT_TRUE(event.start());
    EXPECT_FALSE(ran);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_TRUE(event.stop());
    EXPECT_TRUE(event.stop());
    EXPECT_FALSE(coroutine.is_cancellation_requested());
    weft::await(coroutine);
  });
  EXPECT_TRUE(ran);
}

// R-EVT-9
TEST(LoopEvent, StartAndStopOfAKindOutsideTheLoopAreSuccessfulNoOps) {
  weft::testing::run([] {
    Doorbell bell;
    int rung = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++rung; }};
    bell.add_callback(call);
    EXPECT_TRUE(bell.start());
    EXPECT_EQ(weft::stats().active_events, 0U);
    bell.ring();
    EXPECT_TRUE(bell.stop());
    bell.ring();
    EXPECT_EQ(rung, 2) << "it needs no start";
    bell.remove_callback(call);
  });
}

// R-EVT-10, trap 15
TEST(LoopEvent, StaysArmedAsLongAsItIsNeeded) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    EXPECT_TRUE(timer.start());
    EXPECT_EQ(timer.loop_references(), 1U);
    EXPECT_TRUE(timer.start());
    EXPECT_EQ(timer.loop_references(), 2U);
    timer.stop();
    EXPECT_TRUE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 1U);
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.stop();
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-EVT-10, trap 15
TEST(LoopEvent, OneCancelledWaiterDoesNotDisarmItForTheOthers) {
  Log log;
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    auto first = weft::spawn([&] { weft::await(timer); });
    auto second = weft::spawn([&] {
      weft::await(timer);
      log.push_back("second woken");
    });
    weft::testing::settle();
    EXPECT_EQ(timer.loop_references(), 2U);
    first.cancel();
    EXPECT_TRUE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 1U);
    weft::await(second);
    EXPECT_THROW(weft::await(first), weft::Cancelled);
  });
  EXPECT_EQ(log, (Log{"second woken"}));
}

// R-EVT-10
TEST(LoopEvent, ADisarmedEventDoesNotFire) {
  int fired = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    timer.add_callback(call);
    timer.start();
    timer.start();
    timer.stop();
    timer.stop();
    weft::delay(50ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, 0);
}

// R-EVT-11
TEST(LoopEvent, StartOfAClosedEventIsASuccessfulNoOp) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    weft::await(timer);
    ASSERT_TRUE(timer.is_closed());
    EXPECT_TRUE(timer.start());
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-EVT-11
TEST(LoopEvent, AnotherStartNeitherArmsItTwiceNorMovesItsDeadline) {
  weft::testing::run([] {
    int fired = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    weft::Timer timer = weft::Timer::periodic(10ms);
    timer.add_callback(call);
    timer.start();
    weft::delay(5ms);
    timer.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
    weft::delay(6ms);
    EXPECT_EQ(fired, 1) << "11 ms after the first start";
    timer.remove_callback(call);
  });
}

// R-EVT-12, R-HID-5, trap 15
TEST(LoopEvent, ASecondStopStealsNothingFromAnotherEvent) {
  weft::testing::run([] {
    weft::Timer twice{10ms};
    weft::Timer other{1h};
    twice.start();
    other.start();
    EXPECT_EQ(weft::stats().active_events, 2U);
    twice.stop();
    twice.stop();
    twice.stop();
    EXPECT_EQ(twice.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 1U);
    EXPECT_TRUE(other.is_armed());
  });
}

// R-EVT-12
TEST(LoopEvent, StopBeforeAnyStartIsANoOp) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    timer.stop();
    EXPECT_EQ(timer.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    weft::await(timer);
    EXPECT_TRUE(timer.is_closed()) << "one start was enough to arm it";
  });
}

// R-EVT-12: if the second stop decremented the count again, this would be a deadlock.
TEST(LoopEvent, ASecondStopCausesNoFalseDeadlock) {
  std::vector<std::string> warnings;
  bool slept = false;
  weft::testing::run(
      [&] {
        weft::Timer timer{1h};
        auto stopper = weft::spawn([&] {
          timer.start();
          timer.stop();
          timer.stop();
        });
        weft::delay(10ms);
        slept = true;
        weft::await(stopper);
      },
      weft_test::collecting(warnings));
  EXPECT_TRUE(slept);
  EXPECT_TRUE(warnings.empty());
}

// R-EVT-13
TEST(LoopEvent, StartOfATimerRaisesBothCountsAndArmsIt) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    int fired = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    timer.add_callback(call);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    timer.start();
    EXPECT_EQ(timer.loop_references(), 1U);
    EXPECT_EQ(weft::stats().active_events, 1U);
    EXPECT_EQ(weft::stats().armed_timers, 1U);
    weft::delay(20ms);
    EXPECT_EQ(fired, 1);
    timer.remove_callback(call);
  });
}

// R-EVT-13
TEST(LoopEvent, AWaitStartsAndStopsTheEventForTheWaiter) {
  weft::testing::run([] {
    weft::Timer timer{1h};
    Doorbell bell;
    auto waiter = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(timer);
      waker.resume_when(bell);
      weft::suspend(waker);
    });
    weft::testing::settle();
    EXPECT_TRUE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 1U);
    bell.ring();
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    weft::await(waiter);
  });
}

// R-LIFE-2, R-TICK-5
TEST(LoopEvent, AnArmedVisibleEventKeepsTheProgramAlive) {
  int fired = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
  weft::Timer timer{10ms};
  timer.add_callback(call);
  weft::testing::run([&] { timer.start(); });
  EXPECT_EQ(fired, 1) << "main has ended, the timer had not";
  timer.remove_callback(call);
}

// R-SHU-15
TEST(LoopEvent, OneThatOutlivesTheRuntimeIsOutOfTheLoop) {
  weft::Timer timer{1h};
  timer.set_hidden(true);
  weft::testing::run([&] {
    timer.start();
    EXPECT_TRUE(timer.is_armed());
  });
  EXPECT_FALSE(timer.is_armed());
  EXPECT_EQ(weft::stats().active_events, 0U);
  EXPECT_EQ(weft::stats().hidden_events, 0U);
  EXPECT_EQ(weft::stats().armed_timers, 0U);
}

}  // namespace
