#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace {

using weft_test::Allocations;
using namespace std::chrono_literals;

/// How many allocations a hundred calls of `step` make while two partners do the same. Ten calls
/// before may allocate memory that is kept.
template <class F>
std::uint64_t allocations_among_three(F step) {
  std::uint64_t allocations = 0;
  weft::testing::run([&] {
    bool stop = false;
    const auto partner = [&] {
      while (!stop) step();
    };
    auto one = weft::spawn(partner);
    auto two = weft::spawn(partner);
    for (int i = 0; i < 10; ++i) step();
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) step();
    allocations = Allocations::count() - before;
    stop = true;
    one.cancel();
    two.cancel();
  });
  return allocations;
}

TEST(LockAllocationTest, IsNotMadeByAContendedMutex) {
  weft::Mutex mutex;
  std::size_t most = 0;
  EXPECT_EQ(allocations_among_three([&] {
              const std::lock_guard lock{mutex};
              most = std::max(most, mutex.waiting());
              weft::suspend();
            }),
            0U);
  EXPECT_EQ(most, 2U) << "it was contended";
}

TEST(LockAllocationTest, IsNotMadeByAContendedSharedMutex) {
  weft::SharedMutex mutex;
  EXPECT_EQ(allocations_among_three([&] {
              {
                const std::unique_lock lock{mutex};
                weft::suspend();
              }
              const std::shared_lock lock{mutex};
              weft::suspend();
            }),
            0U);
}

TEST(LockAllocationTest, IsNotMadeByAContendedSemaphore) {
  weft::Semaphore semaphore{1};
  struct Permit {
    weft::Semaphore& semaphore;
    ~Permit() { semaphore.release(); }
  };
  EXPECT_EQ(allocations_among_three([&] {
              semaphore.acquire();
              const Permit permit{semaphore};
              weft::suspend();
            }),
            0U);
}

TEST(LockAllocationTest, IsNotMadeByAConditionVariable) {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  EXPECT_EQ(allocations_among_three([&] {
              std::unique_lock lock{mutex};
              if (changed.waiting() < 2) {
                changed.wait(lock);
              } else {
                changed.notify_all();
              }
            }),
            0U);
}

TEST(LockAllocationTest, IsNotMadeByBarriersWaitGroupsAndOnce) {
  weft::Barrier barrier{3};
  EXPECT_EQ(allocations_among_three([&] { barrier.arrive_and_wait(); }), 0U);
  weft::WaitGroup group;
  EXPECT_EQ(allocations_among_three([&] {
              group.add();
              weft::suspend();
              group.done();
              group.wait();
            }),
            0U);
  EXPECT_EQ(allocations_among_three([&] {
              static weft::Once once;
              once.call([] { weft::suspend(); });
              weft::suspend();
            }),
            0U);
}

TEST(LockAllocationTest, IsNotMadeByAContendedRateLimiter) {
  weft::RateLimiter limiter{2, 1ms};
  EXPECT_EQ(allocations_among_three([&] { limiter.acquire(); }), 0U);
}

}  // namespace
