#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// In which scope chains run.
namespace {

using weft::Future;
using weft::Promise;
using weft::Ref;
using weft::Scope;
using weft_test::error_of;
using namespace std::chrono_literals;

// R-FUT-5
TEST(FutureScopeTest, ChainRunsInTheScopeInWhichItWasAttached) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    Ref<Scope> scope = Scope::inherit();
    Scope* seen = nullptr;
    Scope* outer = scope.get();
    Future<int> inner;
    weft::await(scope->spawn([&] {
      inner = future.map([&](int v) {
        seen = Scope::current().get();
        weft::delay(1ms);
        return v;
      });
    }));
    auto here = future.map([&](int v) {
      outer = Scope::current().get();
      return v;
    });
    promise.complete(1);
    weft::suspend();
    EXPECT_EQ(scope->size(), 1U);
    weft::await_all(inner, here);
    EXPECT_EQ(seen, scope.get());
    EXPECT_EQ(outer, nullptr);  // the main scope
  });
}

// R-FUT-5, trap 22
TEST(FutureScopeTest, ChainKeepsItsScopeAlive) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    Future<int> chained;
    {
      Ref<Scope> scope = Scope::inherit();
      weft::await(scope->spawn([&] { chained = future.map([](int v) { return v; }); }));
    }
    promise.complete(1);
    // The scope of the chain was disposed before, and takes no coroutine.
    const auto error = error_of([&] { weft::await(chained); });
    EXPECT_EQ(weft_test::text(error), "Cannot spawn a coroutine in a closed scope");
  });
}

// R-FUT-5, trap 22
TEST(FutureScopeTest, ChainOfACancelledScopeNeverRuns) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    Future<int> chained;
    bool ran = false;
    Ref<Scope> scope = Scope::inherit();
    weft::await(scope->spawn([&] {
      chained = future.map([&](int v) {
        ran = true;
        return v;
      });
    }));
    scope->cancel();
    promise.complete(1);
    EXPECT_NE(error_of([&] { weft::await(chained); }), nullptr);
    EXPECT_FALSE(ran);
    EXPECT_EQ(weft::await(future), 1);
  });
}

// A chain on a future that is never completed does not keep its scope alive.
// trap 22
TEST(FutureScopeTest, AbandonedChainLetsItsScopeGo) {
  weft::testing::run([] {
    auto promise = std::make_unique<Promise<int>>();
    Future<int> chained;
    weft::with_scope([&](Scope&) {
      weft::await(weft::spawn([&] { chained = promise->future().map([](int v) { return v; }); }));
    });
    promise.reset();
    EXPECT_NE(error_of([&] { weft::await(chained); }), nullptr);
  });
}

}  // namespace
