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

void with_queue(const std::function<void()>& enter,
                const std::function<void(std::vector<weft::Coroutine<void>>&)>& act) {
  weft::testing::run([&] {
    std::vector<weft::Coroutine<void>> queue;
    for (int i = 0; i < many; ++i) {
      queue.push_back(weft::spawn([&] {
        try {
          enter();
        } catch (const weft::OperationCancelled&) {
        }
      }));
    }
    weft::testing::settle();
    act(queue);
    weft::testing::settle();
    for (const auto& one : queue) ASSERT_TRUE(one.is_completed());
  });
}

// trap 27, trap 31
TEST(StressManyWaitersTest, LeaveALockOneByOneFromTheTail) {
  weft::Semaphore semaphore{0};
  with_queue([&] { semaphore.acquire(); },
             [](auto& queue) {
               for (std::size_t i = queue.size(); i > 0; --i) queue[i - 1].cancel();
             });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 9, trap 31
TEST(StressManyWaitersTest, LeaveALockWhenTheTokenTheyShareFires) {
  weft::Semaphore semaphore{0};
  Doorbell token;
  with_queue([&] { semaphore.acquire(token); }, [&](auto&) { token.ring(); });
  EXPECT_EQ(semaphore.waiting(), 0U);
}

// trap 31
TEST(StressManyWaitersTest, AreAllWokenAtOnce) {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  with_queue(
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
  with_queue(
      [&] { weft::select(weft::on_recv(served, [](int) {}), weft::on_send(idle, 1, [] {})); },
      [&](auto& queue) {
        for (std::size_t i = 0; i < queue.size(); ++i) served.send(1);
      });
  EXPECT_TRUE(idle.is_empty());
}

}  // namespace many_waiters_test
