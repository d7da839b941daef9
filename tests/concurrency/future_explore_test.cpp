#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Futures under every schedule, and with a cancellation at every suspension.
namespace future_explore_test {

using weft::Future;
using weft::Promise;
using weft::testing::explore;
using weft_test::error_of;
using namespace std::chrono_literals;

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error{what};
}

void expect_holds(void (*scenario)()) {
  const auto plain = explore(scenario, {.schedules = weft::testing::all});
  EXPECT_TRUE(plain.ok()) << plain.first_failure();
  EXPECT_GT(plain.schedules(), 1U);
  const auto cancelling =
      explore(scenario, {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(cancelling.ok()) << cancelling.first_failure();
  EXPECT_GT(cancelling.schedules(), plain.schedules());
}

/// Waits for `coroutine`, which must end with success or a cancellation.
template <class T>
void settle(const weft::Coroutine<T>& coroutine) {
  const auto error = error_of([&] { weft::protect([&] { weft::await(coroutine); }); });
  if (error != nullptr && !weft::is_cancellation(error)) std::rethrow_exception(error);
}

void completer_and_readers() {
  struct Seen {
    int read = 0;
    int sum = 0;
  };
  auto seen = std::make_shared<Seen>();
  Promise<int> promise;
  const auto future = promise.future();
  const auto read = [seen, future] {
    const int value = weft::await(future);
    require(value == 7, "a reader gets the value");
    ++seen->read;
    seen->sum += value;
  };
  auto first = weft::spawn(read);
  auto second = weft::spawn(read);
  auto completer = weft::spawn([promise = std::move(promise)]() mutable {
    weft::suspend();
    promise.complete(7);
  });
  settle(completer);
  const bool written = !completer.is_cancelled();
  const auto broken = error_of([&] { settle(first); });
  const auto again = error_of([&] { settle(second); });
  require(future.is_completed(), "a promise completes its future in every case");
  require(written == (future.exception() == nullptr),
          "a future fails only if its producer has failed");
  if (written) require(broken == nullptr && again == nullptr, "no reader fails");
  require(seen->sum == 7 * seen->read, "every reader got the value once");
  if (written) {
    require(seen->read == (first.is_cancelled() ? 0 : 1) + (second.is_cancelled() ? 0 : 1),
            "no reader is lost");
  }
}
// R-FUT-1, R-FUT-3, R-FUT-10
TEST(FutureExploreTest, ReadersAndCompleter) { expect_holds(completer_and_readers); }

void canceller_against_completer() {
  Promise<std::unique_ptr<int>> promise;
  const auto future = promise.future();
  auto reader = weft::spawn([future] {
    weft::suspend();
    return *weft::await(future);
  });
  auto canceller = weft::spawn([future] {
    weft::suspend();
    future.cancel("enough");
  });
  auto completer = weft::spawn([&promise] {
    weft::suspend();
    promise.complete(std::make_unique<int>(1));  // no error after a cancellation
  });
  settle(canceller);
  settle(completer);
  if (!future.is_completed()) promise.complete(nullptr);
  settle(reader);
  require(future.is_completed(), "one of the two has decided");
  if (future.is_cancelled()) {
    require(reader.is_cancelled() || weft::is_cancellation(reader.exception()),
            "the reader was told");
  } else {
    require(
        reader.is_cancelled() || weft::is_cancellation(reader.exception()) || reader.result() == 1,
        "the reader has the value");
  }
}
// R-FUT-8
TEST(FutureExploreTest, CancellerAgainstCompleter) {
  expect_holds([] {
    const auto error = error_of(canceller_against_completer);
    if (error != nullptr && !weft::is_cancellation(error)) std::rethrow_exception(error);
  });
}

/// Two chains on one future, of which the first parks; and a chain on the future of each.
void chains() {
  struct Seen {
    int slow = 0;
    int quick = 0;
    int last = 0;
  };
  auto seen = std::make_shared<Seen>();
  Promise<int> promise;
  const auto future = promise.future();
  const auto slow = future
                        .map([seen](int v) {
                          ++seen->slow;
                          weft::suspend();
                          return v + 1;
                        })
                        .finally([seen] { ++seen->last; });
  const auto quick = future
                         .map([seen](int v) {
                           ++seen->quick;
                           return v + 2;
                         })
                         .recover([](const std::exception_ptr&) { return 0; });
  auto completer = weft::spawn([&promise] {
    weft::suspend();
    promise.complete(1);
  });
  settle(completer);
  if (!promise.is_completed()) promise.complete(1);
  const auto slow_error = error_of([&] {
    weft::protect([&] { require(weft::await(slow) == 2, "the slow chain has its value"); });
  });
  const auto quick_error = error_of([&] {
    weft::protect([&] {
      const int value = weft::await(quick);
      require(value == 3 || value == 0, "the quick chain has its value");
    });
  });
  for (const auto& error : {slow_error, quick_error}) {
    if (error != nullptr && !weft::is_cancellation(error)) std::rethrow_exception(error);
  }
  require(slow.is_completed() && quick.is_completed(), "every chain settles");
  require(seen->slow <= 1 && seen->quick <= 1, "no function runs twice");
  require(seen->last <= 1, "finally runs once");
  require(seen->slow == 0 || seen->last == 1 || slow.is_cancelled(), "finally follows");
}
// R-FUT-4, R-FUT-5
TEST(FutureExploreTest, ChainsThatPark) { expect_holds(chains); }

/// The promise is completed, dropped, or destroyed by a cancellation.
void dropped_promise() {
  auto promise = std::make_unique<Promise<int>>();
  const auto future = promise->future();
  auto reader = weft::spawn([future] {
    try {
      weft::await(future);
      require(false, "it is not completed");
    } catch (const weft::BrokenPromise&) {
    }
  });
  auto mapped = future.map([](int) {}).recover([](const std::exception_ptr&) {});
  auto holder = weft::spawn([promise = std::move(promise)] { weft::suspend(); });
  settle(holder);
  settle(reader);
  const auto error = error_of([&] { weft::protect([&] { weft::await(mapped); }); });
  if (error != nullptr && !weft::is_cancellation(error)) std::rethrow_exception(error);
  require(mapped.is_completed(), "the chain ends");
}
// R-FUT-10, trap 8
TEST(FutureExploreTest, DroppedPromise) { expect_holds(dropped_promise); }

}  // namespace future_explore_test
