#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "failures.hpp"
#include "support.hpp"

// An object is destroyed while coroutines wait for it: their waits throw an error that names the
// object, and do not access it any more.
namespace destroyed_test {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::expect_all_schedules;
using weft_test::is;
using weft_test::Log;
using weft_test::require;
using weft_test::text;

/// A mutex that is locked: each caller of wait() waits, and grant() lets one through. The structs
/// below do the same with the other primitives.
struct MutexUse {
  static constexpr const char* name = "Mutex";
  weft::Mutex object;
  void occupy() { object.lock(); }
  void wait() {
    const std::lock_guard lock{object};
    weft::suspend();
  }
  void grant() { object.unlock(); }
};
struct SharedMutexUse {
  static constexpr const char* name = "SharedMutex";
  weft::SharedMutex object;
  bool writes = false;
  void occupy() { object.lock(); }
  void wait() {
    writes = !writes;
    if (writes) {
      const std::lock_guard lock{object};
    } else {
      object.lock_shared();
      object.unlock_shared();
    }
  }
  void grant() { object.unlock(); }
};
struct SemaphoreUse {
  static constexpr const char* name = "Semaphore";
  weft::Semaphore object{0};
  void occupy() {}
  void wait() { object.acquire(); }
  void grant() { object.release(); }
};
struct WaitGroupUse {
  static constexpr const char* name = "WaitGroup";
  weft::WaitGroup object;
  void occupy() { object.add(); }
  void wait() { object.wait(); }
  void grant() { object.done(); }
};
struct BarrierUse {
  static constexpr const char* name = "Barrier";
  weft::Barrier object{3};
  void occupy() {}
  void wait() { object.arrive_and_wait(); }
  void grant() {
    try {
      if (object.waiting() == 2) object.arrive_and_wait(weft::timeout(1ms));
    } catch (const weft::OperationCancelled&) {  // one of the two was cancelled
    }
  }
};
struct ConditionUse {
  static constexpr const char* name = "ConditionVariable";
  weft::Mutex mutex;
  weft::ConditionVariable object;
  void occupy() {}
  void wait() {
    std::unique_lock lock{mutex};
    object.wait(lock);
  }
  void grant() { object.notify_one(); }
};
struct OnceUse {
  static constexpr const char* name = "Once";
  weft::Once object;
  void occupy() {}
  void wait() {
    object.call([] { weft::delay(1ms); });
  }
  void grant() {}
};
struct RateLimiterUse {
  static constexpr const char* name = "RateLimiter";
  weft::RateLimiter object{1, 1h};
  void occupy() { object.acquire(); }
  void wait() { object.acquire(); }
  void grant() {}
};

template <class Use>
class DestroyedTest : public ::testing::Test {};
using Uses = ::testing::Types<MutexUse, SharedMutexUse, SemaphoreUse, WaitGroupUse, BarrierUse,
                              ConditionUse, OnceUse, RateLimiterUse>;
TYPED_TEST_SUITE(DestroyedTest, Uses);

/// Whether the object of a scenario exists: coroutines that start after its end do not use it.
class Life {
 public:
  Life() = default;
  ~Life() { end(); }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
  void end() noexcept { *alive_ = false; }
  /// A body that calls `wait` and expects that the object is destroyed meanwhile.
  template <class Error = weft::ObjectDestroyed, class F>
  auto user(F wait) const {
    return [alive = alive_, wait] {
      if (!*alive) return;
      try {
        wait();
      } catch (const Error&) {
      }
    };
  }

 private:
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

template <class Use>
void destroyed_while_two_wait() {
  Life life;
  auto use = std::make_unique<Use>();
  use->occupy();
  for (int i = 0; i < 2; ++i) weft::spawn(life.user([waits = use.get()] { waits->wait(); }));
  weft::suspend();
  life.end();
  use.reset();
}

// An object that is destroyed wakes its waiters; trap 1, trap 5
TYPED_TEST(DestroyedTest, WakesTwoWaitersUnderEverySchedule) {
  expect_all_schedules(destroyed_while_two_wait<TypeParam>);
}

template <class Use>
void destroyed_while_one_is_cancelled() {
  Life life;
  auto use = std::make_unique<Use>();
  use->occupy();
  const auto waits = life.user([waits = use.get()] { waits->wait(); });
  auto first = weft::spawn(waits);
  auto second = weft::spawn(waits);
  weft::suspend();
  first.cancel();
  life.end();
  use.reset();
}

TYPED_TEST(DestroyedTest, WakesOneBesideACancelledOneUnderEverySchedule) {
  expect_all_schedules(destroyed_while_one_is_cancelled<TypeParam>);
}

// A granted waiter goes on, unless it needs the object again.
template <class Use>
void destroyed_after_a_grant() {
  Life life;
  auto use = std::make_unique<Use>();
  use->occupy();
  const auto waits = life.user([waits = use.get()] { waits->wait(); });
  auto first = weft::spawn(waits);
  auto second = weft::spawn(waits);
  weft::suspend();
  use->grant();
  life.end();
  use.reset();
  first.cancel();
}

TYPED_TEST(DestroyedTest, ReleasesAGrantedWaiterUnderEverySchedule) {
  expect_all_schedules(destroyed_after_a_grant<TypeParam>);
}

TYPED_TEST(DestroyedTest, NamesTheObjectAndWhereItWasMade) {
  weft::testing::run([] {
    auto use = std::make_unique<TypeParam>();
    use->occupy();
    auto first = weft::spawn([&] { use->wait(); });
    auto second = weft::spawn([&] { use->wait(); });
    weft::suspend();
    use.reset();
    const auto error = error_of([&] { weft::await(second); });
    ASSERT_TRUE(is<weft::ObjectDestroyed>(error)) << text(error);
    EXPECT_EQ(text(error).find(std::string{TypeParam::name} + " created at "), 0U) << text(error);
    EXPECT_NE(text(error).find("destroyed_test.cpp:"), std::string::npos) << text(error);
    (void)error_of([&] { weft::await(first); });
  });
}

TEST(DestroyedTest, AlsoWakesAWaitWithAToken) {
  weft::testing::run([] {
    auto mutex = std::make_unique<weft::Mutex>();
    mutex->lock();
    auto waiter = weft::spawn([&] { mutex->lock(weft::timeout(1h)); });
    weft::suspend();
    mutex.reset();
    const auto error = error_of([&] { weft::await(waiter); });
    EXPECT_TRUE(is<weft::ObjectDestroyed>(error)) << text(error);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// The coroutine that arrives last destroys the barrier; the others were released before.
TEST(DestroyedTest, LeavesCoroutinesAloneThatWereLetThrough) {
  weft::testing::run([] {
    Log log;
    {
      weft::Barrier barrier{2};
      weft::WaitGroup group;
      group.add();
      weft::Semaphore semaphore{0};
      weft::spawn([&] {
        barrier.arrive_and_wait();
        log.push_back("barrier");
      });
      weft::spawn([&] {
        group.wait();
        log.push_back("group");
      });
      weft::spawn([&] {
        semaphore.acquire();
        log.push_back("semaphore");
      });
      weft::testing::settle();
      barrier.arrive_and_wait();
      group.done();
      semaphore.release();
    }
    weft::testing::settle();
    EXPECT_EQ(log, (Log{"barrier", "group", "semaphore"}));
  });
}

// The error of a waiter that is not awaited ends the program with the name of the object.
TEST(DestroyedTest, EndsTheProgramWithTheNameOfWhatWasDestroyed) {
  const auto error = error_of([] {
    weft::testing::run([] {
      weft::Semaphore semaphore{0};
      weft::spawn([&] { semaphore.acquire(); });
      weft::suspend();
    });
  });
  EXPECT_TRUE(is<weft::ObjectDestroyed>(error)) << text(error);
}

// The mutex is destroyed with its condition variable: the lock of the waiter releases it.
TEST(DestroyedTest, TakesTheLockOfAConditionAlong) {
  weft::testing::run([] {
    auto use = std::make_unique<ConditionUse>();
    bool owned = true;
    auto waiter = weft::spawn([&] {
      std::unique_lock lock{use->mutex};
      try {
        use->object.wait(lock);
      } catch (const weft::ObjectDestroyed&) {
        owned = lock.owns_lock();
        throw;
      }
    });
    weft::suspend();
    use.reset();
    EXPECT_TRUE(is<weft::ObjectDestroyed>(error_of([&] { weft::await(waiter); })));
    EXPECT_FALSE(owned);
  });
}

TEST(DestroyedTest, LocksTheMutexOfAConditionAgainIfOnlyThatWasDestroyed) {
  weft::testing::run([] {
    weft::Mutex mutex;
    auto condition = std::make_unique<weft::ConditionVariable>();
    bool owned = false;
    auto waiter = weft::spawn([&] {
      std::unique_lock lock{mutex};
      try {
        condition->wait(lock);
      } catch (const weft::ObjectDestroyed&) {
        owned = lock.owns_lock() && mutex.is_mine();
        throw;
      }
    });
    weft::suspend();
    condition.reset();
    EXPECT_TRUE(is<weft::ObjectDestroyed>(error_of([&] { weft::await(waiter); })));
    EXPECT_TRUE(owned);
    EXPECT_FALSE(mutex.is_locked());
  });
}

// The destructors of a channel and a pool close them: waiters get ChannelClosed or PoolClosed.
template <class Error, class Make, class Wait>
void expect_closed(Make make, Wait wait) {
  weft::testing::run([&] {
    auto object = make();
    auto first = weft::spawn([&] { wait(*object); });
    auto second = weft::spawn([&] { wait(*object); });
    weft::suspend();
    first.cancel();
    object.reset();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(first); })));
    EXPECT_TRUE(is<Error>(error_of([&] { weft::await(second); })));
  });
}

TEST(DestroyedTest, ClosesAChannelAndAPool) {
  expect_closed<weft::ChannelClosed>([] { return std::make_unique<weft::Channel<int>>(); },
                                     [](auto& channel) { (void)channel.recv(); });
  expect_closed<weft::ChannelClosed>([] { return std::make_unique<weft::Channel<int>>(); },
                                     [](auto& channel) { channel.send(1); });
  weft::testing::run([] {
    weft::PoolOptions<int> options;
    options.max = 1;
    options.create = [] { return 1; };
    auto pool = std::make_unique<weft::Pool<int>>(std::move(options));
    auto lease = pool->acquire();
    auto first = weft::spawn([&] { (void)pool->acquire(); });
    auto second = weft::spawn([&] { (void)pool->acquire(); });
    weft::suspend();
    first.cancel();
    pool.reset();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(first); })));
    EXPECT_TRUE(is<weft::PoolClosed>(error_of([&] { weft::await(second); })));
  });
}

void channel_destroyed_while_two_wait() {
  Life life;
  auto channel = std::make_unique<weft::Channel<int>>(1);
  for (int i = 0; i < 2; ++i) {
    weft::spawn(
        life.user<weft::ChannelClosed>([channel = channel.get()] { (void)channel->recv(); }));
  }
  weft::suspend();
  (void)channel->try_send(1);  // wakes one receiver
  life.end();
  channel.reset();
}

TEST(DestroyedExploreTest, AChannelWakesTwoReceivers) {
  expect_all_schedules(channel_destroyed_while_two_wait);
}

void pool_destroyed_while_two_wait() {
  Life life;
  weft::PoolOptions<int> options;
  options.max = 1;
  options.create = [] { return 1; };
  auto pool = std::make_unique<weft::Pool<int>>(std::move(options));
  {
    auto lease = pool->acquire();
    for (int i = 0; i < 2; ++i) {
      weft::spawn(life.user<weft::PoolClosed>([pool = pool.get()] {
        auto mine = pool->acquire();
        weft::suspend();
      }));
    }
    weft::suspend();
  }
  life.end();
  pool.reset();
}

TEST(DestroyedExploreTest, APoolWakesTwoWaiters) {
  expect_all_schedules(pool_destroyed_while_two_wait);
}

}  // namespace destroyed_test
