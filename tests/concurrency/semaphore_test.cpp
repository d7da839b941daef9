#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(SemaphoreTest, LetsAsManyInAsItHasPermits) {
  weft::testing::run([] {
    weft::Semaphore semaphore{2};
    int inside = 0;
    int most = 0;
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 6; ++i) {
      all.push_back(weft::spawn([&] {
        semaphore.acquire();
        most = std::max(most, ++inside);
        weft::delay(1ms);
        --inside;
        semaphore.release();
      }));
    }
    for (auto& one : all) weft::await(one);
    EXPECT_EQ(most, 2);
    EXPECT_EQ(semaphore.available(), 2U);
  });
}

// trap 3, trap 4, trap 5
TEST(SemaphoreTest, GivesPermitsInTheOrderOfArrival) {
  weft::testing::run([] {
    Log log;
    weft::Semaphore semaphore{0};
    std::vector<weft::Coroutine<void>> line;
    for (const char* name : {"a", "b", "c"}) {
      line.push_back(weft::spawn([&, name] {
        semaphore.acquire();
        log.emplace_back(name);
      }));
    }
    weft::testing::settle();
    semaphore.release();
    EXPECT_FALSE(semaphore.try_acquire()) << "it is reserved for a";
    semaphore.release(3);
    EXPECT_EQ(semaphore.available(), 1U);
    EXPECT_TRUE(semaphore.try_acquire());
    for (auto& one : line) weft::await(one);
    EXPECT_EQ(log, (Log{"a", "b", "c"}));
  });
}

// trap 1
TEST(SemaphoreTest, HandsThePermitOfACancelledOneOn) {
  weft::testing::run([] {
    weft::Semaphore semaphore{0};
    auto a = weft::spawn([&] { semaphore.acquire(); });
    auto b = weft::spawn([&] { semaphore.acquire(); });
    weft::testing::settle();
    semaphore.release();
    a.cancel();
    weft::await(b);
    EXPECT_EQ(semaphore.available(), 0U);
    auto c = weft::spawn([&] { semaphore.acquire(); });
    weft::testing::settle();
    semaphore.release();
    c.cancel();
    weft::testing::settle();
    EXPECT_EQ(semaphore.available(), 1U) << "no waiter was left to take it";
  });
}

TEST(SemaphoreTest, GivesUpWhenATokenComesFirst) {
  weft::testing::run([] {
    weft::Semaphore semaphore{0};
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { semaphore.acquire(weft::timeout(1ms)); })));
    EXPECT_EQ(semaphore.waiting(), 0U);
    semaphore.release();
    EXPECT_EQ(semaphore.available(), 1U);
  });
}

TEST(SemaphoreTest, RefusesNumbersThatMakeNoSense) {
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::Semaphore{-1}; })));
  weft::Semaphore semaphore{0};
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { semaphore.release(0); })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { semaphore.release(-1); })));
  EXPECT_EQ(semaphore.available(), 0U);
}

}  // namespace
