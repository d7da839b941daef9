#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support.hpp"

// One who waits for the end of a coroutine alone, and for nothing else, is told in a shorter way.
// Nobody may see a difference.
namespace {

using weft_test::Doorbell;
using weft_test::Log;

// R-COR-10, R-CB-6
TEST(OnlyAwaiterTest, IsToldFirstWhenOthersComeLater) {
  weft::testing::run([] {
    Log log;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    const auto waiter = [&](const char* name) {
      return weft::spawn([&, name] {
        weft::await(target);
        log.push_back(name);
      });
    };
    auto first = waiter("first");
    auto second = waiter("second");
    auto third = waiter("third");
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
    weft::suspend();  // the target ends, and the waiter is queued behind us
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
    weft::await(waiter);  // and the runtime does not fail of it
  });
}

// R-WAK-2
TEST(OnlyAwaiterTest, IsLentTheResult) {
  weft::testing::run([] {
    auto target = weft::spawn([] { return 7; });
    weft::await(target);
    const void* lent = weft::current().base().waker().value();
    EXPECT_EQ(lent, static_cast<const void*>(&*target.typed().stored()));
  });
}

// The registry keeps it until it has told.
TEST(OnlyAwaiterTest, NeedsNobodyElseToHoldTheCoroutine) {
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

}  // namespace
