#include <gtest/gtest.h>

#include "pool_support.hpp"

namespace pool_test {

using weft::Lease;
using weft::Pool;
using weft_test::collecting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Factory;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;
using namespace std::chrono_literals;

struct Connection {
  int number = 0;
  int queries = 0;
  void query(const char*) { ++queries; }
  [[nodiscard]] static bool ping() { return true; }
};

Connection connect() { return {.number = 7}; }

// R-RPL-2
TEST(PoolTest, ReadsAsInTheManual) {
  weft::testing::run([] {
    Pool<Connection> pool{{.min = 1,
                           .max = 5,
                           .create = [] { return connect(); },
                           .healthy = [](Connection& c) { return c.ping(); },
                           .check_every = 30s}};
    EXPECT_EQ(pool.idle(), 1U);
    {
      auto connection = pool.acquire(weft::timeout(1s));
      connection->query("select 1");
      EXPECT_EQ((*connection).queries, 1);
      EXPECT_EQ(pool.active(), 1U);
    }
    EXPECT_EQ(pool.idle(), 1U);
    EXPECT_EQ(pool.active(), 0U);
  });
}

// R-RPL-1
TEST(PoolTest, MakesTheFirstOnesUpFront) {
  Factory factory;
  weft::testing::run([&] {
    const Pool<int> pool{factory.options(3, 5)};
    EXPECT_EQ(factory.made, 3);
    EXPECT_EQ(pool.idle(), 3U);
    EXPECT_EQ(pool.active(), 0U);
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-1
TEST(PoolTest, StopsMakingTheFirstOnesAtTheFirstFailure) {
  for (const bool throws : {true, false}) {
    int calls = 0;
    std::vector<std::string> warnings;
    weft::testing::run(
        [&] {
          const Pool<int> pool{{.min = 3, .create = [&]() -> std::optional<int> {
                                  if (++calls != 2) return calls;
                                  if (throws) throw std::runtime_error{"no route"};
                                  return std::nullopt;
                                }}};
          EXPECT_EQ(pool.idle(), 1U);
          EXPECT_EQ(pool.size(), 1U);
        },
        collecting(warnings));
    EXPECT_EQ(calls, 2);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find(throws ? "no route" : "Failed to create pool resource"),
              std::string::npos);
  }
}

// R-RPL-1
TEST(PoolTest, LeavesNothingBehindWhenCancelledWhileItMakesTheFirstOnes) {
  Factory factory;
  weft::testing::run([&] {
    auto maker = weft::spawn([&] {
      auto options = factory.options(2, 2);
      options.create = [&] {
        if (factory.made == 1) weft::delay(1h);
        return factory.make();
      };
      const Pool<int> pool{std::move(options)};
    });
    weft::testing::settle();
    maker.cancel();
    weft::testing::settle();
    EXPECT_TRUE(maker.is_cancelled());
  });
  EXPECT_EQ(factory.destroyed, (std::vector<int>{1}));
}

// R-RPL-1, trap 7, trap 13
TEST(PoolTest, NeverExceedsItsMaximumThoughMakingTakesTime) {
  int under_way = 0;
  int made = 0;
  weft::testing::run([&] {
    Pool<int> pool{{.max = 2, .create = [&] {
                      EXPECT_LE(++under_way + made, 2);
                      weft::delay(1ms);
                      --under_way;
                      return ++made;
                    }}};
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 6; ++i) {
      all.push_back(weft::spawn([&] {
        const auto lease = pool.acquire();
        EXPECT_LE(pool.size(), 2U);
        weft::delay(1ms);
      }));
    }
    weft::suspend();
    EXPECT_EQ(pool.active(), 2U) << "a resource being made counts";
    for (auto& one : all) weft::await(one);
    EXPECT_EQ(made, 2);
  });
}

// R-RPL-2
TEST(PoolTest, TakesAnIdleOneBeforeItMakesOneBeforeItWaits) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(1, 2)};
    auto first = pool.acquire();
    EXPECT_EQ(*first, 1);
    EXPECT_EQ(factory.made, 1);
    auto second = pool.acquire();
    EXPECT_EQ(*second, 2);
    auto third = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    EXPECT_EQ(pool.waiting(), 1U);
    EXPECT_EQ(third.awaiting(), (std::vector<std::string>{pool.describe()}));
    first.release();
    EXPECT_EQ(weft::await(third), 1);
    EXPECT_EQ(factory.made, 2);
  });
}

// R-RPL-2
TEST(PoolTest, ThrowsTimedOutItselfWhenTheWaitTakesTooLong) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    const auto lease = pool.acquire();
    const auto error = error_of([&] { static_cast<void>(pool.acquire(weft::timeout(5ms))); });
    EXPECT_TRUE(is<weft::TimedOut>(error));
    EXPECT_FALSE(is<weft::PoolClosed>(error));
    EXPECT_EQ(text(error), "Operation has been cancelled by timeout");
    EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    EXPECT_EQ(pool.waiting(), 0U);
    Doorbell bell;
    auto other = weft::spawn([&] {
      const auto by_bell = error_of([&] { static_cast<void>(pool.acquire(bell)); });
      EXPECT_TRUE(is<weft::OperationCancelled>(by_bell));
      EXPECT_FALSE(is<weft::TimedOut>(by_bell));
    });
    weft::testing::settle();
    bell.ring();
    weft::await(other);
  });
}

// R-RPL-2, R-RPL-7
TEST(PoolTest, FailsWhenClosed) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(1, 1)};
    pool.close();
    const auto error = error_of([&] { static_cast<void>(pool.acquire()); });
    EXPECT_TRUE(is<weft::PoolClosed>(error));
    EXPECT_EQ(text(error), "Pool is closed");
    EXPECT_FALSE(pool.try_acquire());
    EXPECT_TRUE(pool.is_closed());
  });
}

// R-RPL-3
TEST(PoolTest, DestroysWhatTheHookRejectsAndTriesTheNext) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(3, 3);
    std::vector<int> asked;
    Pool<int>* where = nullptr;
    options.before_acquire = [&](int& number) {
      asked.push_back(number);
      EXPECT_GE(where->active(), 1U) << "the resource counts as active in the hook";
      if (number == 2) throw std::runtime_error{"stale"};
      return number == 3;
    };
    Pool<int> pool{std::move(options)};
    where = &pool;
    auto lease = pool.acquire();
    EXPECT_EQ(*lease, 3);
    EXPECT_EQ(asked, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(factory.destroyed, (std::vector<int>{1, 2}));
    EXPECT_EQ(pool.size(), 1U);
    EXPECT_EQ(*pool.acquire(), 4) << "before_acquire is not called for a new resource";
    EXPECT_EQ(asked.size(), 3U);
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-3
TEST(PoolTest, MakesANewOneInThePlaceOfARejectedOne) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(1, 1);
    options.before_acquire = [](int& number) { return number > 1; };
    Pool<int> pool{std::move(options)};
    EXPECT_EQ(*pool.acquire(), 2);
    EXPECT_EQ(*pool.acquire(), 2);
  });
}

// R-RPL-3, R-RPL-10, trap 2
TEST(PoolTest, PassesThePlaceOnWhenCancelledInTheHook) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(1, 1);
    options.before_acquire = [](int& number) {
      if (number == 1) weft::delay(1h);
      return true;
    };
    Pool<int> pool{std::move(options)};
    auto first = weft::spawn([&] { static_cast<void>(pool.acquire()); });
    weft::testing::settle();
    EXPECT_EQ(pool.idle(), 0U);
    EXPECT_EQ(pool.active(), 1U);
    auto second = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    first.cancel();
    EXPECT_EQ(weft::await(second), 2);
    EXPECT_TRUE(first.is_cancelled());
    EXPECT_EQ(factory.destroyed, (std::vector<int>{1}));
  });
}

// R-RPL-4, trap 7
TEST(PoolTest, DestroysWhatTheReleaseHookRejectsAndWakesAWaiter) {
  for (const bool throws : {true, false}) {
    Factory factory;
    weft::testing::run([&] {
      auto options = factory.options(0, 1);
      options.before_release = [&](int& number) {
        if (number == 1 && throws) throw std::runtime_error{"broken"};
        return number != 1;
      };
      Pool<int> pool{std::move(options)};
      auto lease = pool.acquire();
      auto waiter = weft::spawn([&] { return *pool.acquire(); });
      weft::testing::settle();
      lease.release();
      EXPECT_EQ(factory.destroyed, (std::vector<int>{1}));
      EXPECT_EQ(weft::await(waiter), 2);
      EXPECT_EQ(pool.idle(), 1U);
    });
  }
}

// R-RPL-4, R-RPL-7
TEST(PoolTest, DestroysOnReleaseOnceItIsClosed) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 2)};
    auto lease = pool.acquire();
    pool.close();
    EXPECT_TRUE(factory.destroyed.empty());
    EXPECT_EQ(pool.active(), 1U);
    lease.release();
    EXPECT_EQ(factory.destroyed, (std::vector<int>{1}));
    EXPECT_EQ(pool.size(), 0U);
  });
}

// R-RPL-4: an exception of `destroy` leaves release(), and is a warning in the destructor
TEST(PoolTest, DeliversWhatDestroyThrows) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        Pool<int> pool{{.max = 1,
                        .create = [] { return 1; },
                        .destroy = [](int&) { throw std::runtime_error{"stuck"}; },
                        .before_release = [](int&) { return false; }}};
        auto lease = pool.acquire();
        EXPECT_EQ(text(error_of([&] { lease.release(); })), "stuck");
        EXPECT_EQ(pool.size(), 0U);
        { const auto other = pool.acquire(); }
        EXPECT_EQ(pool.size(), 0U);
      },
      collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("stuck"), std::string::npos);
}

// R-RPL-5, trap 7
TEST(PoolTest, GivesAFactoryErrorToItsCallerAndLetsAWaiterTry) {
  for (const bool throws : {true, false}) {
    weft::testing::run([&] {
      int calls = 0;
      Pool<int> pool{{.max = 1, .create = [&]() -> std::optional<int> {
                        weft::delay(1ms);
                        if (++calls > 1) return calls;
                        if (throws) throw std::runtime_error{"no route"};
                        return std::nullopt;
                      }}};
      auto first =
          weft::spawn([&] { return text(error_of([&] { static_cast<void>(pool.acquire()); })); });
      auto second = weft::spawn([&] { return *pool.acquire(); });
      EXPECT_EQ(weft::await(first), throws ? "no route" : "Failed to create pool resource");
      EXPECT_EQ(weft::await(second), 2);
      EXPECT_EQ(pool.size(), 1U);
    });
  }
}

// R-RPL-5
TEST(PoolTest, CountsANullPointerAsNothing) {
  weft::testing::run([] {
    Pool<std::unique_ptr<int>> pool{{.create = [] { return std::unique_ptr<int>{}; }}};
    EXPECT_EQ(text(error_of([&] { static_cast<void>(pool.acquire()); })),
              "Failed to create pool resource");
    EXPECT_EQ(pool.size(), 0U);
    Pool<std::unique_ptr<int>> good{{.create = [] { return std::make_unique<int>(3); }}};
    EXPECT_EQ(**good.acquire(), 3);
  });
}

// R-RPL-5, trap 2
TEST(PoolTest, PassesTheRightToMakeOneOnWhenCancelledInTheFactory) {
  weft::testing::run([&] {
    int calls = 0;
    Pool<int> pool{{.max = 1, .create = [&] {
                      if (++calls == 1) weft::delay(1h);
                      return calls;
                    }}};
    auto first = weft::spawn([&] { static_cast<void>(pool.acquire()); });
    auto second = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    first.cancel();
    EXPECT_EQ(weft::await(second), 2);
  });
}

// R-RPL-6
TEST(PoolTest, NeverLetsTryAcquireWait) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    auto lease = pool.try_acquire();
    ASSERT_TRUE(lease);
    EXPECT_EQ(**lease, 1);
    EXPECT_FALSE(pool.try_acquire());
    lease->release();
    pool.deactivate();
    EXPECT_FALSE(pool.try_acquire());
    pool.activate();
    EXPECT_TRUE(pool.try_acquire());
    pool.close();
    EXPECT_FALSE(pool.try_acquire());
  });
}

// R-RPL-7, R-RPL-9, trap 12
TEST(PoolTest, FailsAllWaitersWhenItCloses) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    auto lease = pool.acquire();
    std::vector<weft::Coroutine<std::string>> line;
    for (int i = 0; i < 3; ++i) {
      line.push_back(
          weft::spawn([&] { return text(error_of([&] { static_cast<void>(pool.acquire()); })); }));
    }
    weft::testing::settle();
    lease.release();  // reserved for the first waiter, which has not run yet
    pool.close();
    for (auto& one : line) EXPECT_EQ(weft::await(one), "Pool is closed");
    EXPECT_EQ(pool.size(), 0U);
  });
  EXPECT_TRUE(factory.alive.empty());
}

// R-RPL-7
TEST(PoolTest, DestroysAllIdleOnesEvenIfOneThrowsAndClosesOnce) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        int destroyed = 0;
        int next = 0;
        Pool<int> pool{{.min = 3,
                        .create = [&] { return ++next; },
                        .destroy =
                            [&](int& number) {
                              ++destroyed;
                              weft::delay(1ms);
                              if (number < 3) throw std::runtime_error{std::to_string(number)};
                            }}};
        EXPECT_EQ(text(error_of([&] { pool.close(); })), "1");
        EXPECT_EQ(destroyed, 3);
        EXPECT_EQ(pool.size(), 0U);
        pool.close();
        EXPECT_EQ(destroyed, 3);
      },
      collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U) << "the second error is a warning";
}

// R-RPL-7
TEST(PoolTest, ClosesToItsEndAlthoughItIsCancelled) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(3, 3);
    options.destroy = [&](int& number) {
      weft::delay(1ms);
      factory.destroy(number);
    };
    auto owner = weft::spawn([&] {
      Pool<int> pool{std::move(options)};
      weft::delay(1h);
    });
    weft::testing::settle();
    owner.cancel();
    weft::testing::settle();
    owner.cancel();
    weft::delay(10ms);
    EXPECT_TRUE(owner.is_cancelled());
  });
  EXPECT_EQ(factory.destroyed, (std::vector<int>{1, 2, 3}));
}

// R-RPL-9, trap 4, trap 5
TEST(PoolTest, ServesInTheOrderOfArrivalAndLetsNoHolderTakeItsOwnBack) {
  Factory factory;
  weft::testing::run([&] {
    Log log;
    Pool<int> pool{factory.options(0, 1)};
    auto lease = std::make_optional(pool.acquire());
    std::vector<weft::Coroutine<void>> line;
    for (const char* name : {"B", "C", "D"}) {
      line.push_back(weft::spawn([&, name] {
        const auto own = pool.acquire();
        log.emplace_back(name);
        weft::suspend();
      }));
    }
    weft::testing::settle();
    lease->release();
    EXPECT_FALSE(pool.try_acquire()) << "it is reserved";
    EXPECT_EQ(pool.idle(), 0U);
    for (int i = 0; i < 2; ++i) {
      lease = pool.acquire();
      log.emplace_back("A");
      lease->release();
    }
    for (auto& one : line) weft::await(one);
    EXPECT_EQ(log, (Log{"B", "C", "D", "A", "A"}));
    EXPECT_EQ(factory.made, 1);
  });
}

// R-RPL-10, trap 1, trap 2
TEST(PoolTest, PassesOnWhatWasReservedForAWaiterThatLeaves) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    auto lease = pool.acquire();
    auto cancelled = weft::spawn([&] { static_cast<void>(pool.acquire()); });
    auto next = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    lease.release();
    cancelled.cancel();
    EXPECT_EQ(weft::await(next), 1);
    EXPECT_EQ(pool.idle(), 1U);
    // A cancelled waiter that was the only one leaves the resource idle, too.
    auto again = pool.acquire();
    auto last = weft::spawn([&] { static_cast<void>(pool.acquire()); });
    weft::testing::settle();
    again.release();
    last.cancel();
    weft::testing::settle();
    EXPECT_EQ(pool.idle(), 1U);
    EXPECT_EQ(pool.active(), 0U);
  });
}

// R-RPL-10, trap 2
TEST(PoolTest, PassesOnTheRightToMakeAResourceWhenItsWaiterLeaves) {
  Factory factory;
  weft::testing::run([&] {
    auto options = factory.options(0, 1);
    options.before_release = [](int&) { return false; };
    Pool<int> pool{std::move(options)};
    auto lease = pool.acquire();
    auto cancelled = weft::spawn([&] { static_cast<void>(pool.acquire()); });
    auto next = weft::spawn([&] { return *pool.acquire(); });
    weft::testing::settle();
    lease.release();
    EXPECT_EQ(pool.active(), 1U) << "the place is reserved";
    cancelled.cancel();
    EXPECT_EQ(weft::await(next), 2);
    EXPECT_EQ(pool.size(), 0U);
  });
}

bool accept(int& number) { return number > 0; }
std::optional<int> make_five() { return 5; }

// R-RPL-13
TEST(PoolTest, TakesPlainFunctions) {
  weft::testing::run([] {
    Pool<int> pool{{.min = 1, .max = 1, .create = make_five, .before_acquire = accept}};
    EXPECT_EQ(*pool.acquire(), 5);
  });
}

TEST(PoolTest, RefusesNumbersThatMakeNoSense) {
  const auto complaint = [](weft::PoolOptions<int> options) {
    const auto error = error_of([&] { Pool<int>{std::move(options)}; });
    return is<weft::ValueError>(error) ? text(error) : "accepted: " + text(error);
  };
  const auto create = [] { return 1; };
  EXPECT_EQ(complaint({.min = -1, .create = create}), "The min of a pool must be >= 0");
  EXPECT_EQ(complaint({.max = 0, .create = create}), "The max of a pool must be >= 1");
  EXPECT_EQ(complaint({.min = 2, .max = 1, .create = create}), "The min of a pool must be <= max");
  EXPECT_EQ(complaint({.create = create, .check_every = -1s}),
            "The check_every of a pool must be >= 0");
  EXPECT_EQ(complaint({}), "A pool needs a function that creates resources");
}

TEST(PoolTest, LendsOutsideARuntimeWhileNoWaitIsNeeded) {
  Factory factory;
  {
    Pool<int> pool{factory.options(1, 1)};
    auto lease = pool.acquire();
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { static_cast<void>(pool.acquire()); })));
    EXPECT_EQ(pool.waiting(), 0U);
  }
  EXPECT_TRUE(factory.alive.empty());
}

TEST(PoolTest, LeavesAResourceThatCannotBeMovedWhereItWasMade) {
  struct Pinned {
    explicit Pinned(int n) : number{n} {}
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    int number;
    const Pinned* self = this;
  };
  weft::testing::run([] {
    Pool<Pinned> pool{{.create = [] { return std::optional<Pinned>{std::in_place, 4}; }}};
    const auto lease = pool.acquire();
    EXPECT_EQ(lease->self, &*lease);
    EXPECT_EQ(lease->number, 4);
  });
}

}  // namespace pool_test
