#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace waker_test {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::Log;
using Status = weft::Waker::Status;

weft::Waker& my_waker() { return weft::current().base().waker(); }

// R-WAK-3, R-WAK-4, R-SUS-7
TEST(WakerStatus, GoesFromNoneThroughWaitingAndQueuedToResultAndBack) {
  std::vector<Status> seen;
  weft::testing::run([&] {
    Doorbell bell;
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      seen.push_back(waker.status());
      waker.resume_when(bell);
      seen.push_back(waker.status());
      // Called between the wake-up and the return of the suspension.
      weft::current().add_switch_handler([&](weft::Switch what) {
        if (what == weft::Switch::enter) seen.push_back(waker.status());
        return what != weft::Switch::enter;
      });
      weft::suspend(waker);
      waker.renew();
      seen.push_back(waker.status());
    });
    const weft::Waker& waker = coroutine.base().waker();
    seen.push_back(waker.status());
    weft::testing::settle();
    seen.push_back(waker.status());
    bell.ring();
    seen.push_back(waker.status());
    weft::await(coroutine);
  });
  EXPECT_EQ(seen, (std::vector<Status>{Status::queued,   // spawned
                                       Status::none,     // its body runs
                                       Status::none,     // prepared, not suspended
                                       Status::waiting,  // seen by the others
                                       Status::queued,   // rung
                                       Status::result,   // resumed
                                       Status::none}));  // cleaned
}

// R-WAK-3, R-WAK-4
TEST(WakerStatus, IsNoneInARunningCoroutine) {
  weft::testing::run([] {
    EXPECT_EQ(my_waker().status(), Status::none);
    auto coroutine = weft::spawn([] { EXPECT_EQ(my_waker().status(), Status::none); });
    weft::await(coroutine);
  });
}

// R-WAK-4, R-CAN-4
TEST(WakerStatus, IsIgnoredWhenACoroutineIsCancelledBeforeItStarts) {
  weft::testing::run([] {
    bool ran = false;
    auto coroutine = weft::spawn([&] { ran = true; });
    coroutine.cancel();
    EXPECT_EQ(coroutine.base().waker().status(), Status::ignored);
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
    EXPECT_FALSE(ran);
  });
}

// R-WAK-4: a cancelled coroutine is queued if it was waiting.
TEST(WakerStatus, IsQueuedWhenAWaitingCoroutineIsCancelled) {
  weft::testing::run([] {
    Doorbell bell;
    auto coroutine = weft::spawn([&] { weft::await(bell); });
    weft::testing::settle();
    coroutine.cancel();
    EXPECT_EQ(coroutine.base().waker().status(), Status::queued);
    bell.ring();
    EXPECT_EQ(coroutine.base().waker().status(), Status::queued);
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

// R-WAK-2
TEST(Waker, RecordsWhatIsAwaitedAndWhere) {
  using ::testing::ElementsAre;
  weft::testing::run([] {
    Doorbell bell;
    weft::Timer timer{100ms};
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      EXPECT_TRUE(waker.empty());
      waker.resume_when(bell);
      waker.resume_when(timer);
      EXPECT_EQ(waker.size(), 2U);
      weft::suspend(waker, weft::Place{"bar.cpp", 20});
    });
    weft::testing::settle();
    EXPECT_THAT(coroutine.awaiting(), ElementsAre("Doorbell", "Timer(timeout=100ms, once)"));
    EXPECT_EQ(coroutine.suspend_place().text(), "bar.cpp:20");
    bell.ring();
    weft::await(coroutine);
  });
}

// R-WAK-2
TEST(Waker, KnowsWhichOfItsEventsWokeIt) {
  std::vector<int> woken_by;
  weft::testing::run([&] {
    Doorbell bells[3];
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker();
      for (int i = 0; i < 3; ++i) {
        waker.renew();
        EXPECT_EQ(waker.triggered(), -1);
        for (Doorbell& bell : bells) waker.resume_when(bell);
        weft::suspend(waker);
        woken_by.push_back(waker.triggered());
      }
    });
    for (const int i : {1, 2, 0}) {
      weft::testing::settle();
      bells[i].ring();
    }
    weft::await(coroutine);
  });
  EXPECT_EQ(woken_by, (std::vector<int>{1, 2, 0}));
}

// R-WAK-2
TEST(Waker, RunsItsHookOnceWhenTheWaitIsForgotten) {
  int cleaned = 0;
  weft::testing::run([&] {
    Doorbell bell;
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(bell);
    waker.on_clean([&] { ++cleaned; });
    EXPECT_EQ(cleaned, 0);
    weft::spawn([&] { bell.ring(); });
    weft::suspend(waker);
    waker.renew();
    EXPECT_EQ(cleaned, 1);
    waker.renew();
    EXPECT_EQ(cleaned, 1);
  });
  EXPECT_EQ(cleaned, 1);
}

// R-WAK-2
TEST(Waker, RunsItsHookWhenTheCoroutineEndsWithoutAnotherWait) {
  int cleaned = 0;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&] { my_waker().renew().on_clean([&] { ++cleaned; }); });
    weft::await(coroutine);
  });
  EXPECT_EQ(cleaned, 1);
}

// R-WAK-6
TEST(Waker, RenewingItForgetsWhatWasPrepared) {
  weft::testing::run([] {
    Doorbell forgotten;
    Doorbell bell;
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(forgotten);
    EXPECT_EQ(&waker.renew(), &waker) << "it is the same one, used again";
    EXPECT_TRUE(waker.empty());
    EXPECT_EQ(forgotten.references(), 1U);
    EXPECT_EQ(forgotten.subscribers(), 0U);
    waker.resume_when(bell);
    auto ringer = weft::spawn([&] {
      forgotten.ring();
      EXPECT_EQ(weft::stats().queued, 0U);
      bell.ring();
    });
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 0);
    weft::await(ringer);
  });
}

// R-WAK-6
TEST(Waker, InspectingItLeavesItUntouched) {
  weft::testing::run([] {
    Doorbell bell;
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(bell);
    EXPECT_EQ(&my_waker(), &waker);
    EXPECT_EQ(my_waker().size(), 1U);
    waker.renew();
  });
}

// R-WAK-15
TEST(Waker, ACoroutineThatIsNotSuspendedCannotBeResumed) {
  weft::testing::run([] {
    try {
      weft::resume(weft::current().base());
      ADD_FAILURE() << "nothing thrown";
    } catch (const weft::MisuseError& error) {
      EXPECT_STREQ(error.what(), "Cannot resume a coroutine that has not been suspended");
    }
    EXPECT_EQ(my_waker().status(), Status::none);
    EXPECT_EQ(weft::stats().queued, 0U);
  });
}

// R-WAK-15
TEST(Waker, ASuspendedCoroutineCanBeResumedWithoutAnEvent) {
  Log log;
  weft::testing::run([&] {
    Doorbell never;
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(never);
      weft::suspend(waker);
      log.push_back("resumed by " + std::to_string(waker.triggered()));
    });
    weft::testing::settle();
    weft::resume(coroutine.base());
    weft::await(coroutine);
    EXPECT_EQ(never.subscribers(), 0U);
  });
  EXPECT_EQ(log, (Log{"resumed by -1"}));
}

// R-WAK-16
TEST(Waker, SuspendingWithNothingToWaitForReturnsAtOnce) {
  Log log;
  weft::testing::run([&] {
    auto other = weft::spawn([&] { log.push_back("other"); });
    const auto before = weft::stats();
    weft::suspend(my_waker().renew());
    log.push_back("main");
    EXPECT_EQ(weft::stats().switches, before.switches);
    EXPECT_EQ(my_waker().status(), Status::none);
    weft::await(other);
  });
  EXPECT_EQ(log, (Log{"main", "other"})) << "it did not even yield";
}

}  // namespace waker_test
