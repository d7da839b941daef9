#include <cstdint>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace {

using weft_test::Allocations;

TEST(PoolAllocationTest, IsNotMadeToLendAndTakeBack) {
  weft::testing::run([] {
    weft::Pool<int> pool{{.min = 1, .max = 1, .create = [] { return 1; }}};
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) {
      const auto lease = pool.acquire();
    }
    EXPECT_EQ(Allocations::count() - before, 0U);
  });
}

TEST(PoolAllocationTest, IsNotMadeToHandOver) {
  weft::testing::run([] {
    weft::Pool<int> pool{{.max = 1,
                          .create = [] { return 1; },
                          .before_acquire = [](int&) { return true; },
                          .before_release = [](int&) { return true; }}};
    bool stop = false;
    std::size_t most = 0;
    const auto use = [&] {
      const auto lease = pool.acquire();
      most = std::max(most, pool.waiting());
      weft::suspend();
    };
    auto partner = weft::spawn([&] {
      while (!stop) use();
    });
    for (int i = 0; i < 10; ++i) use();
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) use();
    EXPECT_EQ(Allocations::count() - before, 0U);
    EXPECT_EQ(most, 1U) << "there was a waiter to hand over to";
    stop = true;
    weft::await(partner);
  });
}

// R-RPL-5, trap 7
TEST(PoolAllocationTest, LosesNoPlaceWhenThereIsNoMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  weft::testing::run([] {
    weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
    Allocations::fail_at(1);
    EXPECT_THROW(static_cast<void>(pool.acquire()), std::bad_alloc);
    Allocations::fail_never();
    EXPECT_EQ(pool.size(), 0U);
    EXPECT_EQ(*pool.acquire(), 1);
  });
}

// R-RPL-7, R-RPL-11: the waiters are refused, with std::bad_alloc if there is no memory for another
// error.
TEST(PoolAllocationTest, LeavesNoWaiterInTheQueueWhenThereIsNoMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  for (const bool closes : {true, false}) {
    weft::testing::run([&] {
      weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }}};
      const auto lease = pool.acquire();
      auto waiting =
          weft::spawn([&] { EXPECT_THROW(static_cast<void>(pool.acquire()), std::bad_alloc); });
      weft::testing::settle();
      Allocations::fail_at(1);
      closes ? pool.close() : pool.deactivate();
      EXPECT_TRUE(Allocations::failed());
      Allocations::fail_never();
      EXPECT_EQ(pool.waiting(), 0U);
      weft::await(waiting);
    });
  }
}

}  // namespace
