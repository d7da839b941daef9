#include <mutex>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(MutexTest, KeepsOthersOutUntilItIsUnlocked) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    auto holder = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      log.emplace_back("first in");
      weft::delay(1ms);
      log.emplace_back("first out");
    });
    auto other = weft::spawn([&] {
      const std::unique_lock lock{mutex};
      EXPECT_TRUE(mutex.is_mine());
      log.emplace_back("second in");
    });
    weft::await(holder);
    weft::await(other);
    EXPECT_FALSE(mutex.is_locked());
    EXPECT_EQ(log, (Log{"first in", "first out", "second in"}));
  });
}

// trap 4
TEST(MutexTest, ServesInTheOrderOfArrivalAlsoWhenOneLeaves) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    mutex.lock();
    std::vector<weft::Coroutine<void>> line;
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      line.push_back(weft::spawn([&, name] {
        const std::lock_guard lock{mutex};
        log.emplace_back(name);
      }));
    }
    weft::testing::settle();
    EXPECT_EQ(mutex.waiting(), 5U);
    line[1].cancel();
    weft::testing::settle();
    EXPECT_EQ(mutex.waiting(), 4U);
    mutex.unlock();
    for (std::size_t i : {0U, 2U, 3U, 4U}) weft::await(line[i]);
    EXPECT_EQ(log, (Log{"a", "c", "d", "e"}));
  });
}

// trap 5
TEST(MutexTest, DoesNotLetAnOwnerThatUnlocksAndLocksAgainOvertake) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    mutex.lock();
    auto waiter = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      log.emplace_back("waiter");
    });
    weft::testing::settle();
    mutex.unlock();
    EXPECT_FALSE(mutex.try_lock());
    mutex.lock();
    log.emplace_back("again");
    mutex.unlock();
    weft::await(waiter);
    EXPECT_EQ(log, (Log{"waiter", "again"}));
  });
}

// trap 3
TEST(MutexTest, IsNotTakenByANewcomerOnceItIsGranted) {
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    auto waiter = weft::spawn([&] {
      mutex.lock();
      mutex.unlock();
    });
    weft::testing::settle();
    mutex.unlock();
    EXPECT_FALSE(mutex.try_lock()) << "it belongs to the waiter, who has not run yet";
    weft::await(waiter);
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  });
}

// trap 1
TEST(MutexTest, GoesToTheNextIfTheOneItWasGrantedToIsCancelled) {
  weft::testing::run([] {
    Log log;
    weft::Mutex mutex;
    mutex.lock();
    auto first = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      log.emplace_back("first");
    });
    auto second = weft::spawn([&] {
      const std::lock_guard lock{mutex};
      log.emplace_back("second");
    });
    weft::testing::settle();
    mutex.unlock();
    first.cancel();
    weft::await(second);
    EXPECT_TRUE(first.is_cancelled());
    EXPECT_FALSE(mutex.is_locked());
    EXPECT_EQ(log, (Log{"second"}));
  });
}

TEST(MutexTest, GivesUpWhenATokenComesFirst) {
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    auto waiter = weft::spawn([&] {
      const std::exception_ptr error = error_of([&] { mutex.lock(weft::timeout(5ms)); });
      EXPECT_TRUE(is<weft::OperationCancelled>(error));
      EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    });
    weft::await(waiter);
    EXPECT_EQ(mutex.waiting(), 0U);
    mutex.unlock();
    Doorbell fired;
    fired.close();
    mutex.lock(fired);  // a free mutex is locked even if the token has fired
    mutex.unlock();
  });
}

TEST(MutexTest, RefusesToBeLockedTwiceByItsOwner) {
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    EXPECT_FALSE(mutex.try_lock());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { mutex.lock(); })));
    EXPECT_TRUE(mutex.is_mine());
    mutex.unlock();
    EXPECT_FALSE(mutex.is_locked());
  });
}

TEST(MutexDeathTest, AbortsWhenWhatIsNotLockedIsUnlocked) {
  EXPECT_DEATH(weft::testing::run([] {
                 weft::Mutex mutex;
                 mutex.unlock();
               }),
               "unlock\\(\\) of a mutex that is not locked");
}

TEST(MutexDeathTest, AbortsWhenAnotherThanTheOwnerUnlocks) {
  EXPECT_DEATH(weft::testing::run([] {
                 weft::Mutex mutex;
                 mutex.lock();
                 weft::await(weft::spawn([&] { mutex.unlock(); }));
               }),
               "by another coroutine than the one that locked it");
}

TEST(MutexTest, WorksOutsideARuntimeWhileNoWaitIsNeeded) {
  weft::Mutex mutex;
  {
    const std::lock_guard lock{mutex};
    EXPECT_TRUE(mutex.is_mine());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { mutex.lock(); })));
    weft::testing::run([&] { EXPECT_FALSE(mutex.is_mine()); });
  }
  EXPECT_FALSE(mutex.is_locked());
}

TEST(MutexTest, WorksWithScopedLocksOfTwo) {
  weft::testing::run([] {
    weft::Mutex a;
    weft::Mutex b;
    int inside = 0;
    const auto work = [&](weft::Mutex& first, weft::Mutex& second) {
      for (int i = 0; i < 3; ++i) {
        const std::scoped_lock both{first, second};
        EXPECT_EQ(inside++, 0);
        weft::suspend();
        --inside;
      }
    };
    auto one = weft::spawn([&] { work(a, b); });
    auto two = weft::spawn([&] { work(b, a); });
    weft::await(one);
    weft::await(two);
  });
}

}  // namespace
