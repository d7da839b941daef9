#include <deque>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(ConditionVariableTest, WaitsWithTheMutexUnlockedAndReturnsWithItLocked) {
  weft::testing::run([] {
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    std::deque<int> queue;
    std::vector<int> got;
    auto consumer = weft::spawn([&] {
      for (int i = 0; i < 3; ++i) {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return !queue.empty(); });
        EXPECT_TRUE(mutex.is_mine());
        got.push_back(queue.front());
        queue.pop_front();
      }
    });
    for (int i = 0; i < 3; ++i) {
      weft::delay(1ms);
      const std::lock_guard lock{mutex};
      queue.push_back(i);
      changed.notify_one();
    }
    weft::await(consumer);
    EXPECT_EQ(got, (std::vector<int>{0, 1, 2}));
  });
}

// trap 4
TEST(ConditionVariableTest, WakesTheOldestFirstAndAllInOrder) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    std::vector<weft::Coroutine<void>> line;
    for (const char* name : {"a", "b", "c"}) {
      line.push_back(weft::spawn([&, name] {
        std::unique_lock lock{mutex};
        changed.wait(lock);
        log.emplace_back(name);
      }));
    }
    weft::testing::settle();
    changed.notify_one();
    weft::testing::settle();
    EXPECT_EQ(log, (Log{"a"}));
    changed.notify_all();
    for (auto& one : line) weft::await(one);
    EXPECT_EQ(log, (Log{"a", "b", "c"}));
    changed.notify_one();  // without a waiter the notification is not kept
    EXPECT_EQ(changed.waiting(), 0U);
  });
}

TEST(ConditionVariableTest, LocksAgainBeforeACancellationLeaves) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    auto waiter = weft::spawn([&] {
      std::unique_lock lock{mutex};
      try {
        changed.wait(lock);
      } catch (const weft::Cancelled&) {
        EXPECT_TRUE(lock.owns_lock());
        EXPECT_TRUE(mutex.is_mine());
        log.emplace_back("cancelled with the lock");
        throw;
      }
    });
    weft::testing::settle();
    mutex.lock();
    waiter.cancel();
    weft::testing::settle();
    waiter.cancel();  // a second cancellation does not end the wait for the mutex either
    weft::testing::settle();
    EXPECT_FALSE(waiter.is_completed());
    log.emplace_back("unlocking");
    mutex.unlock();
    weft::testing::settle();
    EXPECT_TRUE(waiter.is_cancelled());
    EXPECT_FALSE(mutex.is_locked());
    EXPECT_EQ(log, (Log{"unlocking", "cancelled with the lock"}));
  });
}

TEST(ConditionVariableTest, LocksAgainEvenWhenEverythingShutsDown) {
  Log log;
  weft::Mutex mutex;  // outlives main, which the shutdown cancels, too
  weft::ConditionVariable changed;
  weft::testing::run([&] {
    auto waiter = weft::spawn([&] {
      std::unique_lock lock{mutex};
      try {
        changed.wait(lock);
      } catch (const weft::Cancelled&) {
        log.emplace_back(mutex.is_mine() ? "waiter has the lock" : "waiter has no lock");
      }
    });
    weft::testing::settle();
    auto holder = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        weft::delay(1ms);
        log.emplace_back("holder leaves");
      }
    });
    weft::testing::settle();
    waiter.cancel();
    weft::testing::settle();  // it wants the mutex now
    weft::shutdown();
  });
  EXPECT_EQ(log, (Log{"holder leaves", "waiter has the lock"}));
}

TEST(ConditionVariableTest, KeepsACancellationThatMeetsTheRelockingForTheNextSuspension) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    auto waiter = weft::spawn([&] {
      std::unique_lock lock{mutex};
      changed.wait(lock);
      log.emplace_back("notified");
      weft::suspend();
      log.emplace_back("never");
    });
    weft::testing::settle();
    mutex.lock();
    changed.notify_one();
    weft::testing::settle();  // it wants the mutex now
    waiter.cancel();
    mutex.unlock();
    weft::testing::settle();
    EXPECT_TRUE(waiter.is_cancelled());
    EXPECT_EQ(log, (Log{"notified"}));
  });
}

// trap 1
TEST(ConditionVariableTest, HandsANotificationOnThatMetACancellation) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    const auto wait = [&](const char* name) {
      std::unique_lock lock{mutex};
      changed.wait(lock);
      log.emplace_back(name);
    };
    auto a = weft::spawn([&] { wait("a"); });
    auto b = weft::spawn([&] { wait("b"); });
    weft::testing::settle();
    changed.notify_one();
    a.cancel();
    weft::testing::settle();
    EXPECT_EQ(log, (Log{"b"}));
    EXPECT_TRUE(a.is_cancelled());
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST(ConditionVariableTest, WakesNoWaiterWithoutReasonWhenOneOfAllWasCancelled) {
  weft::testing::run([] {
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    const auto wait = [&] {
      std::unique_lock lock{mutex};
      changed.wait(lock);
    };
    auto a = weft::spawn(wait);
    weft::testing::settle();
    changed.notify_all();
    a.cancel();
    auto late = weft::spawn({.priority = weft::Priority::high}, wait);
    weft::testing::settle();
    EXPECT_TRUE(a.is_cancelled());
    EXPECT_FALSE(late.is_completed());
    changed.notify_one();
    weft::await(late);
  });
}

TEST(ConditionVariableTest, GivesUpWithTheLockWhenATokenComesFirst) {
  weft::testing::run([] {
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    std::unique_lock lock{mutex};
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { changed.wait(lock, weft::timeout(1ms)); })));
    EXPECT_TRUE(mutex.is_mine());
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] {
      changed.wait(
          lock, [] { return false; }, weft::timeout(1ms));
    })));
    EXPECT_TRUE(mutex.is_mine());
    EXPECT_EQ(changed.waiting(), 0U);
  });
}

TEST(ConditionVariableTest, RefusesALockThatIsNotHeld) {
  weft::testing::run([] {
    weft::Mutex mutex;
    weft::ConditionVariable changed;
    std::unique_lock lock{mutex, std::defer_lock};
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { changed.wait(lock); })));
    lock.lock();
    weft::await(weft::spawn(
        [&] { EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { changed.wait(lock); }))); }));
    EXPECT_TRUE(mutex.is_mine());
  });
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  std::unique_lock lock{mutex};
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { changed.wait(lock); })));
  EXPECT_TRUE(mutex.is_mine());
}

}  // namespace
