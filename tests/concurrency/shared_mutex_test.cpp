#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(SharedMutexTest, LetsReadersInTogetherAndWritersAlone) {
  weft::testing::run([] {
    Log log;
    weft::SharedMutex mutex;
    const auto read = [&](const char* name) {
      const std::shared_lock lock{mutex};
      log.push_back(std::string{name} + " in");
      weft::delay(1ms);
      log.push_back(std::string{name} + " out");
    };
    auto a = weft::spawn([&] { read("a"); });
    auto b = weft::spawn([&] { read("b"); });
    auto w = weft::spawn([&] {
      const std::unique_lock lock{mutex};
      EXPECT_EQ(mutex.readers(), 0U);
      EXPECT_FALSE(mutex.try_lock_shared());
      log.emplace_back("w");
    });
    weft::await(a);
    weft::await(b);
    weft::await(w);
    EXPECT_EQ(log, (Log{"a in", "b in", "a out", "b out", "w"}));
    EXPECT_TRUE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock());
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock_shared());
    EXPECT_FALSE(mutex.try_lock());
    mutex.unlock_shared();
  });
}

// trap 3, trap 4
TEST(SharedMutexTest, LetsNoReaderOvertakeAWaitingWriter) {
  weft::testing::run([] {
    Log log;
    weft::SharedMutex mutex;
    mutex.lock_shared();
    auto writer = weft::spawn([&] {
      const std::unique_lock lock{mutex};
      log.emplace_back("writer");
    });
    auto reader = weft::spawn([&] {
      const std::shared_lock lock{mutex};
      log.emplace_back("reader");
    });
    weft::testing::settle();
    EXPECT_FALSE(mutex.try_lock_shared());
    EXPECT_EQ(mutex.waiting(), 2U);
    mutex.unlock_shared();
    weft::await(reader);
    weft::await(writer);
    EXPECT_EQ(log, (Log{"writer", "reader"}));
  });
}

TEST(SharedMutexTest, LetsReadersGoOnWhenTheWriterBeforeThemLeaves) {
  weft::testing::run([] {
    weft::SharedMutex mutex;
    mutex.lock_shared();
    auto writer = weft::spawn([&] { mutex.lock(); });
    int in = 0;
    auto read = [&] {
      const std::shared_lock lock{mutex};
      ++in;
    };
    auto a = weft::spawn(read);
    auto b = weft::spawn(read);
    weft::testing::settle();
    EXPECT_EQ(in, 0);
    writer.cancel();
    weft::testing::settle();
    EXPECT_EQ(in, 2);
    EXPECT_EQ(mutex.readers(), 1U);
    mutex.unlock_shared();
  });
}

// trap 1
TEST(SharedMutexTest, IsHandedOnByWaitersCancelledAfterTheGrant) {
  weft::testing::run([] {
    weft::SharedMutex mutex;
    mutex.lock();
    auto reader = weft::spawn([&] { mutex.lock_shared(); });
    auto writer = weft::spawn([&] { mutex.lock(); });
    auto last = weft::spawn([&] {
      mutex.lock_shared();
      mutex.unlock_shared();
    });
    weft::testing::settle();
    mutex.unlock();  // the reader is granted
    reader.cancel();
    weft::suspend();  // the cancelled reader hands the lock to the writer
    EXPECT_TRUE(reader.is_cancelled());
    EXPECT_TRUE(mutex.is_locked());
    writer.cancel();
    weft::await(last);
    EXPECT_FALSE(mutex.is_locked());
    EXPECT_EQ(mutex.readers(), 0U);
  });
}

TEST(SharedMutexTest, RefusesToLetTheWriterWaitForItself) {
  weft::testing::run([] {
    weft::SharedMutex mutex;
    mutex.lock();
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { mutex.lock(); })));
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { mutex.lock_shared(); })));
    mutex.unlock();
  });
}

TEST(SharedMutexTest, GivesUpWhenATokenComesFirst) {
  weft::testing::run([] {
    weft::SharedMutex mutex;
    mutex.lock_shared();
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { mutex.lock(weft::timeout(1ms)); })));
    EXPECT_EQ(mutex.waiting(), 0U);
    mutex.unlock_shared();
    mutex.lock();
    weft::await(weft::spawn([&] {
      EXPECT_TRUE(
          is<weft::OperationCancelled>(error_of([&] { mutex.lock_shared(weft::timeout(1ms)); })));
    }));
    mutex.unlock();
  });
}

TEST(SharedMutexDeathTest, AbortsWhenWhatIsNotHeldIsUnlocked) {
  weft::SharedMutex mutex;
  EXPECT_DEATH(mutex.unlock(), "no writer has locked");
  EXPECT_DEATH(mutex.unlock_shared(), "no reader has locked");
  EXPECT_DEATH(weft::testing::run([] {
                 weft::SharedMutex other;
                 other.lock();
                 weft::await(weft::spawn([&] { other.unlock(); }));
               }),
               "by another coroutine than the one that locked it");
}

}  // namespace
