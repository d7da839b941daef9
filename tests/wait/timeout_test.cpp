#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Timeouts, and waits that a token ends.
namespace {

using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

// R-TMO-1
TEST(TimeoutTest, MustBeAboveZero) {
  weft::testing::run([] {
    for (const weft::Duration duration : {weft::Duration{0ms}, weft::Duration{-5ms}}) {
      const auto error = error_of([&] { weft::Timeout{duration}; });
      EXPECT_TRUE(is<weft::ValueError>(error));
      EXPECT_EQ(text(error), "Timeout value must be greater than 0");
    }
  });
}

// R-TMO-1
TEST(TimeoutTest, IsATokenThatCompletesOnce) {
  weft::testing::run([] {
    Doorbell bell;
    weft::Timeout limit{5ms};
    EXPECT_FALSE(limit.is_completed());
    const auto start = weft::now();
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::await(bell, limit); })));
    EXPECT_GE(weft::now() - start, 5ms);
    EXPECT_LT(weft::now() - start, 6ms);
    EXPECT_TRUE(limit.is_completed());
    EXPECT_FALSE(limit.is_cancelled());
    // A timeout that has fired ends later waits, too.
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::await(bell, limit); })));
    EXPECT_LT(weft::now() - start, 6ms);
  });
}

// R-RC-6
TEST(TimeoutTest, MayLoseItsLastReferenceWhenItFires) {
  weft::testing::run([] {
    auto limit = weft::make_ref<weft::Timeout>(1ms);
    weft_test::Call dropping{[&](weft::Event&, const weft::Outcome&) { limit = nullptr; }};
    limit->add_callback(dropping);
    limit->start();
    weft::delay(2ms);
    EXPECT_FALSE(limit);
  });
}

// R-TMO-2
TEST(TimeoutTest, CountsFromItsFirstWait) {
  weft::testing::run([] {
    Doorbell bell;
    weft::Timeout limit{10ms};
    weft::testing::advance(50ms);
    weft::delay(50ms);
    const auto start = weft::now();
    error_of([&] { weft::await(bell, limit); });
    EXPECT_GE(weft::now() - start, 10ms);
    EXPECT_LT(weft::now() - start, 11ms);
  });
}

// R-TMO-2
TEST(TimeoutTest, IsSharedByLaterWaits) {
  weft::testing::run([] {
    Doorbell bell;
    weft::Timeout limit{10ms};
    const auto start = weft::now();
    auto ringer = weft::spawn([&] {
      weft::delay(4ms);
      bell.ring();
    });
    weft::await(bell, limit);
    error_of([&] { weft::await(bell, limit); });
    EXPECT_GE(weft::now() - start, 10ms);
    EXPECT_LT(weft::now() - start, 11ms);

    weft::Timeout passed{10ms};
    auto again = weft::spawn([&] { bell.ring(); });
    weft::await(bell, passed);
    weft::delay(20ms);  // passes its deadline while no coroutine waits
    const auto late = weft::now();
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::await(bell, passed); })));
    EXPECT_LT(weft::now() - late, 1ms);
  });
}

// R-TMO-3
TEST(TimeoutTest, SaysHowLongItWas) {
  weft::testing::run([] {
    Doorbell bell;
    const auto error = error_of([&] { weft::await(bell, weft::timeout(1500ms)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_TRUE(is<weft::TimedOut>(error));
    EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    EXPECT_EQ(text(weft::previous(error)), "Timeout occurred after 1500 milliseconds");
    weft::Timeout awaited{3ms};
    EXPECT_EQ(text(error_of([&] { weft::await(awaited); })),
              "Timeout occurred after 3 milliseconds");
    EXPECT_EQ(text(error_of([&] { weft::await(awaited); })),
              "Timeout occurred after 3 milliseconds");
  });
}

// R-TMO-4
TEST(TimeoutTest, NeverFiresOnceItIsCancelled) {
  weft::testing::run([] {
    Doorbell bell;
    weft::Timeout limit{5ms};
    limit.cancel();
    limit.cancel();
    EXPECT_TRUE(limit.is_completed());
    EXPECT_TRUE(limit.is_cancelled());
    weft::delay(10ms);
    EXPECT_TRUE(limit.is_cancelled());
    weft::await(limit);  // completed, without an error

    // Cancelled while a coroutine waits with it: the token completes without an error.
    weft::Timeout other{5ms};
    const auto start = weft::now();
    auto waiter = weft::spawn([&] { return error_of([&] { weft::await(bell, other); }); });
    weft::testing::settle();
    other.cancel();
    const auto error = weft::await(waiter);
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_EQ(weft::previous(error), nullptr);
    EXPECT_LT(weft::now() - start, 1ms);

    weft::Timeout expired{1ms};
    error_of([&] { weft::await(expired); });
    expired.cancel();
    EXPECT_FALSE(expired.is_cancelled());
  });
}

// R-TMO-4
TEST(TimeoutTest, KeepsNothingAliveWhenItIsDropped) {
  weft::testing::VirtualClock clock;
  weft::Options options;
  options.clock = &clock;
  const auto start = clock.now();
  weft::run(
      [] {
        { weft::Timeout unused{1h}; }
        auto counted = weft::make_ref<weft::Timeout>(1h);
        Doorbell bell;
        auto ringer = weft::spawn([&] { bell.ring(); });
        weft::await(bell, *counted);
        EXPECT_EQ(weft::stats().active_events, 0U);
      },
      std::move(options));
  EXPECT_LT(clock.now() - start, 1s);
}

// R-AWT-1
TEST(AwaitTokenTest, ACompletedOneAnswersEvenIfTheTokenHasFired) {
  weft::testing::run([] {
    auto done = weft::spawn([] { return 5; });
    weft::await(done);
    auto failed = weft::spawn([]() -> int { throw std::runtime_error{"bad"}; });
    error_of([&] { weft::await(failed); });
    Doorbell token;
    token.ring_and_close();
    const auto switches = weft::stats().switches;
    EXPECT_EQ(weft::await(done, token), 5);
    EXPECT_EQ(text(error_of([&] { weft::await(failed, token); })), "bad");
    EXPECT_EQ(weft::stats().switches, switches);
    EXPECT_TRUE(token.has(weft::Event::result_used_flag));
  });
}

// R-AWT-2
TEST(AwaitTokenTest, WhicheverComesFirstCounts) {
  weft::testing::run([] {
    const auto slow = [] {
      return weft::spawn([] {
        weft::delay(5ms);
        return 1;
      });
    };
    EXPECT_EQ(weft::await(slow(), weft::timeout(6ms)), 1);
    auto late = slow();
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { weft::await(late, weft::timeout(4ms)); })));
    EXPECT_EQ(weft::await(late), 1);  // not cancelled

    // A token that completed without an error gives no previous error.
    auto token = weft::spawn([] {});
    auto other = slow();
    const auto error = error_of([&] { weft::await(other, token); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_EQ(weft::previous(error), nullptr);
    const auto again = error_of([&] { weft::await(other, token); });  // the token has fired already
    EXPECT_TRUE(is<weft::OperationCancelled>(again));
    EXPECT_EQ(weft::previous(again), nullptr);
    weft::await(other);
  });
}

// R-AWT-2
TEST(AwaitTokenTest, AFailedTokenIsThePreviousError) {
  weft::testing::run([] {
    Doorbell bell;
    auto token = weft::spawn([] { throw std::runtime_error{"stop"}; });
    const auto error = error_of([&] { weft::await(bell, token); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_EQ(text(weft::previous(error)), "stop");
  });
}

// R-AWT-2: the error of the token, not its class, decides whether TimedOut is thrown.
TEST(AwaitTokenTest, ATokenThatFailedWithATimeoutIsATimeout) {
  class Overdue : public weft::TimedOut {
   public:
    Overdue() : TimedOut{"overdue"} {}
  };
  weft::testing::run([] {
    Doorbell bell;
    auto token = weft::spawn([] { throw Overdue{}; });
    for (const char* when : {"it comes first", "it has come before"}) {
      const auto error = error_of([&] { weft::await(bell, token); });
      EXPECT_TRUE(is<weft::TimedOut>(error)) << when;
      EXPECT_EQ(text(error), "Operation has been cancelled by timeout") << when;
      EXPECT_TRUE(is<Overdue>(weft::previous(error))) << when;
    }
    auto failed = weft::spawn([] { throw std::runtime_error{"stop"}; });
    const auto error = error_of([&] { weft::await(bell, failed); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_FALSE(is<weft::TimedOut>(error));
  });
}

// R-AWT-2
TEST(AwaitTokenTest, TheAwaitedOneIsNoTokenForItself) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {
      weft::delay(1ms);
      return 3;
    });
    EXPECT_EQ(weft::await(coroutine, coroutine), 3);
    weft::Promise<int> promise;
    auto future = promise.future();
    weft::post_microtask([&] { promise.complete(4); });
    EXPECT_EQ(weft::await(future, future), 4);
  });
}

// Many waits share one token; the cost of each is the same.
// trap 9, trap 31
TEST(AwaitTokenTest, ManyMayShareOne) {
  weft::testing::run([] {
    weft::Promise<void> stop;
    auto token = stop.future();
    Doorbell bell;
    int stopped = 0;
    std::vector<weft::Coroutine<void>> waiters;
    for (int i = 0; i < 5'000; ++i) {
      waiters.push_back(weft::spawn([&] {
        if (is<weft::OperationCancelled>(error_of([&] { weft::await(bell, token); }))) ++stopped;
      }));
    }
    weft::testing::settle();
    stop.complete();
    weft::await_all(waiters);
    EXPECT_EQ(stopped, 5'000);
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

}  // namespace
