#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using weft_test::Doorbell;

weft::Waker& my_waker() { return weft::current().base().waker(); }

/// A direct wait for the tests below.
class Parcel final : public weft::DirectWait {
 public:
  [[nodiscard]] std::string describe() const override { return "a parcel"; }
  void arrive() noexcept { waker()->complete(); }
  void get_lost() noexcept {
    waker()->complete(std::make_exception_ptr(std::runtime_error{"lost"}));
  }
  int times_ended = 0;

 private:
  void on_wait_ended() noexcept override { ++times_ended; }
};

void wait_for(Parcel& parcel) {
  weft::Waker& waker = my_waker().renew();
  waker.resume_when(parcel);
  weft::suspend(waker);
}

// R-WAK-5, R-WAK-13: a direct wait wakes its coroutine once; a second completion does nothing.
TEST(DirectWait, EndsTheWaitOnce) {
  Parcel parcel;
  int woken = 0;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] {
      wait_for(parcel);
      ++woken;
    });
    weft::suspend();
    parcel.arrive();
    parcel.arrive();
    EXPECT_TRUE(coroutine.is_queued());
    weft::await(coroutine);
  });
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(parcel.times_ended, 0);
}

// R-WAK-5
TEST(DirectWait, ThrowsItsError) {
  Parcel parcel;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] { wait_for(parcel); });
    weft::suspend();
    parcel.get_lost();
    EXPECT_THROW(weft::await(coroutine), std::runtime_error);
  });
}

// R-WAK-9, R-WAK-11: beside events, the first completion decides, and the other waits are removed
// before the coroutine is queued.
TEST(DirectWait, StandsBesideEvents) {
  for (const bool parcel_first : {true, false}) {
    Parcel parcel;
    int triggered = -2;
    weft::testing::run([&] {
      Doorbell bell;
      auto coroutine = weft::spawn([&] {
        weft::Waker& waker = my_waker().renew();
        waker.resume_when(bell);
        waker.resume_when(parcel);
        weft::suspend(waker);
        triggered = waker.triggered();
      });
      weft::suspend();
      EXPECT_THAT(coroutine.awaiting(), ElementsAre("a parcel", testing::_));
      if (parcel_first) {
        parcel.arrive();
      } else {
        bell.ring();
      }
      EXPECT_EQ(bell.subscribers(), 0U);
      EXPECT_EQ(parcel.times_ended, parcel_first ? 0 : 1);
      EXPECT_THAT(coroutine.awaiting(), testing::IsEmpty());
      weft::await(coroutine);
    });
    EXPECT_EQ(triggered, parcel_first ? 1 : 0);
  }
}

// R-CAN-1, R-WAK-11: a cancellation ends the direct wait before the coroutine runs.
TEST(DirectWait, IsGivenUpByACancellation) {
  Parcel parcel;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] { wait_for(parcel); });
    weft::suspend();
    coroutine.cancel();
    EXPECT_EQ(parcel.times_ended, 1);
    parcel.arrive();  // too late
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

/// A direct wait that what it releases completes, as a descriptor that is found closed does.
class EndsWhenReleased final : public weft::DirectWait {
 public:
  [[nodiscard]] std::string describe() const override { return "a wait"; }

 private:
  void on_wait_ended() noexcept override { waker()->complete(); }
};

// R-WAK-13: the cancellation has decided the wait before its parts are released.
TEST(DirectWait, MayBeCompletedByWhatItReleases) {
  EndsWhenReleased wait;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(wait);
      weft::suspend(waker);
    });
    weft::suspend();
    coroutine.cancel();
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

// R-WAK-11: a cancelled sleep does not stay in the timer queue until its coroutine runs.
TEST(DirectWait, OfADelayLeavesTheTimerQueueAtTheCancellation) {
  weft::testing::run([&] {
    auto sleeper = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    EXPECT_EQ(weft::stats().armed_timers, 1U);
    EXPECT_EQ(weft::stats().active_events, 1U);
    sleeper.cancel();
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_THROW(weft::await(sleeper), weft::Cancelled);
  });
}

// R-OBS-3: a report describes the direct wait of delay() as a timer.
TEST(DirectWait, IsDescribedInADelay) {
  weft::testing::run([&] {
    auto sleeper = weft::spawn([] { weft::delay(20ms); });
    weft::suspend();
    EXPECT_THAT(sleeper.awaiting(), ElementsAre("Timer(timeout=20ms, once)"));
    weft::await(sleeper);
  });
}

}  // namespace
