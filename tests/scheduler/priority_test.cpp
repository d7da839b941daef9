#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::Log;
using namespace std::chrono_literals;

constexpr weft::SpawnOptions high{.priority = weft::Priority::high};

// R-PRI-1
TEST(PriorityTest, KnowsNormalAndHigh) {
  EXPECT_EQ(static_cast<int>(weft::Priority::normal), 0);
  EXPECT_EQ(static_cast<int>(weft::Priority::high), 255);
  weft::testing::run([] {
    EXPECT_EQ(weft::spawn([] {}).base().priority(), weft::Priority::normal);
    EXPECT_EQ(weft::spawn(high, [] {}).base().priority(), weft::Priority::high);
  });
}

// R-PRI-2
TEST(PriorityTest, PutsHighAtTheHeadAndNormalAtTheTail) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] { log.push_back("normal 1"); });
    weft::spawn([&] { log.push_back("normal 2"); });
    weft::spawn(high, [&] { log.push_back("high"); });
    weft::spawn([&] { log.push_back("normal 3"); });
  });
  EXPECT_EQ(log, (Log{"high", "normal 1", "normal 2", "normal 3"}));
}

// R-PRI-3
TEST(PriorityTest, RunsHighOnesInTheReverseOrderOfEnqueueing) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] { log.push_back("normal"); });
    weft::spawn(high, [&] { log.push_back("high 1"); });
    weft::spawn(high, [&] { log.push_back("high 2"); });
    weft::spawn(high, [&] { log.push_back("high 3"); });
  });
  EXPECT_EQ(log, (Log{"high 3", "high 2", "high 1", "normal"}));
}

// R-PRI-2, R-PRI-3
TEST(PriorityTest, TakesTheHeadWhereverTheRingBeginsAndHoweverFullItIs) {
  std::vector<int> order;
  weft::testing::run([&] {
    for (int i = 0; i < 100; ++i) weft::spawn([&order, i] { order.push_back(i); });
    for (int i = 0; i < 200; ++i) weft::spawn(high, [&order, i] { order.push_back(-1 - i); });
  });
  std::vector<int> expected;
  for (int i = 199; i >= 0; --i) expected.push_back(-1 - i);
  for (int i = 0; i < 100; ++i) expected.push_back(i);
  EXPECT_EQ(order, expected);
}

// R-PRI-4
TEST(PriorityTest, IsHonouredWhenACoroutineIsWoken) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::spawn(high, [&] {
      weft::await(bell);
      log.push_back("high");
    });
    weft::suspend();
    weft::spawn([&] { log.push_back("normal 1"); });
    weft::spawn([&] { log.push_back("normal 2"); });
    bell.ring();
  });
  EXPECT_EQ(log, (Log{"high", "normal 1", "normal 2"}));
}

// R-PRI-4
TEST(PriorityTest, IsHonouredWhenATimerWakesACoroutine) {
  Log log;
  weft::testing::run([&] {
    weft::spawn(high, [&] {
      weft::delay(10ms);
      log.push_back("high");
    });
    weft::suspend();
    weft::spawn([&] { log.push_back("normal"); });
    weft::testing::advance(20ms);
    weft::suspend();  // in this pass the timer is due, and "normal" is in the queue
  });
  EXPECT_EQ(log, (Log{"high", "normal"}));
}

// R-PRI-4
TEST(PriorityTest, IsHonouredWhenACoroutineIsCancelled) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto victim = weft::spawn(high, [&] {
      try {
        weft::await(bell);
      } catch (const weft::Cancelled&) {
        log.push_back("high");
      }
    });
    weft::suspend();
    weft::spawn([&] { log.push_back("normal"); });
    victim.cancel();
  });
  EXPECT_EQ(log, (Log{"high", "normal"}));
}

// If a yield queued it at the head, the coroutine would run again and starve all others.
// R-PRI-4
TEST(PriorityTest, DoesNotKeepAYieldingCoroutineAtTheHead) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] { log.push_back("normal"); });
    weft::spawn(high, [&] {
      log.push_back("high 1");
      weft::suspend();
      log.push_back("high 2");
    });
  });
  EXPECT_EQ(log, (Log{"high 1", "normal", "high 2"}));
}

}  // namespace
