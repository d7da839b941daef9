#include <stdexcept>

#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

/// A cause that a program or a host gives to coroutines that it cancels.
class TooExpensive : public weft::Cancelled {
 public:
  explicit TooExpensive(int price) : Cancelled{"too expensive"}, price_{price} {}
  [[nodiscard]] int price() const noexcept { return price_; }

 private:
  int price_;
};

std::exception_ptr too_expensive(int price) { return std::make_exception_ptr(TooExpensive{price}); }

/// The price of the TooExpensive that `wait` throws; 0 for another exception.
template <class F>
int price_thrown_by(F wait) {
  try {
    wait();
  } catch (const TooExpensive& error) {
    return error.price();
  } catch (...) {
  }
  return 0;
}

TEST(CancelCause, IsThrownWhereTheCoroutineWaits) {
  weft::testing::run([] {
    int seen = 0;
    auto coroutine = weft::spawn([&] {
      try {
        weft::delay(1h);
      } catch (const TooExpensive& error) {
        seen = error.price();
        throw;
      }
    });
    weft::suspend();
    coroutine.cancel(too_expensive(7));
    EXPECT_EQ(price_thrown_by([&] { weft::await(coroutine); }), 7);
    EXPECT_EQ(seen, 7);
    EXPECT_TRUE(coroutine.is_cancelled());
  });
}

TEST(CancelCause, IsTheOutcomeOfACoroutineThatNeverRan) {
  weft::testing::run([] {
    bool ran = false;
    auto coroutine = weft::spawn([&ran] { ran = true; });
    coroutine.cancel(too_expensive(8));
    EXPECT_EQ(price_thrown_by([&] { weft::await(coroutine); }), 8);
    EXPECT_FALSE(ran);
  });
}

TEST(CancelCause, IsTheOutcomeOfACoroutineThatDidNotWaitAgain) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { weft::current().cancel(too_expensive(9)); });
    EXPECT_EQ(price_thrown_by([&] { weft::await(coroutine); }), 9);
  });
}

TEST(CancelCause, ThatIsNoCancellationIsThePreviousOfOne) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    coroutine.cancel(std::make_exception_ptr(std::runtime_error{"disk full"}));
    try {
      weft::await(coroutine);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_EQ(weft::describe(cancelled.previous()), "disk full");
    }
  });
}

TEST(CancelCause, OfTheFirstCancellationCounts) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    coroutine.cancel(too_expensive(1));
    coroutine.cancel(too_expensive(2));
    coroutine.cancel("a text");
    EXPECT_EQ(price_thrown_by([&] { weft::await(coroutine); }), 1);
  });
}

TEST(CancelCause, OfNullIsAnOrdinaryCancellation) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    coroutine.cancel(std::exception_ptr{});
    try {
      weft::await(coroutine);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_STREQ(cancelled.reason(), "Coroutine cancelled");
    }
  });
}

TEST(CancelCause, OfNullIsAnOrdinaryCancellationOfScopesAndFuturesToo) {
  weft::testing::run([] {
    auto scope = weft::Scope::create();
    auto coroutine = scope->spawn([] { weft::delay(1h); });
    weft::suspend();
    scope->cancel(std::exception_ptr{});
    try {
      weft::await(coroutine);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_STREQ(cancelled.reason(), "Scope was cancelled");
    }
    weft::Promise<int> promise;
    const auto future = promise.future();
    future.cancel(std::exception_ptr{});
    try {
      future.await();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_STREQ(cancelled.reason(), "Future has been cancelled");
    }
  });
}

TEST(CancelCause, OfAScopeReachesItsCoroutinesAndItsWaiters) {
  weft::testing::run([] {
    auto scope = weft::Scope::create();
    auto child = weft::Scope::inherit(*scope);
    auto first = scope->spawn([] { weft::delay(1h); });
    auto second = child->spawn([] { weft::delay(1h); });
    int of_wait = 0;
    auto waiter =
        weft::spawn([&] { of_wait = price_thrown_by([&] { scope->await_completion({}); }); });
    weft::suspend();
    scope->cancel(too_expensive(5));
    EXPECT_EQ(price_thrown_by([&] { weft::await(first); }), 5);
    EXPECT_EQ(price_thrown_by([&] { weft::await(second); }), 5);
    weft::await(waiter);
    EXPECT_EQ(of_wait, 5);
    EXPECT_EQ(price_thrown_by([&] { scope->await_completion({}); }), 5) << "later waits too";
    weft::Event& event = *scope;
    EXPECT_EQ(price_thrown_by([&] { weft::await(event); }), 5);
  });
}

TEST(CancelCause, OfAFutureReachesItsWaiters) {
  weft::testing::run([] {
    weft::Promise<int> read;
    auto future = read.future();
    future.cancel(too_expensive(3));
    EXPECT_TRUE(future.is_cancelled());
    EXPECT_EQ(price_thrown_by([&] { future.await(); }), 3);

    weft::Promise<int> written;
    auto other = written.future();
    written.cancel(std::make_exception_ptr(std::runtime_error{"disk full"}));
    EXPECT_TRUE(other.is_cancelled());
    try {
      other.await();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const weft::Cancelled& cancelled) {
      EXPECT_EQ(weft::describe(cancelled.previous()), "disk full");
    }
  });
}

TEST(CancelCause, OfAShutdownReachesEveryCoroutine) {
  int of_main = 0;
  int of_other = 0;
  weft::testing::run([&] {
    weft::spawn([&] { of_other = price_thrown_by([] { weft::delay(1h); }); });
    weft::spawn([] { weft::shutdown(too_expensive(4)); });
    of_main = price_thrown_by([] { weft::delay(1h); });
  });
  EXPECT_EQ(of_other, 4);
  EXPECT_EQ(of_main, 4);
}

TEST(CancelCause, MeetsTheErrorOfTheWaitThatItEnds) {
  weft::testing::run([] {
    weft::Promise<int> promise;
    const auto future = promise.future();
    std::exception_ptr seen;
    auto coroutine = weft::spawn([&] {
      try {
        weft::await(future);
      } catch (const TooExpensive&) {
        seen = std::current_exception();
        throw;
      }
    });
    weft::suspend();
    promise.fail(std::runtime_error{"boom"});
    coroutine.cancel(too_expensive(6));  // the failure has woken it, and it has not run yet
    EXPECT_EQ(price_thrown_by([&] { weft::await(coroutine); }), 6);
    EXPECT_EQ(weft::describe(weft::previous(seen)), "boom");
  });
}

}  // namespace
