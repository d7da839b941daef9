#include <gtest/gtest.h>

#include "pool_support.hpp"

namespace {

using weft::CircuitBreaker;
using weft::Pool;
using State = weft::CircuitBreaker::State;
using weft_test::error_of;
using weft_test::Factory;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// Opens at the first failure, closes at the first success, and recovers when the test says so.
class Strategy final : public weft::CircuitBreakerStrategy {
 public:
  struct Notes {
    Log log;
    bool may_recover = false;
    bool throws = false;
  };
  explicit Strategy(Notes& notes) : notes_{notes} {}
  void report_success(CircuitBreaker& breaker) override {
    notes_.log.emplace_back("success");
    if (notes_.throws) throw std::runtime_error{"strategy"};
    breaker.activate();
  }
  void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) override {
    notes_.log.push_back("failure: " + text(error));
    if (notes_.throws) throw std::runtime_error{"strategy"};
    breaker.deactivate();
  }
  bool should_recover() override {
    notes_.log.emplace_back("asked");
    if (notes_.throws) throw std::runtime_error{"strategy"};
    return notes_.may_recover;
  }

 private:
  Notes& notes_;
};

// R-RPL-11, R-RPL-2, R-RPL-6
TEST(PoolBreakerTest, RejectsEachCallerWhileInactive) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(1, 1)};
    EXPECT_EQ(pool.state(), State::active);
    pool.deactivate();
    EXPECT_EQ(pool.state(), State::inactive);
    const auto error = error_of([&] { static_cast<void>(pool.acquire()); });
    EXPECT_TRUE(is<weft::ServiceUnavailable>(error));
    EXPECT_EQ(text(error), "Service is unavailable (circuit breaker is open)");
    EXPECT_FALSE(pool.try_acquire());
    pool.recover();
    EXPECT_EQ(pool.state(), State::recovering);
    EXPECT_TRUE(pool.try_acquire());
    pool.activate();
    EXPECT_EQ(pool.state(), State::active);
    EXPECT_EQ(*pool.acquire(), 1);
  });
}

// R-RPL-11, R-RPL-10, trap 2
TEST(PoolBreakerTest, RejectsWaitersAndThoseJustServed) {
  Factory factory;
  weft::testing::run([&] {
    Pool<int> pool{factory.options(0, 1)};
    auto lease = pool.acquire();
    const auto wait = [&] {
      return is<weft::ServiceUnavailable>(error_of([&] { static_cast<void>(pool.acquire()); }));
    };
    auto served = weft::spawn(wait);
    auto waiting = weft::spawn(wait);
    weft::testing::settle();
    lease.release();
    pool.deactivate();
    EXPECT_TRUE(weft::await(served));
    EXPECT_TRUE(weft::await(waiting));
    EXPECT_EQ(pool.idle(), 1U) << "what was reserved is free again";
    EXPECT_EQ(pool.active(), 0U);
  });
}

// R-RPL-11, R-RPL-4
TEST(PoolBreakerTest, ReportsGoodAndBadReleasesToTheStrategy) {
  Factory factory;
  Strategy::Notes notes;
  weft::testing::run([&] {
    auto options = factory.options(0, 1);
    options.before_release = [&](int& number) { return number != 2; };
    options.breaker = std::make_unique<Strategy>(notes);
    Pool<int> pool{std::move(options)};
    { const auto good = pool.acquire(); }
    EXPECT_EQ(pool.idle(), 1U);
    {
      auto lease = pool.acquire();
      *lease = 2;
      factory.alive = {2};
    }
    EXPECT_EQ(pool.state(), State::inactive);
  });
  EXPECT_EQ(notes.log, (Log{"success", "failure: Resource validation failed"}));
}

// R-RPL-12
TEST(PoolBreakerTest, AsksTheStrategyWhetherToRecoverAtTheNextAcquire) {
  Factory factory;
  Strategy::Notes notes;
  weft::testing::run([&] {
    auto options = factory.options(1, 1);
    options.breaker = std::make_unique<Strategy>(notes);
    Pool<int> pool{std::move(options)};
    pool.deactivate();
    EXPECT_TRUE(notes.log.empty());
    EXPECT_FALSE(pool.try_acquire());
    EXPECT_TRUE(is<weft::ServiceUnavailable>(error_of([&] { static_cast<void>(pool.acquire()); })));
    notes.may_recover = true;
    {
      const auto lease = pool.acquire();
      EXPECT_EQ(pool.state(), State::recovering);
      EXPECT_EQ(notes.log, (Log{"asked", "asked", "asked"}));
    }
    EXPECT_EQ(pool.state(), State::active) << "a success on trial";
  });
}

// R-RPL-11
TEST(PoolBreakerTest, DropsWhatTheStrategyThrows) {
  Factory factory;
  Strategy::Notes notes;
  notes.throws = true;
  weft::testing::run([&] {
    auto options = factory.options(1, 1);
    options.breaker = std::make_unique<Strategy>(notes);
    bool good = true;
    options.before_release = [&](int&) { return good; };
    Pool<int> pool{std::move(options)};
    { const auto lease = pool.acquire(); }
    good = false;
    { const auto lease = pool.acquire(); }
    EXPECT_EQ(pool.size(), 0U);
    pool.deactivate();
    EXPECT_FALSE(pool.try_acquire());
  });
  EXPECT_EQ(notes.log.size(), 3U);
}

}  // namespace
