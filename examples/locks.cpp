// Locks: they suspend the coroutine instead of the thread, and serve in the order of arrival.
//
// They work with the guards of the standard library. A waiting coroutine can be cancelled, or give
// up when a token fires.

#include <chrono>
#include <deque>
#include <iostream>
#include <mutex>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

// One at a time, though it suspends inside.
void one_at_a_time() {
  weft::Mutex mutex;
  weft::with_scope([&](weft::Scope& scope) {
    for (const char* name : {"ann", "bob"}) {
      scope.spawn([&, name] {
        const std::lock_guard lock{mutex};
        std::cout << name << " writes";
        weft::delay(1ms);
        std::cout << ", and is done\n";
      });
    }
  });
}

void give_up() {
  weft::Mutex mutex;
  weft::with_scope([&](weft::Scope& scope) {
    auto holder = scope.spawn([&] {
      const std::lock_guard lock{mutex};
      weft::delay(1h);
    });
    weft::suspend();
    try {
      mutex.lock(weft::timeout(50ms));
      mutex.unlock();
    } catch (const weft::TimedOut&) {
      std::cout << "the other coroutine has held the lock for too long\n";
    }
    holder.cancel();
    const std::lock_guard lock{mutex};
    std::cout << "a cancelled holder lets go\n";
  });
}

// A queue of two places.
void produce_and_consume() {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  std::deque<int> queue;
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] {
      for (int i = 1; i <= 4; ++i) {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return queue.size() < 2; });
        queue.push_back(i);
        changed.notify_all();
      }
    });
    for (int i = 0; i < 4; ++i) {
      std::unique_lock lock{mutex};
      changed.wait(lock, [&] { return !queue.empty(); });
      std::cout << "got " << queue.front() << "\n";
      queue.pop_front();
      changed.notify_all();
    }
  });
}

void not_too_fast() {
  weft::RateLimiter limiter{2, 100ms};
  const weft::TimePoint start = weft::now();
  for (int i = 0; i < 5; ++i) limiter.acquire();
  std::cout << "five calls took " << (weft::now() - start) / 100ms * 100 << " ms\n";
}

}  // namespace

int main() {
  weft::testing::run([] {  // on a clock that jumps instead of waiting
    one_at_a_time();
    give_up();
    produce_and_consume();
    not_too_fast();
  });
}

// Prints:
//   ann writes, and is done
//   bob writes, and is done
//   the other coroutine has held the lock for too long
//   a cancelled holder lets go
//   got 1
//   got 2
//   got 3
//   got 4
//   five calls took 200 ms
