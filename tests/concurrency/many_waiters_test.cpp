#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;

/// How long `act` takes when `number` coroutines stand in `enter`.
double seconds(int number, const std::function<void()>& enter,
               const std::function<void(std::vector<weft::Coroutine<void>>&)>& act) {
  double taken = 0;
  weft::testing::run([&] {
    std::vector<weft::Coroutine<void>> line;
    for (int i = 0; i < number; ++i) {
      line.push_back(weft::spawn([&] {
        try {
          enter();
        } catch (const weft::OperationCancelled&) {
        }
      }));
    }
    weft::testing::settle();
    const auto start = std::chrono::steady_clock::now();
    act(line);
    weft::testing::settle();
    taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  return taken;
}

/// Eight times as many take some eight times as long; a search for each would take sixty-four
/// times.
void expect_linear(const std::function<void()>& enter,
                   const std::function<void(std::vector<weft::Coroutine<void>>&)>& act) {
  double few = 1e9;
  double many = 1e9;
  for (int round = 0; round < 3; ++round) {
    few = std::min(few, seconds(2'000, enter, act));
    many = std::min(many, seconds(16'000, enter, act));
  }
  EXPECT_LT(many / few, 32);
}

// trap 27, trap 31
TEST(RealTimeManyWaitersTest, LeaveALockInLinearTimeWhenCancelled) {
  weft::Semaphore semaphore{0};
  expect_linear([&] { semaphore.acquire(); },
                [](auto& line) {
                  for (std::size_t i = line.size(); i > 0; --i) line[i - 1].cancel();
                });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 9, trap 31
TEST(RealTimeManyWaitersTest, LeaveALockInLinearTimeWhenTheTokenTheyShareFires) {
  weft::Semaphore semaphore{0};
  Doorbell token;
  expect_linear([&] { semaphore.acquire(token); }, [&](auto&) { token.ring(); });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 31
TEST(RealTimeManyWaitersTest, AreWokenInLinearTime) {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  expect_linear(
      [&] {
        std::unique_lock lock{mutex};
        changed.wait(lock);
      },
      [&](auto&) { changed.notify_all(); });
}

}  // namespace
