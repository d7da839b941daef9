#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

// The only awaiter of a coroutine is woken directly, without a callback. It must behave like all
// other awaiters.
namespace {

using weft_test::Doorbell;
using weft_test::Log;

weft::Coroutine<void> waiting_for(weft::Coroutine<void>& target, const char* name, Log& log) {
  return weft::spawn([&target, name, &log] {
    weft::await(target);
    log.push_back(name);
  });
}

// R-COR-10, R-CB-6
TEST(OnlyAwaiterTest, IsNotifiedFirstWhenOthersComeLater) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto first = waiting_for(target, "first", log);
    auto second = waiting_for(target, "second", log);
    auto third = waiting_for(target, "third", log);
    weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 3U);
    bell.ring();
    weft::await(third);
    EXPECT_EQ(log, (Log{"first", "second", "third"}));
  });
}

// R-WAK-12
TEST(OnlyAwaiterTest, IsForgottenWhenItIsCancelled) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] {
      weft::await(bell);
      return 7;
    });
    auto gone = weft::spawn([&] { weft::await(target); });
    weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 1U);
    gone.cancel();
    EXPECT_EQ(target.base().subscribers(), 0U) << "at once, not when it runs";
    weft::suspend();
    EXPECT_TRUE(gone.is_cancelled());
    auto next = weft::spawn([&] { log.push_back(std::to_string(weft::await(target))); });
    weft::suspend();
    bell.ring();
    weft::await(next);
    EXPECT_EQ(log, (Log{"7"}));
  });
}

// R-CAN-6
TEST(OnlyAwaiterTest, IsCancelledThoughTheEndHasWokenIt) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto waiter = weft::spawn([&] { weft::await(target); });
    weft::suspend();
    bell.ring();
    weft::suspend();  // the target ends, and the waiter is queued behind this coroutine
    EXPECT_TRUE(target.is_completed());
    EXPECT_TRUE(waiter.is_queued());
    waiter.cancel();
    weft::suspend();
    EXPECT_TRUE(waiter.is_cancelled());
  });
}

// R-WAK-5, R-COR-8
TEST(OnlyAwaiterTest, GetsTheErrorAndAnswersForIt) {
  weft::testing::run([] {
    Doorbell bell;
    auto waiter = weft::spawn([&] {
      auto target = weft::spawn([&] {
        weft::await(bell);
        throw std::runtime_error{"lost"};
      });
      EXPECT_THROW(weft::await(target), std::runtime_error);
    });
    weft::suspend();
    weft::suspend();
    bell.ring();
    weft::await(waiter);  // the failure counts as handled: run() does not throw
  });
}

// R-WAK-2
TEST(OnlyAwaiterTest, IsLentTheResult) {
  weft::testing::run([] {
    auto target = weft::spawn([] { return 7; });
    weft::await(target);
    EXPECT_EQ(weft::current().base().waker().triggered(), 0);
    const void* lent = weft::current().base().waker().value();
    EXPECT_EQ(lent, static_cast<const void*>(&*target.typed().stored()));
  });
}

// The registry keeps the coroutine until it has notified its awaiters.
TEST(OnlyAwaiterTest, NeedsNoOtherHandleOfTheCoroutine) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    weft::CoroutineBase& base = target.base();
    auto waiter = weft::spawn([&] { base.await_end({}); });
    weft::suspend();
    target = {};
    bell.ring();
    weft::await(waiter);
  });
}

// A wait that reads the result keeps the coroutine alive.
TEST(OnlyAwaiterTest, GetsTheResultThoughTheHandleIsDroppedMeanwhile) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] {
      weft::await(bell);
      return std::string(100, 'x');
    });
    weft::AnyCoroutine any = target;
    auto typed = weft::spawn([&] { return weft::await(target); });
    auto untyped = weft::spawn([&] { weft::await(any); });
    weft::suspend();
    target = {};
    any = {};
    bell.ring();
    weft::await(untyped);
    EXPECT_EQ(weft::await(typed), std::string(100, 'x'));
  });
}

// R-COR-10
TEST(OnlyAwaiterTest, GetsTheErrorThoughTheHandleIsDroppedMeanwhile) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] {
      weft::await(bell);
      throw std::runtime_error{"lost"};
    });
    auto waiter = weft::spawn([&] { EXPECT_THROW(weft::await(target), std::runtime_error); });
    weft::suspend();
    target = {};
    bell.ring();
    weft::await(waiter);
  });
}

// A handle may move while a coroutine waits with it.
TEST(OnlyAwaiterTest, MayWaitWithAHandleInAVectorThatGrows) {
  weft::testing::run([] {
    Doorbell bell;
    std::vector<weft::AnyCoroutine> handles;
    handles.push_back(weft::spawn([&] { weft::await(bell); }));
    auto waiter = weft::spawn([&] { weft::await(handles.front()); });
    weft::suspend();
    for (int i = 0; i < 100; ++i) handles.push_back(weft::spawn([] {}));
    bell.ring();
    weft::await(waiter);
  });
}

// R-COR-10, R-WAK-12: some awaiters leave; the remaining and the new ones are notified.
TEST(OnlyAwaiterTest, MayComeAfterOthersHaveGone) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto first = waiting_for(target, "first", log);
    auto second = waiting_for(target, "second", log);
    weft::suspend();
    first.cancel();
    weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 1U) << "only the second awaiter is left";
    second.cancel();
    weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 0U);
    auto third = waiting_for(target, "third", log);
    weft::suspend();
    auto fourth = waiting_for(target, "fourth", log);
    weft::suspend();
    third.cancel();
    bell.ring();
    weft::await(fourth);
    EXPECT_EQ(log, (Log{"fourth"}));
    EXPECT_EQ(target.base().subscribers(), 0U);
  });
}

// R-CB-6: callbacks are called too, in their order.
TEST(OnlyAwaiterTest, SharesTheEndWithACallbackThatComesLater) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto waiter = weft::spawn([&] {
      weft::await(target);
      log.push_back("waiter");
    });
    weft::suspend();
    weft_test::Call call{[&](weft::Event&, const weft::Outcome&) { log.push_back("callback"); }};
    weft_test::Call gone{[&](weft::Event&, const weft::Outcome&) { log.push_back("gone"); }};
    EXPECT_TRUE(target.base().add_callback(call));
    EXPECT_TRUE(target.base().add_callback(gone));
    EXPECT_TRUE(target.base().remove_callback(gone));
    bell.ring();
    weft::await(waiter);
    EXPECT_EQ(log, (Log{"callback", "waiter"}));
    EXPECT_EQ(gone.disposed(), 1);
    target.base().remove_callback(call);
  });
}

// R-SWH-1, R-COR-8: switch handlers run before the awaiters are notified, and may cancel them.
TEST(OnlyAwaiterTest, MayBeCancelledByAHandlerOfTheEnd) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto waiter = weft::spawn([&] { weft::await(target); });
    weft::suspend();
    target.add_switch_handler([&](weft::Switch what) {
      if (what == weft::Switch::finish) waiter.cancel("by the handler");
      return true;
    });
    bell.ring();
    try {
      weft::await(waiter);
      ADD_FAILURE() << "it was cancelled";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_STREQ(cancelled.reason(), "by the handler");
    }
  });
}

// R-WAK-13: an awaiter that another coroutine has resumed is not notified of the end.
TEST(OnlyAwaiterTest, MayBeResumedByAnotherCoroutine) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto waiter = weft::spawn([&] {
      try {
        weft::await(target);
      } catch (const std::runtime_error& error) {
        log.push_back(error.what());
      }
      weft::await(target);
      log.push_back("ended");
    });
    weft::suspend();
    weft::resume(waiter.base(), std::make_exception_ptr(std::runtime_error{"resumed"}));
    EXPECT_EQ(target.base().subscribers(), 0U);
    weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 1U);
    bell.ring();
    weft::await(waiter);
    EXPECT_EQ(log, (Log{"resumed", "ended"}));
  });
}

// R-WAK-13
TEST(OnlyAwaiterTest, IsLeftAloneWhenItWaitsForSomethingElse) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    Doorbell other;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto waiter = weft::spawn([&] {
      EXPECT_THROW(weft::await(target), weft::Cancelled);
      weft::await(other);
      log.push_back("the other");
    });
    weft::suspend();
    waiter.cancel();
    weft::suspend();
    bell.ring();
    weft::testing::settle();
    EXPECT_TRUE(target.is_completed());
    EXPECT_TRUE(log.empty());
    other.ring();
    weft::testing::settle();
    EXPECT_EQ(log, (Log{"the other"}));
  });
}

// R-DLK-1: the deadlock report says what the awaiter waits for.
TEST(OnlyAwaiterTest, IsSeenByTheDeadlockReport) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::testing::run(
                   [] {
                     Doorbell bell;
                     auto target = weft::spawn({.name = "target"}, [&] { weft::await(bell); });
                     weft::await(target);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.front().find("waits for Coroutine"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.front().find("(target)"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.front().find("waits for Doorbell"), std::string::npos) << warnings.front();
}

// Two coroutines that wait for each other, and one that waits for itself.
TEST(OnlyAwaiterTest, MayWaitInACircle) {
  EXPECT_THROW(weft::testing::run(
                   [] {
                     weft::Coroutine<void> second;
                     auto first = weft::spawn([&] { weft::await(second); });
                     second = weft::spawn([&] { weft::await(first); });
                     auto alone = weft::spawn([] { weft::await(weft::current()); });
                     weft::await(alone);
                   },
                   weft_test::quiet()),
               weft::DeadlockError);
}

// R-EXC-3: if the awaiter is cancelled after the failure has woken it, its Cancelled has the
// failure as previous.
TEST(OnlyAwaiterTest, TakesTheErrorAlongWhenItIsCancelled) {
  weft::testing::run([] {
    Doorbell bell;
    auto target = weft::spawn([&] {
      weft::await(bell);
      throw std::runtime_error{"lost"};
    });
    auto waiter = weft::spawn([&] {
      try {
        weft::await(target);
        ADD_FAILURE() << "it failed";
      } catch (const weft::Cancelled& cancelled) {
        EXPECT_EQ(weft_test::text(cancelled.previous()), "lost");
      }
    });
    weft::suspend();
    bell.ring();
    weft::suspend();
    EXPECT_TRUE(target.is_completed());
    waiter.cancel();
    weft::await(waiter);
  });
}

}  // namespace
