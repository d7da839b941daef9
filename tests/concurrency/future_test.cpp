#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Promise and Future without chains.
namespace {

using weft::Future;
using weft::Promise;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// A value whose copies can be made to throw.
struct Touchy {
  static inline bool throws = false;
  int value = 0;
  explicit Touchy(int v) : value{v} {}
  Touchy(const Touchy& other) : value{other.value} {
    if (throws) throw std::runtime_error{"no copy"};
  }
  Touchy& operator=(const Touchy&) = default;
};

// R-FUT-1
TEST(FutureTest, HasAWriterAndReaders) {
  Log log;
  weft::testing::run([&] {
    Promise<int> promise;
    Future<int> future = promise.future();
    EXPECT_FALSE(future.is_completed());
    auto first =
        weft::spawn([&, future] { log.push_back("first " + std::to_string(weft::await(future))); });
    auto second =
        weft::spawn([&, future] { log.push_back("second " + std::to_string(future.await())); });
    weft::testing::settle();
    EXPECT_TRUE(log.empty());
    promise.complete(7);
    EXPECT_TRUE(log.empty());  // no coroutine runs inside complete()
    EXPECT_TRUE(future.is_completed());
    EXPECT_TRUE(promise.is_completed());
    weft::await(first);
    weft::await(second);
    EXPECT_EQ(weft::await(future), 7);  // any number of times
    EXPECT_EQ(promise.future().await(), 7);
  });
  EXPECT_EQ(log, (Log{"first 7", "second 7"}));
}

// R-FUT-1: a wait keeps the value alive until it returns.
TEST(FutureTest, GivesItsValueToAReaderWhoseHandleIsDroppedMeanwhile) {
  weft::testing::run([] {
    Promise<std::string> promise;
    Future<std::string> future = promise.future();
    auto function = weft::spawn([&] { return weft::await(future); });
    auto method = weft::spawn([&] { return future.await(); });
    weft::testing::settle();
    future = {};
    Promise<std::string>{std::move(promise)}.complete(std::string(100, 'x'));
    EXPECT_EQ(weft::await(function), std::string(100, 'x'));
    EXPECT_EQ(weft::await(method), std::string(100, 'x'));
  });
}

// R-FUT-1
TEST(FutureTest, ThrowsItsErrorAtEveryReader) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    auto reader = weft::spawn([future] { return text(error_of([&] { weft::await(future); })); });
    weft::testing::settle();
    promise.fail(std::runtime_error{"broke"});
    EXPECT_EQ(weft::await(reader), "broke");
    EXPECT_EQ(text(error_of([&] { weft::await(future); })), "broke");
    EXPECT_EQ(text(future.exception()), "broke");
    EXPECT_FALSE(future.is_cancelled());
  });
}

// R-FUT-1
TEST(FutureTest, CarriesVoidReferencesAndWhatCannotBeCopied) {
  weft::testing::run([] {
    Promise<void> nothing;
    auto done = nothing.future();
    nothing.complete();
    weft::await(done);
    done.await();

    int variable = 1;
    Promise<int&> reference;
    auto referring = reference.future();
    reference.complete(variable);
    weft::await(referring) = 2;
    EXPECT_EQ(variable, 2);
    EXPECT_EQ(&referring.await(), &variable);

    Promise<std::unique_ptr<int>> single;
    auto once = single.future();
    single.complete(std::make_unique<int>(3));
    EXPECT_EQ(*weft::await(once), 3);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(once); })));
  });
}

// R-FUT-1
TEST(FutureTest, KeepsItsValueWhenACopyFails) {
  weft::testing::run([] {
    Promise<Touchy> promise;
    auto future = promise.future();
    const Touchy given{5};
    Touchy::throws = true;
    EXPECT_EQ(text(error_of([&] { promise.complete(given); })), "no copy");
    EXPECT_FALSE(future.is_completed());  // nothing changed
    Touchy::throws = false;
    promise.complete(given);
    Touchy::throws = true;
    EXPECT_EQ(text(error_of([&] { weft::await(future); })), "no copy");
    Touchy::throws = false;
    EXPECT_EQ(weft::await(future).value, 5);
  });
}

// R-FUT-2
TEST(FutureTest, IsCompletedOnceAndSaysWhereThatWas) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    const unsigned line = __LINE__ + 1;
    promise.complete(1);
    const std::string expected =
        std::string{"Future is already completed at "} + __FILE__ + ":" + std::to_string(line);
    EXPECT_EQ(text(error_of([&] { promise.complete(2); })), expected);
    const auto error = error_of([&] { promise.fail(std::runtime_error{"late"}); });
    EXPECT_EQ(text(error), expected);
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_EQ(weft::await(future), 1);
    EXPECT_EQ(future.completed_at(), (weft::Place{__FILE__, line}));

    Promise<int> failed;
    auto broken = failed.future();
    failed.fail(std::runtime_error{"first"});
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { failed.complete(2); })));
    EXPECT_EQ(text(error_of([&] { weft::await(broken); })), "first");
  });
}

// R-FUT-3
TEST(FutureTest, IsClosedBeforeItsSubscribersAreNotified) {
  Log log;
  weft::testing::run([&] {
    Promise<int> promise;
    auto future = promise.future();
    weft_test::Call call{[&](weft::Event& event, const weft::Outcome& outcome) {
      log.push_back(event.is_closed() ? "closed" : "open");
      log.push_back(future.completed_at().text());
      log.push_back("value " + std::to_string(*outcome.value<int>()));
    }};
    static_cast<weft::Event&>(future).add_callback(call);
    promise.complete(4, weft::Place{"producer.cpp", 3});
    static_cast<weft::Event&>(future).remove_callback(call);
    weft::await(future);
  });
  EXPECT_EQ(log, (Log{"closed", "producer.cpp:3", "value 4"}));
}

// R-FUT-8
TEST(FutureTest, IsCancelledWhilePending) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    auto reader = weft::spawn([future] { return text(error_of([&] { weft::await(future); })); });
    weft::testing::settle();
    future.cancel();
    EXPECT_TRUE(future.is_cancelled());
    EXPECT_EQ(weft::await(reader), "cancelled: Future has been cancelled");
    future.cancel("again");
    EXPECT_EQ(text(future.exception()), "cancelled: Future has been cancelled");

    Promise<int> other;
    auto stopped = other.future();
    other.cancel("no need");
    EXPECT_EQ(text(error_of([&] { weft::await(stopped); })), "cancelled: no need");
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { other.complete(1); })));

    Promise<int> done;
    auto value = done.future();
    done.complete(3);
    value.cancel();
    done.cancel();
    EXPECT_FALSE(value.is_cancelled());
    EXPECT_EQ(weft::await(value), 3);
  });
}

// The producer cannot know that its reader has given up, so completing then is no error. Completing
// twice is.
// R-FUT-8, R-FUT-2
TEST(FutureTest, DiscardsWhatIsCompletedAfterItsReaderCancelled) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    future.cancel();
    promise.complete(1);
    EXPECT_TRUE(future.is_cancelled());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { promise.complete(2); })));
  });
}

// R-AWT-1, R-SUS-5
TEST(FutureTest, AnswersAtOnceWhenItIsCompleted) {
  weft::testing::run([] {
    auto future = Future<int>::completed(9);
    weft_test::Doorbell token;
    token.ring_and_close();
    auto other = weft::spawn([] {});
    const auto before = weft::stats().switches;
    EXPECT_EQ(weft::await(future), 9);
    EXPECT_EQ(weft::await(future, token), 9);
    EXPECT_EQ(future.await(token), 9);
    EXPECT_EQ(weft::stats().switches, before);
    EXPECT_TRUE(token.has(weft::Event::result_used_flag));
  });
}

// R-AWT-2
TEST(FutureTest, LosesAgainstATokenThatIsFirst) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    const auto error = error_of([&] { weft::await(future, weft::timeout(5ms)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    promise.complete(1);  // the future was not cancelled
    EXPECT_EQ(weft::await(future), 1);
  });
}

// R-AWT-2, R-FUT-9
TEST(FutureTest, MayBeAToken) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        Promise<void> stop;
        {
          auto token = stop.future();
          auto waiter = weft::spawn([token] {
            weft_test::Doorbell bell;
            return error_of([&] { weft::await(bell, token); });
          });
          weft::testing::settle();
          stop.fail(std::runtime_error{"stop now"});
          const auto error = weft::await(waiter);
          EXPECT_TRUE(is<weft::OperationCancelled>(error));
          EXPECT_EQ(text(weft::previous(error)), "stop now");
        }
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings, std::vector<std::string>{});
}

// The exact text that the statement gives.
// R-OBS-3
TEST(FutureTest, DescribesItself) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    auto reader = weft::spawn([future] { return weft::await(future); });
    weft::testing::settle();
    EXPECT_EQ(static_cast<weft::Event&>(future).info(), "FutureState(pending)");
    EXPECT_THAT(reader.awaiting().at(0), ::testing::HasSubstr("Future created at "));
    promise.complete(1);
    EXPECT_EQ(static_cast<weft::Event&>(future).info(), "FutureState(completed)");
    weft::await(reader);
  });
}

TEST(FutureTest, RefusesToWorkWithoutAState) {
  Future<int> empty;
  EXPECT_FALSE(empty);
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(empty); })));
  Promise<int> promise;
  Promise<int> other = std::move(promise);
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { promise.complete(1); })));
}

// A microtask may complete a promise: complete() does not suspend.
TEST(FutureTest, IsCompletedFromAMicrotask) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    auto text = future.map([](int v) { return std::to_string(v); });
    weft::post_microtask([&] { promise.complete(12); });
    EXPECT_EQ(weft::await(text), "12");
  });
}

// Many readers share one error; the first to wake may drop everything.
// trap 12, trap 31
TEST(FutureTest, OwnsItsErrorWhileItNotifiesAThousandReaders) {
  weft::testing::run([] {
    auto promise = std::make_unique<Promise<int>>();
    std::vector<weft::Coroutine<std::string>> readers;
    for (int i = 0; i < 1'000; ++i) {
      readers.push_back(weft::spawn(
          [future = promise->future()] { return text(error_of([&] { weft::await(future); })); }));
    }
    weft::testing::settle();
    promise->fail(std::runtime_error{"all of you"});
    promise.reset();
    for (auto& reader : readers) EXPECT_EQ(weft::await(reader), "all of you");
  });
}

}  // namespace
