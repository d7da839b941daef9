#include <gtest/gtest.h>

#include "pool_support.hpp"

namespace {

using weft::Lease;
using weft::Pool;
using weft_test::error_of;
using weft_test::Factory;
using weft_test::is;
using weft_test::text;
using namespace std::chrono_literals;

TEST(PoolLeaseTest, ReturnsEachResourceToThePoolItCameFrom) {
  Factory ours;
  Factory foreign;
  weft::testing::run([&] {
    Pool<int> one{ours.options(1, 1)};
    Pool<int> two{foreign.options(1, 1)};
    Lease<int> lease = one.acquire();
    lease = two.acquire();  // gives back the resource it held
    EXPECT_EQ(one.idle(), 1U);
    EXPECT_EQ(two.idle(), 0U);
    lease.release();
    EXPECT_EQ(two.idle(), 1U);
    EXPECT_EQ(one.size(), 1U);
    EXPECT_EQ(two.size(), 1U);
  });
}

TEST(PoolLeaseTest, RefusesToBeUsedOnceItHoldsNothing) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    Lease<int> lease = pool.acquire();
    EXPECT_TRUE(lease);
    lease.release();
    EXPECT_FALSE(lease);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { lease.release(); })));
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { static_cast<void>(*lease); })));
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { static_cast<void>(lease.operator->()); })));
    EXPECT_EQ(pool.idle(), 1U);
    lease = pool.acquire();
    const Lease<int> moved = std::move(lease);
    EXPECT_EQ(pool.active(), 1U);
  });
}

// R-RPL-7, trap 21
TEST(PoolLeaseTest, MayOutliveItsPoolAndItsRuntime) {
  Factory factory;
  std::optional<Lease<int>> kept;
  weft::testing::run([&] {
    std::optional<Lease<int>> lease;
    {
      Pool<int> pool{factory.options(0, 2)};
      lease = pool.acquire();
      kept = pool.acquire();
    }
    EXPECT_EQ(**lease, 1);
    lease.reset();
    EXPECT_EQ(factory.destroyed, (std::vector<int>{1}));
  });
  kept.reset();
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-4, trap 11
TEST(PoolLeaseTest, GivesBackDuringACancellationThoughTheHooksSuspend) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(0, 1);
    options.before_release = [](int&) {
      weft::delay(1ms);
      throw std::runtime_error{"broken"};
      return false;
    };
    options.destroy = [&](int& number) {
      weft::delay(1ms);
      factory.destroy(number);
    };
    Pool<int> pool{std::move(options)};
    auto holder = weft::spawn([&] {
      const auto lease = pool.acquire();
      weft::delay(1h);
    });
    weft::testing::settle();
    auto waiter = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    holder.cancel("enough");
    weft::testing::settle();
    holder.cancel("again");
    EXPECT_EQ(weft::await(waiter), 2);
    EXPECT_EQ(text(error_of([&] { weft::await(holder); })), "cancelled: enough");
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-4, trap 11
TEST(PoolLeaseTest, DoesNotReplaceAnErrorInFlight) {
  weft::testing::run(
      [] {
        Pool<int> pool{{.max = 1,
                        .create = [] { return 1; },
                        .destroy = [](int&) { throw std::runtime_error{"from destroy"}; },
                        .before_release = [](int&) -> bool {
                          weft::suspend();
                          throw std::runtime_error{"from the hook"};
                        }}};
        auto other = weft::spawn([] {
          try {
            throw std::runtime_error{"another's"};
          } catch (...) {
            weft::suspend();
          }
        });
        const auto error = error_of([&] {
          const auto lease = pool.acquire();
          throw std::runtime_error{"the first"};
        });
        EXPECT_EQ(text(error), "the first");
        EXPECT_EQ(pool.size(), 0U);
      },
      weft_test::quiet());
}

TEST(PoolLeaseTest, ShieldsAReleaseAndThrowsTheCancellationAfterIt) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(0, 1);
    options.before_release = [](int&) {
      weft::delay(1ms);
      return true;
    };
    Pool<int> pool{std::move(options)};
    bool released = false;
    auto holder = weft::spawn([&] {
      auto lease = pool.acquire();
      lease.release();
      released = true;
      weft::suspend();
      ADD_FAILURE() << "the next suspension throws";
    });
    weft::testing::settle();
    holder.cancel();
    weft::delay(2ms);
    EXPECT_TRUE(released);
    EXPECT_TRUE(holder.is_cancelled());
    EXPECT_EQ(pool.idle(), 1U);
  });
}

TEST(PoolLeaseTest, MayBeDroppedWithItsPoolByAHookOfItsRelease) {
  Factory factory;
  weft::testing::run([&] {
    std::unique_ptr<Pool<int>> pool;
    std::optional<Lease<int>> lease;
    auto options = factory.options(0, 1);
    options.before_release = [&](int&) {
      lease.reset();
      pool.reset();
      return true;
    };
    pool = std::make_unique<Pool<int>>(std::move(options));
    lease = pool->acquire();
    lease->release();
    EXPECT_FALSE(lease);
  });
}

}  // namespace
