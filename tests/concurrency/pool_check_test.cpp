#include <gtest/gtest.h>

#include "pool_support.hpp"

namespace {

using weft::Pool;
using weft_test::error_of;
using weft_test::Factory;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

weft::PoolOptions<int> checked(Factory& factory, int min, int max,
                               weft::Function<bool(int&)> healthy) {
  auto options = factory.options(min, max);
  options.healthy = std::move(healthy);
  options.check_every = 10ms;
  return options;
}

// R-RPL-8
TEST(PoolCheckTest, ChecksIdleOnesOnlyAndReplacesBadOnesBelowTheMinimum) {
  for (const bool throws : {true, false}) {
    Factory factory;
    weft::testing::run([&] {
      std::vector<int> seen;
      Pool<int> pool{checked(factory, 2, 4, [&](int& number) {
        seen.push_back(number);
        if (number == 2 && throws) throw std::runtime_error{"dead"};
        return number != 2;
      })};
      const auto lease = pool.acquire();
      EXPECT_EQ(*lease, 1);
      weft::delay(15ms);
      EXPECT_EQ(seen, (std::vector<int>{2}));
      EXPECT_EQ(factory.destroyed, (std::vector<int>{2}));
      EXPECT_EQ(pool.size(), 2U) << "replaced";
      weft::delay(10ms);
      EXPECT_EQ(seen, (std::vector<int>{2, 3}));
    });
  }
}

// R-RPL-8
TEST(PoolCheckTest, DoesNotReplaceWhatIsAboveTheMinimum) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{checked(factory, 1, 3, [&](int& number) { return number == 1; })};
    {
      const auto a = pool.acquire();
      const auto b = pool.acquire();
      const auto c = pool.acquire();
    }
    EXPECT_EQ(pool.idle(), 3U);
    weft::delay(15ms);
    EXPECT_EQ(pool.idle(), 1U);
    EXPECT_EQ(factory.alive, (std::set<int>{1}));
  });
}

// R-RPL-8, trap 7
TEST(PoolCheckTest, WakesAWaiterAfterABadOneWasDestroyed) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{checked(factory, 1, 1, [&](int& number) {
      weft::delay(5ms);
      return number != 1;
    })};
    weft::delay(11ms);
    EXPECT_EQ(pool.active(), 1U) << "a resource being checked counts as active";
    EXPECT_EQ(*pool.acquire(), 2);
  });
}

// R-RPL-8
TEST(PoolCheckTest, GivesAWaiterTheOneThatWasChecked) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{checked(factory, 1, 1, [&](int&) {
      weft::delay(5ms);
      return true;
    })};
    weft::delay(11ms);
    EXPECT_EQ(*pool.acquire(), 1);
  });
}

// R-RPL-8: a check that hangs blocks its own resource only
TEST(PoolCheckTest, IsNotHeldUpByACheckThatHangs) {
  Factory factory;
  weft::testing::run([&] {
    std::vector<int> seen;
    Pool<int> pool{checked(factory, 2, 3, [&](int& number) {
      seen.push_back(number);
      if (number == 1) weft::delay(24h);
      return true;
    })};
    weft::delay(15ms);
    EXPECT_EQ(pool.active(), 1U);
    EXPECT_EQ(*pool.acquire(), 2) << "the other resources are lent";
    weft::delay(10ms);
    EXPECT_EQ(seen, (std::vector<int>{1, 2})) << "it is checked in the next round";
    const auto start = weft::now();
    pool.close();
    EXPECT_LT(weft::now() - start, 1ms);
    EXPECT_EQ(pool.size(), 0U) << "closing ends the check";
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-8, trap 19
TEST(PoolCheckTest, KeepsNoProgramAliveAndHidesNoDeadlock) {
  Factory factory;
  auto pool = std::unique_ptr<Pool<int>>{};
  weft::testing::run([&] {
    pool = std::make_unique<Pool<int>>(checked(factory, 1, 1, [](int&) { return true; }));
  });
  EXPECT_EQ(pool->idle(), 1U);
  pool.reset();
  EXPECT_TRUE(factory.alive.empty());
  auto options = weft_test::quiet();
  options.deadlock_report = false;
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          Pool<int> other{checked(factory, 0, 1, [](int&) { return true; })};
          const auto lease = other.acquire();
          static_cast<void>(other.acquire());
        },
        std::move(options));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error));
}

// R-RPL-7, R-RPL-8, trap 22
TEST(PoolCheckTest, HasEndedWhenThePoolIsGone) {
  weft::testing::run([] {
    Log log;
    {
      Pool<int> pool{{.min = 1,
                      .create = [] { return 1; },
                      .destroy =
                          [&](int&) {
                            weft::delay(1ms);
                            log.emplace_back("destroyed");
                          },
                      .healthy =
                          [&](int&) {
                            weft::delay(24h);
                            return true;
                          },
                      .check_every = 10ms}};
      weft::delay(15ms);
    }
    log.emplace_back("gone");
    EXPECT_EQ(log, (Log{"destroyed", "gone"}));
  });
}

// R-RPL-7, R-RPL-8
TEST(PoolCheckTest, MayCloseThePoolItself) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int>* where = nullptr;
    Pool<int> pool{checked(factory, 2, 2, [&](int&) {
      where->close();
      return true;
    })};
    where = &pool;
    weft::delay(15ms);
    EXPECT_TRUE(pool.is_closed());
    EXPECT_EQ(pool.size(), 0U);
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-7, R-RPL-8
TEST(PoolCheckTest, StopsWhenThePoolCloses) {
  Factory factory;
  weft::testing::run([&] {
    int looks = 0;
    Pool<int> pool{checked(factory, 1, 1, [&](int&) {
      ++looks;
      return true;
    })};
    weft::delay(15ms);
    EXPECT_EQ(looks, 1);
    pool.close();
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    weft::delay(50ms);
    EXPECT_EQ(looks, 1);
  });
}

// R-RPL-8
TEST(PoolCheckTest, WarnsWhenABrokenOneCannotBeReplaced) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        int made = 0;
        Pool<int> pool{{.min = 1,
                        .max = 1,
                        .create =
                            [&] {
                              if (++made == 2) throw std::runtime_error{"no route"};
                              return made;
                            },
                        .healthy = [](int&) { return false; },
                        .check_every = 10ms}};
        weft::delay(15ms);
        EXPECT_EQ(pool.size(), 0U);
        EXPECT_EQ(*pool.acquire(), 3);
      },
      weft_test::collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("no route"), std::string::npos);
}

}  // namespace
