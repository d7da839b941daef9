#include <algorithm>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(RateLimiterTest, LetsNoMoreThroughInAnySpan) {
  weft::testing::run([] {
    weft::RateLimiter limiter{3, 10ms};
    std::vector<weft::TimePoint> through;
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(weft::spawn([&, i] {
        weft::delay(i * 1ms);
        limiter.acquire();
        through.push_back(weft::now());
      }));
    }
    for (auto& one : all) weft::await(one);
    ASSERT_EQ(through.size(), 10U);
    for (std::size_t i = 3; i < through.size(); ++i) EXPECT_GE(through[i] - through[i - 3], 10ms);
    EXPECT_LT(through.back() - through.front(), 33ms) << "and it does not wait longer than needed";
  });
}

// trap 4, trap 5
TEST(RateLimiterTest, ServesInTheOrderOfArrivalAlsoWhenTheHeadLeaves) {
  weft::testing::run([] {
    Log log;
    weft::RateLimiter limiter{1, 10ms};
    limiter.acquire();
    std::vector<weft::Coroutine<void>> line;
    for (const char* name : {"a", "b", "c"}) {
      line.push_back(weft::spawn([&, name] {
        limiter.acquire();
        log.emplace_back(name);
      }));
    }
    weft::testing::settle();
    EXPECT_EQ(limiter.waiting(), 3U);
    line[0].cancel();
    weft::delay(10ms);
    EXPECT_FALSE(limiter.try_acquire()) << "b was first";
    limiter.acquire();
    log.emplace_back("main");
    for (std::size_t i : {1U, 2U}) weft::await(line[i]);
    EXPECT_EQ(log, (Log{"b", "c", "main"}));
  });
}

// trap 1
TEST(RateLimiterTest, HandsTheTurnOfACancelledOneOn) {
  weft::testing::run([] {
    weft::RateLimiter limiter{1, 10ms};
    limiter.acquire();
    auto head = weft::spawn([&] { limiter.acquire(); });
    auto second = weft::spawn([&] { limiter.acquire(); });
    auto third = weft::spawn([&] { limiter.acquire(); });
    weft::testing::settle();
    const weft::TimePoint start = weft::now();
    head.cancel();
    weft::suspend();  // now the second waiter is at the head of the queue, and has not run yet
    second.cancel();
    weft::await(third);
    EXPECT_TRUE(second.is_cancelled());
    EXPECT_LE(weft::now() - start, 10ms);
    EXPECT_EQ(limiter.waiting(), 0U);
  });
}

TEST(RateLimiterTest, UsesNothingUpForAWaiterThatGivesUp) {
  weft::testing::run([] {
    weft::RateLimiter limiter{1, 10ms};
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_FALSE(limiter.try_acquire());
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { limiter.acquire(weft::timeout(2ms)); })));
    weft::delay(9ms);
    EXPECT_TRUE(limiter.try_acquire());
  });
}

TEST(RateLimiterTest, RefusesNumbersThatMakeNoSense) {
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::RateLimiter{0, 1s}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::RateLimiter{-1, 1s}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::RateLimiter{1, 0s}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::RateLimiter{1, -1s}; })));
}

}  // namespace
