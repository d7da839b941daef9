#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "base/assert.hpp"

// Two or three users of each lock under every schedule, with a canceller in the scenario and with a
// cancellation at every suspension. The destructor of the shared state asserts what must hold at
// the end.
namespace lock_explore_test {

using weft::testing::Cancel;
using weft_test::AtEnd;
using weft_test::expect_all_schedules;
using weft_test::Inside;
using weft_test::require;
using namespace std::chrono_literals;

struct MutexUse {
  weft::Mutex mutex;
  int inside = 0;
  ~MutexUse() {
    WEFT_ASSERT(!mutex.is_locked() && mutex.waiting() == 0, "the mutex is free in the end");
  }
  void use() {
    const std::lock_guard lock{mutex};
    const Inside here{inside, 1};
    weft::suspend();
  }
};

// trap 1, trap 3
TEST(LockExploreTest, ThreeUseAMutex) {
  expect_all_schedules([] {
    auto state = std::make_shared<MutexUse>();
    for (int i = 0; i < 3; ++i) weft::spawn([state] { state->use(); });
  });
}

// trap 1, trap 5
TEST(LockExploreTest, TwoUseAMutexTwiceAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<MutexUse>();
    auto a = weft::spawn([state] {
      state->use();
      state->use();
    });
    weft::spawn([state] {
      state->use();
      state->use();
    });
    weft::spawn([a] {
      weft::suspend();
      a.cancel();
    });
  });
}

// trap 1
TEST(LockExploreTest, TwoUseAMutexAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<MutexUse>();
    auto a = weft::spawn([state] { state->use(); });
    auto b = weft::spawn([state] { state->use(); });
    weft::spawn([a] { a.cancel(); });
  });
}

TEST(LockExploreTest, TwoUseAMutexWithTimeouts) {
  expect_all_schedules([] {
    auto state = std::make_shared<MutexUse>();
    for (int i = 0; i < 2; ++i) {
      weft::spawn([state] {
        try {
          state->mutex.lock(weft::timeout(1ms));
        } catch (const weft::OperationCancelled&) {
          return;
        }
        const std::lock_guard lock{state->mutex, std::adopt_lock};
        const Inside here{state->inside, 1};
        weft::delay(1ms);
      });
    }
  });
}

struct SharedUse {
  weft::SharedMutex mutex;
  int readers = 0;
  int writers = 0;
  ~SharedUse() {
    WEFT_ASSERT(!mutex.is_locked() && mutex.readers() == 0 && mutex.waiting() == 0,
                "the shared mutex is free in the end");
  }
  void read() {
    const std::shared_lock lock{mutex};
    const Inside here{readers, 2};
    require(writers == 0, "no writer beside readers");
    weft::suspend();
    require(writers == 0, "no writer beside readers");
  }
  void write() {
    const std::unique_lock lock{mutex};
    const Inside here{writers, 1};
    require(readers == 0, "no readers beside a writer");
    weft::suspend();
    require(readers == 0, "no readers beside a writer");
  }
};

// trap 1, trap 3
TEST(LockExploreTest, TwoReadAndOneWrites) {
  expect_all_schedules([] {
    auto state = std::make_shared<SharedUse>();
    weft::spawn([state] { state->read(); });
    weft::spawn([state] { state->write(); });
    weft::spawn([state] { state->read(); });
  });
}

TEST(LockExploreTest, OneReadsOneWritesAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<SharedUse>();
    weft::spawn([state] { state->read(); });
    auto writer = weft::spawn([state] { state->write(); });
    weft::spawn([writer] { writer.cancel(); });
  });
}

struct SemaphoreUse {
  explicit SemaphoreUse(int permits) : semaphore{permits}, permits_{permits} {}
  weft::Semaphore semaphore;
  int inside = 0;
  ~SemaphoreUse() {
    WEFT_ASSERT(semaphore.available() == static_cast<std::size_t>(permits_),
                "no permit is lost or made");
  }
  void use() {
    semaphore.acquire();
    const AtEnd release{[this] { semaphore.release(); }};
    const Inside here{inside, permits_};
    weft::suspend();
  }

 private:
  int permits_;
};

// trap 1, trap 3
TEST(LockExploreTest, ThreeUseASemaphoreOfTwo) {
  expect_all_schedules([] {
    auto state = std::make_shared<SemaphoreUse>(2);
    for (int i = 0; i < 3; ++i) weft::spawn([state] { state->use(); });
  });
}

TEST(LockExploreTest, TwoUseASemaphoreAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<SemaphoreUse>(1);
    auto a = weft::spawn([state] { state->use(); });
    weft::spawn([state] { state->use(); });
    weft::spawn([a] { a.cancel(); });
  });
}

/// Each put() makes one thing and calls notify_one(): as many takers go on as things were made,
/// unless they were cancelled.
struct Store {
  weft::Mutex mutex;
  weft::ConditionVariable changed;
  int things = 0;
  int taken = 0;
  int takers = 2;
  ~Store() {
    WEFT_ASSERT(!mutex.is_locked(), "the mutex is free in the end");
    WEFT_ASSERT(changed.waiting() == 0, "no waiter is left");
  }
  void put() {
    ++things;  // may run while a stack unwinds, so without the lock; no other coroutine runs in
               // between
    changed.notify_one();
  }
  void take() {
    std::unique_lock lock{mutex};
    changed.wait(lock, [&] { return things > 0; });
    require(mutex.is_mine(), "the mutex is ours after the wait");
    --things;
    ++taken;
  }
};

// trap 1: a notification that meets a cancellation must reach the other taker
TEST(LockExploreTest, TwoTakeWhatTwoPut) {
  expect_all_schedules([] {
    auto store = std::make_shared<Store>();
    for (int i = 0; i < 2; ++i) weft::spawn([store] { store->take(); });
    for (int i = 0; i < 2; ++i) {
      weft::spawn([put = AtEnd{[store] { store->put(); }}] {});
    }
  });
}

TEST(LockExploreTest, OneThingIsTakenByTheWaiterThatIsNotCancelled) {
  expect_all_schedules(
      [] {
        auto store = std::make_shared<Store>();
        auto a = weft::spawn([store] { store->take(); });
        auto b = weft::spawn([store] { store->take(); });
        weft::spawn([store, a] {
          store->put();
          a.cancel();
        });
        try {
          weft::await(a);
          store->put();  // a has taken a thing: make one for b
        } catch (const weft::Cancelled&) {
        }
        weft::await(b);  // a lost notification is a deadlock here
      },
      Cancel::nowhere);
}

TEST(LockExploreTest, AMutexIsHeldAfterEveryEndOfAWait) {
  expect_all_schedules([] {
    auto store = std::make_shared<Store>();
    weft::spawn([store] {
      std::unique_lock lock{store->mutex};
      try {
        store->changed.wait(lock, weft::timeout(1ms));
      } catch (const weft::OperationCancelled&) {
      } catch (const weft::Cancelled&) {
      }
      require(store->mutex.is_mine(), "the mutex is ours after the wait, however it ended");
    });
    weft::spawn([store] {
      const std::lock_guard lock{store->mutex};
      weft::suspend();
      store->changed.notify_all();
      weft::suspend();
    });
  });
}

struct GroupUse {
  weft::WaitGroup group;
  ~GroupUse() { WEFT_ASSERT(group.count() == 0, "all are done in the end"); }
};

TEST(LockExploreTest, TwoWaitForTwoOfAGroup) {
  expect_all_schedules([] {
    auto state = std::make_shared<GroupUse>();
    state->group.add(2);
    for (int i = 0; i < 2; ++i) {
      weft::spawn([done = AtEnd{[state] { state->group.done(); }}] { weft::suspend(); });
    }
    auto waiter = weft::spawn([state] {
      state->group.wait();
      require(state->group.count() == 0, "nothing is under way after the wait");
    });
    weft::spawn([waiter] { waiter.cancel(); });
  });
}

struct Meeting {
  weft::Barrier barrier{2};
  int arrived = 0;
  ~Meeting() { WEFT_ASSERT(barrier.waiting() == 0, "no waiter is left at the barrier"); }
};

TEST(LockExploreTest, TwoMeetAtABarrierTwice) {
  expect_all_schedules(
      [] {
        auto state = std::make_shared<Meeting>();
        for (int i = 0; i < 2; ++i) {
          weft::spawn([state] {
            for (int round = 1; round <= 2; ++round) {
              ++state->arrived;
              state->barrier.arrive_and_wait();
              require(state->arrived >= 2 * round, "no coroutine goes on before both have arrived");
              weft::suspend();
            }
          });
        }
      },
      Cancel::nowhere);
}

TEST(LockExploreTest, AWaiterCancelledAtABarrierHasNotArrived) {
  expect_all_schedules([] {
    auto state = std::make_shared<Meeting>();
    const auto meet = [state] {
      try {
        state->barrier.arrive_and_wait(weft::timeout(1ms));
      } catch (const weft::OperationCancelled&) {  // a partner was cancelled
      }
    };
    auto cancelled = weft::spawn(meet);
    weft::spawn([cancelled] { cancelled.cancel(); });
    for (int i = 0; i < 2; ++i) weft::spawn(meet);
  });
}

struct OnceUse {
  weft::Once once;
  int running = 0;
  int done = 0;
  void call() {
    once.call([this] {
      const Inside here{running, 1};
      weft::suspend();
      ++done;
    });
    require(done == 1, "the call is made once, before any coroutine goes on");
  }
};

// trap 1, trap 7
TEST(LockExploreTest, ThreeCallOnce) {
  expect_all_schedules([] {
    auto state = std::make_shared<OnceUse>();
    for (int i = 0; i < 3; ++i) weft::spawn([state] { state->call(); });
  });
}

TEST(LockExploreTest, TwoCallOnceAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<OnceUse>();
    auto a = weft::spawn([state] { state->call(); });
    weft::spawn([state] { state->call(); });
    weft::spawn([a] { a.cancel(); });
  });
}

struct LimiterUse {
  weft::RateLimiter limiter{1, 1ms};
  weft::TimePoint last{};
  ~LimiterUse() { WEFT_ASSERT(limiter.waiting() == 0, "no waiter is left"); }
  void go() {
    limiter.acquire();
    require(weft::now() - last >= 1ms, "no two within the span");
    last = weft::now();
  }
};

// trap 1
TEST(LockExploreTest, TwoGoThroughALimiterAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<LimiterUse>();
    auto a = weft::spawn([state] { state->go(); });
    weft::spawn([state] { state->go(); });
    weft::spawn([state, a] {
      state->go();
      a.cancel();
    });
  });
}

}  // namespace lock_explore_test
