#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Chains: map, recover and finally.
namespace {

using weft::Future;
using weft::Promise;
using weft::Result;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

// R-FUT-4
TEST(FutureChainTest, MapsSuccessRecoversFailureAndFinallySeesBoth) {
  Log log;
  weft::testing::run([&] {
    const auto chain = [&log](const Future<int>& future) {
      return future
          .map([&](int v) {
            log.push_back("map");
            return v + 1;
          })
          .recover([&](const std::exception_ptr& error) {
            log.push_back("recover " + text(error));
            return -1;
          })
          .finally([&] { log.push_back("finally"); });
    };
    EXPECT_EQ(weft::await(chain(Future<int>::completed(1))), 2);
    const auto error = std::make_exception_ptr(std::runtime_error{"bad"});
    EXPECT_EQ(weft::await(chain(Future<int>::failed(error))), -1);
  });
  EXPECT_EQ(log, (Log{"map", "finally", "recover bad", "finally"}));
}

// R-FUT-4
TEST(FutureChainTest, KeepsSeveralChainsOnOneFutureIndependent) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    auto fails = future.map([](int) -> int { throw std::runtime_error{"mine alone"}; });
    auto doubles = future.map([](int v) { return 2 * v; });
    auto waits = future.map([](int v) {
      weft::delay(1h);
      return v;
    });
    auto last = future.map([](int v) { return std::to_string(v); });
    promise.complete(21);
    EXPECT_EQ(weft::await(doubles), 42);
    const auto start = weft::now();
    EXPECT_EQ(weft::await(last), "21");
    EXPECT_LT(weft::now() - start, 1s);  // does not wait for the chain that parked
    EXPECT_EQ(text(error_of([&] { weft::await(fails); })), "mine alone");
    EXPECT_EQ(weft::await(waits), 21);
    EXPECT_EQ(weft::await(future), 21);
  });
}

// R-FUT-5
TEST(FutureChainTest, NeverRunsInsideComplete) {
  Log log;
  weft::testing::run([&] {
    Promise<int> promise;
    auto chained = promise.future().map([&](int) {
      log.push_back("chain");
      return 0;
    });
    promise.complete(1);
    log.push_back("completed");
    weft::await(chained);

    auto late = promise.future().map([&](int) {
      log.push_back("late chain");
      return 0;
    });
    log.push_back("attached");
    weft::await(late);
  });
  EXPECT_EQ(log, (Log{"completed", "chain", "attached", "late chain"}));
}

// R-FUT-5
TEST(FutureChainTest, RunsATreeInOneCoroutine) {
  std::vector<std::uint64_t> ids;
  weft::testing::run([&] {
    Promise<int> promise;
    auto root = promise.future();
    const auto note = [&](int v) {
      ids.push_back(weft::current().id());
      return v;
    };
    auto left = root.map(note);
    auto right = root.map(note);
    auto left_1 = left.map(note);
    auto left_2 = left.map(note);
    auto right_1 = right.map(note);
    const auto before = weft::stats().coroutines;
    promise.complete(1);
    EXPECT_EQ(weft::stats().coroutines, before + 1);
    weft::await(left_2);
    weft::await(right_1);
    weft::await(left_1);
  });
  EXPECT_EQ(ids.size(), 5U);
  EXPECT_EQ(ids, std::vector<std::uint64_t>(5, ids.front()));
}

// R-FUT-5
TEST(FutureChainTest, NeedsNoDeepStackForALongChain) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    for (int i = 0; i < 50'000; ++i) future = future.map([](int v) { return v + 1; });
    promise.complete(0);
    EXPECT_EQ(weft::await(future), 50'000);

    Promise<int> failing;
    auto failed = failing.future();
    for (int i = 0; i < 50'000; ++i) failed = failed.map([](int v) { return v + 1; });
    failing.fail(std::runtime_error{"at the start"});
    EXPECT_EQ(text(error_of([&] { weft::await(failed); })), "at the start");

    auto abandoned = std::make_unique<Promise<int>>();
    auto broken = abandoned->future();
    for (int i = 0; i < 50'000; ++i) broken = broken.map([](int v) { return v + 1; });
    abandoned.reset();
    EXPECT_TRUE(is<weft::BrokenPromise>(error_of([&] { weft::await(broken); })));
  });
}

// R-FUT-6
TEST(FutureChainTest, PassesThroughWhatIsNotItsBusiness) {
  weft::testing::run([] {
    const auto error = std::make_exception_ptr(std::runtime_error{"original"});
    auto failed = Future<int>::failed(error);
    auto mapped = failed.map([](int) { return std::string{"never"}; });
    EXPECT_EQ(error_of([&] { weft::await(mapped); }), error);  // the same exception object
    auto kept = Future<int>::completed(3).recover([](const std::exception_ptr&) { return 0; });
    EXPECT_EQ(weft::await(kept), 3);
    auto after = failed.finally([] {});
    EXPECT_EQ(error_of([&] { weft::await(after); }), error);
    auto value = Future<int>::completed(4).finally([] {});
    EXPECT_EQ(weft::await(value), 4);
  });
}

// R-FUT-6
TEST(FutureChainTest, GivesFinallyTheValueOrTheError) {
  Log log;
  weft::testing::run([&] {
    const auto note = [&](const Result<int>& settled) {
      log.push_back(settled ? "value " + std::to_string(settled.value())
                            : "error " + text(settled.error()));
    };
    EXPECT_EQ(weft::await(Future<int>::completed(4).finally(note)), 4);
    auto failed =
        Future<int>::failed(std::make_exception_ptr(std::runtime_error{"bad"})).finally(note);
    EXPECT_EQ(text(error_of([&] { weft::await(failed); })), "bad");
  });
  EXPECT_EQ(log, (Log{"value 4", "error bad"}));
}

// R-FUT-6
TEST(FutureChainTest, ReplacesTheOutcomeByWhatFinallyThrows) {
  weft::testing::run([] {
    const auto original = std::make_exception_ptr(std::runtime_error{"original"});
    auto failed = Future<int>::failed(original).finally([] { throw std::logic_error{"cleanup"}; });
    const auto error = error_of([&] { weft::await(failed); });
    EXPECT_EQ(text(error), "cleanup");
    EXPECT_EQ(weft::previous(error), original);

    auto value = Future<int>::completed(1).finally([] { throw std::logic_error{"cleanup"}; });
    const auto alone = error_of([&] { weft::await(value); });
    EXPECT_EQ(text(alone), "cleanup");
    EXPECT_EQ(weft::previous(alone), nullptr);
  });
}

// R-FUT-7
TEST(FutureChainTest, ResolvesOnATemporaryFuture) {
  weft::testing::run([] {
    Promise<int> promise;
    auto result = promise.future()
                      .map([](int v) { return v + 1; })
                      .map([](int v) { return std::to_string(v); })
                      .finally([] {});
    promise.complete(1);
    EXPECT_EQ(weft::await(result), "2");
  });
}

// R-FUT-7
TEST(FutureChainTest, RunsForItsEffectAlone) {
  int seen = 0;
  weft::testing::run([&] {
    Promise<int> promise;
    promise.future().map([&](int v) { seen = v; }).ignore();
    promise.complete(5);
  });
  EXPECT_EQ(seen, 5);
}

// R-FUT-4
TEST(FutureChainTest, CarriesVoidReferencesAndWhatCannotBeCopied) {
  weft::testing::run([] {
    Promise<void> nothing;
    auto number = nothing.future().map([] { return 1; });
    auto still_nothing = nothing.future().recover([](const std::exception_ptr&) {}).finally([] {});
    nothing.complete();
    EXPECT_EQ(weft::await(number), 1);
    weft::await(still_nothing);

    int variable = 1;
    Promise<int&> reference;
    auto mapped = reference.future().map([](int& v) -> int& { return v; });
    auto kept =
        reference.future().recover([&](const std::exception_ptr&) -> int& { return variable; });
    reference.complete(variable);
    EXPECT_EQ(&weft::await(mapped), &variable);
    EXPECT_EQ(&weft::await(kept), &variable);

    Promise<std::unique_ptr<int>> single;
    auto looked = single.future().map([](const std::unique_ptr<int>& p) { return *p; });
    auto taken = single.future().map([](std::unique_ptr<int> p) { return *p + 1; });
    auto too_late = single.future().map([](std::unique_ptr<int> p) { return *p + 1; });
    single.complete(std::make_unique<int>(6));
    EXPECT_EQ(weft::await(looked), 6);
    EXPECT_EQ(weft::await(taken), 7);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(too_late); })));

    auto through =
        Future<std::unique_ptr<int>>::completed(std::make_unique<int>(8))
            .recover([](const std::exception_ptr&) { return std::make_unique<int>(0); })
            .finally([](const Result<std::unique_ptr<int>>& s) { EXPECT_EQ(*s.value(), 8); });
    EXPECT_EQ(*weft::await(through), 8);
  });
}

// R-FUT-8
TEST(FutureChainTest, DiscardsWhatItMadeIfItsFutureWasCancelledMeanwhile) {
  weft::testing::run([] {
    Promise<int> promise;
    auto slow = promise.future().map([](int v) {
      weft::delay(1ms);
      return v;
    });
    auto after = slow.recover(
        [](const std::exception_ptr& error) { return weft::is_cancellation(error) ? -1 : -2; });
    promise.complete(1);
    weft::suspend();
    slow.cancel();
    EXPECT_EQ(weft::await(after), -1);
    weft::delay(2ms);
    EXPECT_TRUE(slow.is_cancelled());
  });
}

// A chain that a shutdown cancels before it begins notifies its waiters.
// R-FUT-5
TEST(FutureChainTest, CancelsItsFutureWhenItNeverBegins) {
  Future<int> outside;
  weft::testing::run([&] {
    Promise<int> promise;
    auto future = promise.future();
    outside = future.map([](int v) { return v; }).ignore();
    weft::shutdown();
    promise.complete(1);
  });
  EXPECT_TRUE(outside.is_cancelled());
}

// R-FUT-10
TEST(FutureChainTest, FailsItsFutureWhenTheRuntimeIsGone) {
  Promise<int> promise;
  Future<int> outside;
  weft::testing::run([&] {
    outside = promise.future().map([](int v) { return v; }).map([](int v) { return v; });
  });
  promise.complete(1);
  EXPECT_TRUE(is<weft::MisuseError>(outside.exception()));
  weft::testing::run([&] {
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::await(outside); })));
    EXPECT_EQ(weft::await(promise.future()), 1);
  });
}

TEST(FutureChainTest, CannotBeAttachedOutsideARuntime) {
  Promise<int> promise;
  auto future = promise.future();
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { (void)future.map([](int v) { return v; }); })));
  future.ignore();
}

// Some errors cannot carry a previous one, so weft keeps a list of these pairs. The list is
// bounded: a server that runs for years must not keep all.
TEST(FutureChainTest, ForgetsTheOldestOfManyErrorsThatMet) {
  weft::testing::run([] {
    std::vector<std::weak_ptr<int>> met;
    std::exception_ptr latest;
    struct Heavy : std::runtime_error {
      explicit Heavy(std::shared_ptr<int> given)
          : std::runtime_error{"first"}, weight{std::move(given)} {}
      std::shared_ptr<int> weight;
    };
    for (int i = 0; i < 1'000; ++i) {
      weft::Promise<int> promise;
      auto ended = promise.future().finally([] { throw std::runtime_error{"later"}; });
      const auto weight = std::make_shared<int>(i);
      met.push_back(weight);
      promise.fail(Heavy{weight});
      latest = error_of([&] { weft::await(ended); });
    }
    EXPECT_EQ(text(weft::previous(latest)), "first");
    EXPECT_TRUE(met.front().expired());
    EXPECT_FALSE(met.back().expired());
  });
}

// A future that lives as long as a server must not keep the chains of cancelled requests.
TEST(FutureChainTest, LetsGoOfACancelledChainAtOnce) {
  weft::testing::run([] {
    weft::Promise<int> stop;
    const auto source = stop.future();
    const auto guard = std::make_shared<int>(0);
    int called = 0;
    auto kept = source.map([&, guard](int value) { return called += value; });
    const auto cancelled = source.map([&, guard](int value) { return called += value; });
    const auto last = source.recover([&, guard](const std::exception_ptr&) { return 0; });
    EXPECT_EQ(guard.use_count(), 4);
    cancelled.cancel();
    EXPECT_EQ(guard.use_count(), 3);
    last.cancel();
    EXPECT_EQ(guard.use_count(), 2);
    stop.complete(1);
    EXPECT_EQ(weft::await(kept), 1);
    EXPECT_EQ(called, 1);
  });
}

// A finally is for clean-up: it runs even if its future is cancelled.
TEST(FutureChainTest, RunsAFinallyWhoseFutureWasCancelled) {
  weft::testing::run([] {
    weft::Promise<int> stop;
    bool cleaned = false;
    const auto chained = stop.future().finally([&] { cleaned = true; });
    chained.cancel();
    EXPECT_FALSE(cleaned);
    stop.complete(1);
    weft::testing::settle();
    EXPECT_TRUE(cleaned);
  });
}

// The future of a chain may have chains, which are cancelled with it.
TEST(FutureChainTest, PassesACancellationDownAChain) {
  weft::testing::run([] {
    weft::Promise<int> stop;
    const auto first = stop.future().map([](int value) { return value; });
    const auto second = first.map([](int value) { return value; });
    first.cancel();
    EXPECT_THROW(weft::await(second), weft::Cancelled);
  });
}

}  // namespace
