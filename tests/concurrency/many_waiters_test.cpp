#include <functional>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

// A waiter leaves its queue without a search: with one, these tests would take billions of steps
// and exceed their time limit.
namespace many_waiters_test {

using weft_test::Doorbell;

constexpr int many = 50'000;

void stand_in_line(const std::function<void()>& enter,
                   const std::function<void(std::vector<weft::Coroutine<void>>&)>& act) {
  weft::testing::run([&] {
    std::vector<weft::Coroutine<void>> line;
    for (int i = 0; i < many; ++i) {
      line.push_back(weft::spawn([&] {
        try {
          enter();
        } catch (const weft::OperationCancelled&) {
        }
      }));
    }
    weft::testing::settle();
    act(line);
    weft::testing::settle();
    for (const auto& one : line) ASSERT_TRUE(one.is_completed());
  });
}

// trap 27, trap 31
TEST(StressManyWaitersTest, LeaveALockOneByOneFromTheTail) {
  weft::Semaphore semaphore{0};
  stand_in_line([&] { semaphore.acquire(); },
                [](auto& line) {
                  for (std::size_t i = line.size(); i > 0; --i) line[i - 1].cancel();
                });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 9, trap 31
TEST(StressManyWaitersTest, LeaveALockWhenTheTokenTheyShareFires) {
  weft::Semaphore semaphore{0};
  Doorbell token;
  stand_in_line([&] { semaphore.acquire(token); }, [&](auto&) { token.ring(); });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 31
TEST(StressManyWaitersTest, AreAllWokenAtOnce) {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  stand_in_line(
      [&] {
        std::unique_lock lock{mutex};
        changed.wait(lock);
      },
      [&](auto&) { changed.notify_all(); });
}

// trap 27: a receiver that is served leaves the queue of the other channel.
TEST(StressManyWaitersTest, ChooseBetweenTwoMeetings) {
  weft::Channel<int> served;
  weft::Channel<int> idle;
  stand_in_line(
      [&] { weft::select(weft::on_recv(served, [](int) {}), weft::on_send(idle, 1, [] {})); },
      [&](auto& line) {
        for (std::size_t i = 0; i < line.size(); ++i) served.send(1);
      });
  EXPECT_TRUE(idle.is_empty());
}

}  // namespace many_waiters_test
