#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// The warnings of futures that were not used, and of those that were not completed.
namespace future_warning_test {

using weft::Future;
using weft::Promise;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;
using Warnings = std::vector<std::string>;

constexpr weft::Place made{"made.cpp", 1};
constexpr weft::Place ended{"ended.cpp", 2};
constexpr const char* unused =
    "Future was never used; call await(), map(), recover(), finally() or ignore() to suppress this "
    "warning. Created at made.cpp:1";
constexpr const char* unhandled =
    "Unhandled exception in Future: bad; use recover() or ignore() to handle. Created at "
    "made.cpp:1, completed at ended.cpp:2";

template <class F>
Warnings warnings_of(F&& body) {
  Warnings warnings;
  weft::testing::run(std::forward<F>(body), weft_test::collecting(warnings));
  return warnings;
}

// R-FUT-9
TEST(FutureWarningTest, IsGivenOnceForAnUnusedFuture) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise{made};
              { auto future = promise.future(); }
              { auto again = promise.future(); }
              promise.complete(1);
            }),
            Warnings{unused});
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise{made};
              (void)promise.future();  // destroyed before the promise: no future is left to fail
            }),
            Warnings{unused});
}

// R-FUT-9
TEST(FutureWarningTest, IsGivenOnceForAnUntakenError) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise{made};
              auto future = promise.future();
              auto copy = future;
              promise.fail(std::runtime_error{"bad"}, ended);
            }),
            Warnings{unhandled});
  // A coroutine has waited, but was cancelled before the completion.
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise{made};
              auto reader = weft::spawn([f = promise.future()] { weft::await(f); });
              weft::testing::settle();
              reader.cancel();
              error_of([&] { weft::await(reader); });
              promise.fail(std::runtime_error{"bad"}, ended);
            }),
            Warnings{unhandled});
}

// R-FUT-9
TEST(FutureWarningTest, IsNotGivenForWhatWasUsed) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              auto future = promise.future();
              promise.complete(1);
              weft::await(future);
            }),
            Warnings{});
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              auto mapped = promise.future().map([](int v) { return v; });
              promise.fail(std::runtime_error{"bad"});
              EXPECT_EQ(text(error_of([&] { weft::await(mapped); })), "bad");
            }),
            Warnings{});
  EXPECT_EQ(warnings_of([] { Promise<int> never_had_a_future; }), Warnings{});
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              auto reader =
                  weft::spawn([f = promise.future()] { error_of([&] { weft::await(f); }); });
              weft::testing::settle();
              promise.fail(std::runtime_error{"bad"});
              weft::await(reader);
            }),
            Warnings{});
}

// R-FUT-9
TEST(FutureWarningTest, IsSuppressedByIgnore) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              promise.future().ignore();
              promise.complete(1);
              Promise<int> failing;
              failing.future().ignore();
              failing.fail(std::runtime_error{"bad"});
              Promise<int> written;
              auto future = written.future();
              written.ignore();
              written.fail(std::runtime_error{"bad"});
            }),
            Warnings{});
}

// R-FUT-9
TEST(FutureWarningTest, CountsATokenAsUsed) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              weft_test::Doorbell bell;
              auto ringer = weft::spawn([&] { bell.ring(); });
              weft::await(bell, promise.future());
              promise.complete(1);
            }),
            Warnings{});
}

// R-FUT-9, trap 10
TEST(FutureWarningTest, IsNotGivenForAnErrorThatACallbackClaimed) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              auto future = promise.future();
              weft_test::Call call{[](weft::Event& event, const weft::Outcome&) {
                event.set(weft::Event::result_used_flag);
                event.claim_error();
              }};
              weft::Event& event = future;
              event.add_callback(call);
              promise.fail(std::runtime_error{"bad"});
              event.remove_callback(call);
            }),
            Warnings{});
}

// A cancellation is no error.
// R-FUT-8, R-FUT-9
TEST(FutureWarningTest, IsNotGivenForACancellation) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              promise.future().cancel();
            }),
            Warnings{});
}

// The chain goes on although its result is not used; that is what the warning says.
// R-FUT-9
TEST(FutureWarningTest, NamesThePlaceOfAnUnusedChain) {
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              {
                auto mapped = promise.future().map([](int v) { return v; }, made);
              }
              promise.complete(1);
            }),
            Warnings{unused});
  EXPECT_EQ(warnings_of([] {
              Promise<int> promise;
              {
                auto mapped =
                    promise.future().map([](int) -> int { throw std::runtime_error{"bad"}; }, made);
              }
              promise.complete(1);
            }),
            (Warnings{"Unhandled exception in Future: bad; use recover() or ignore() to handle. "
                      "Created at made.cpp:1, completed at made.cpp:1"}));
}

// R-FUT-10, trap 21
TEST(FutureWarningTest, FutureDroppedBeforeItsProducerCompletesIsSafe) {
  EXPECT_EQ(warnings_of([] {
              auto token = std::make_shared<int>(1);
              Promise<std::shared_ptr<int>> promise;
              promise.future().ignore();
              promise.complete(token);  // discarded with the promise
              EXPECT_EQ(token.use_count(), 2);
              { Promise<std::shared_ptr<int>> gone = std::move(promise); }
              EXPECT_EQ(token.use_count(), 1);
            }),
            Warnings{});
}

/// A producer that keeps pending futures in a list, as a channel does.
class Listed final : public weft::FutureState<int> {
 public:
  explicit Listed(std::vector<Listed*>& list) : FutureState{made}, list_{list} {
    list_.push_back(this);
  }

 private:
  ~Listed() override = default;
  void unwanted() noexcept override { std::erase(list_, this); }
  std::vector<Listed*>& list_;
};

// R-FUT-10, trap 21
TEST(FutureWarningTest, ProducerSeesThatItsFutureIsNotWanted) {
  weft::testing::run([] {
    std::vector<Listed*> list;
    {
      Future<int> future{weft::make_ref<Listed>(list)};
      future.ignore();
      EXPECT_EQ(list.size(), 1U);
      auto copy = future;
    }
    EXPECT_TRUE(list.empty());
    Future<int> cancelled{weft::make_ref<Listed>(list)};
    cancelled.cancel();
    EXPECT_TRUE(list.empty());
    auto kept = weft::make_ref<Listed>(list);
    auto mapped = Future<int>{kept}.map([](int v) { return v + 1; });
    EXPECT_EQ(list.size(), 1U);  // the chain still uses it
    list.front()->complete({}, 1);
    EXPECT_EQ(weft::await(mapped), 2);
  });
}

// R-FUT-10
TEST(FutureWarningTest, PromiseDroppedWithoutCompletingFailsItsFuture) {
  EXPECT_EQ(warnings_of([] {
              auto promise = std::make_unique<Promise<int>>(made);
              auto future = promise->future();
              auto reader =
                  weft::spawn([future] { return error_of([&] { weft::await(future); }); });
              weft::testing::settle();
              promise.reset();
              const auto error = weft::await(reader);
              EXPECT_TRUE(is<weft::BrokenPromise>(error));
              EXPECT_EQ(text(error),
                        "The promise was dropped without completing its future. Created at "
                        "made.cpp:1");
              Promise<int> first;
              auto lost = first.future();
              first = Promise<int>{};
              EXPECT_TRUE(is<weft::BrokenPromise>(error_of([&] { weft::await(lost); })));
            }),
            Warnings{});
}

// A promise that is destroyed before its completion fails the chains of its future.
// R-FUT-10
TEST(FutureWarningTest, ChainOnADroppedProducerFails) {
  weft::testing::run([] {
    std::vector<Listed*> list;
    Future<int> mapped;
    {
      auto state = weft::make_ref<Listed>(list);
      mapped = Future<int>{state}.map([](int v) { return v; });
    }
    EXPECT_TRUE(is<weft::BrokenPromise>(error_of([&] { weft::await(mapped); })));
  });
}

}  // namespace future_warning_test
