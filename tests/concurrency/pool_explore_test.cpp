#include <memory>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "pool_support.hpp"

// Two or three users of a pool under every schedule, with a canceller in the scenario and with a
// cancellation at every suspension. Every resource is idle, held or destroyed: the factory knows
// all resources, and asserts at the end that each was destroyed once.
namespace pool_explore_test {

using weft::Pool;
using weft_test::AtEnd;
using weft_test::expect_all_schedules;
using weft_test::Factory;
using weft_test::require;
using namespace std::chrono_literals;

/// A pool of `max` resources, and checks for its users.
struct PoolUse {
  Factory factory;
  int max;
  int held = 0;
  std::unique_ptr<Pool<int>> pool;

  explicit PoolUse(int most, weft::PoolOptions<int> options = {}) : max{most} {
    options.max = most;
    if (!options.create) {
      options.create = [this] {
        weft::suspend();
        return factory.make();
      };
    }
    options.destroy = [this](int& number) {
      weft::suspend();
      factory.destroy(number);
    };
    pool = std::make_unique<Pool<int>>(std::move(options));
  }
  ~PoolUse() {
    WEFT_ASSERT(pool->waiting() == 0 && pool->active() == 0, "the pool is not used in the end");
    WEFT_ASSERT(pool->idle() == factory.alive.size(), "each resource is idle or destroyed");
    pool.reset();
    WEFT_ASSERT(factory.alive.empty(), "all are destroyed with the pool");
  }
  void check() const {
    require(pool->size() <= static_cast<std::size_t>(max), "never more than the maximum");
    require(factory.alive.size() <= pool->size(), "each resource has a place");
  }
  void use() {
    const auto lease = pool->acquire();
    require(factory.alive.count(*lease) == 1, "a lent resource is alive");
    require(++held <= max, "each resource is lent once");
    const AtEnd leave{[this] { --held; }};
    check();
    weft::suspend();
    check();
  }
};

// R-RPL-1, R-RPL-9, R-RPL-10, trap 1, trap 2, trap 3
TEST(PoolExploreTest, TwoShareOneResource) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1);
    for (int i = 0; i < 2; ++i) weft::spawn([state] { state->use(); });
  });
}

// R-RPL-1, R-RPL-9, R-RPL-10, trap 2
TEST(PoolExploreTest, ThreeShareTwo) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(2);
    for (int i = 0; i < 3; ++i) weft::spawn([state] { state->use(); });
  });
}

// R-RPL-10, trap 1, trap 2
TEST(PoolExploreTest, TwoShareOneAndAThirdCancels) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1);
    auto a = weft::spawn([state] { state->use(); });
    weft::spawn([state] { state->use(); });
    weft::spawn([a] {
      weft::suspend();
      a.cancel();
    });
  });
}

// R-RPL-4, R-RPL-10, trap 7
TEST(PoolExploreTest, TwoUseWhatBreaksEveryTime) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1, weft::PoolOptions<int>{.before_release = [](int&) {
                                             weft::suspend();
                                             return false;
                                           }});
    for (int i = 0; i < 2; ++i) weft::spawn([state] { state->use(); });
  });
}

// R-RPL-5, trap 7
TEST(PoolExploreTest, ThreeMeetAFactoryThatFailsOnce) {
  expect_all_schedules([] {
    struct Failing : PoolUse {
      bool failed = false;
      Failing()
          : PoolUse{1, {.create = [this] {
                      weft::suspend();
                      if (!std::exchange(failed, true)) throw std::runtime_error{"no route"};
                      return factory.make();
                    }}} {}
    };
    auto state = std::make_shared<Failing>();
    for (int i = 0; i < 3; ++i) {
      weft::spawn([state] {
        try {
          state->use();
        } catch (const std::runtime_error& error) {
          require(std::string{"no route"} == error.what(), "only the factory fails");
        }
      });
    }
  });
}

// R-RPL-3, R-RPL-10, trap 2
TEST(PoolExploreTest, TwoMeetAHookThatRejectsWhatWasUsed) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1, weft::PoolOptions<int>{.before_acquire = [](int&) {
                                             weft::suspend();
                                             return false;
                                           }});
    for (int i = 0; i < 2; ++i) weft::spawn([state] { state->use(); });
  });
}

// R-RPL-7
TEST(PoolExploreTest, OneClosesWhileTwoUseIt) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1);
    const auto use = [state] {
      try {
        state->use();
      } catch (const weft::PoolClosed&) {
        require(state->pool->is_closed(), "a closed pool throws PoolClosed");
      }
    };
    for (int i = 0; i < 2; ++i) weft::spawn(use);
    weft::spawn([state] { state->pool->close(); });
  });
}

// R-RPL-7, trap 21
TEST(PoolExploreTest, ThePoolGoesWhileTwoWaitOrUseIt) {
  expect_all_schedules([] {
    auto factory = std::shared_ptr<Factory>{new Factory, [](Factory* gone) {
                                              WEFT_ASSERT(gone->alive.empty(), "all destroyed");
                                              delete gone;
                                            }};
    auto pool = std::make_shared<std::unique_ptr<Pool<int>>>();
    *pool = std::make_unique<Pool<int>>(
        weft::PoolOptions<int>{.max = 1,
                               .create =
                                   [factory] {
                                     weft::suspend();
                                     return factory->make();
                                   },
                               .destroy = [factory](int& number) { factory->destroy(number); }});
    for (int i = 0; i < 2; ++i) {
      weft::spawn([pool] {
        if (*pool == nullptr) return;
        try {
          const auto lease = (*pool)->acquire();
          weft::suspend();
        } catch (const weft::PoolClosed&) {
        }
      });
    }
    weft::spawn([pool] { pool->reset(); });
  });
}

// R-RPL-10, R-RPL-11, trap 2
TEST(PoolExploreTest, TheBreakerOpensWhileTwoShareOne) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1);
    for (int i = 0; i < 2; ++i) {
      weft::spawn([state] {
        try {
          state->use();
        } catch (const weft::ServiceUnavailable&) {
        }
      });
    }
    weft::spawn([state] { state->pool->deactivate(); });
  });
}

// R-RPL-8
TEST(PoolExploreTest, AHealthCheckMeetsAUser) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1, weft::PoolOptions<int>{.min = 1,
                                                                     .healthy =
                                                                         [](int& number) {
                                                                           weft::delay(1ms);
                                                                           return number != 1;
                                                                         },
                                                                     .check_every = 2ms});
    weft::spawn([state, close = AtEnd{[state] { state->pool->close(); }}] {
      weft::delay(2ms);
      state->use();
    });
    weft::delay(2ms);
  });
}

// R-RPL-2, R-RPL-10
TEST(PoolExploreTest, AReleaseMeetsATimeout) {
  expect_all_schedules([] {
    auto state = std::make_shared<PoolUse>(1);
    weft::spawn([state] {
      const auto lease = state->pool->acquire();
      weft::delay(1ms);
    });
    for (int i = 0; i < 2; ++i) {
      weft::spawn([state] {
        try {
          const auto lease = state->pool->acquire(weft::timeout(1ms));
        } catch (const weft::TimedOut&) {
        }
      });
    }
  });
}

}  // namespace pool_explore_test
