#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using weft::Future;
using weft::Promise;
using weft_test::Allocations;
using weft_test::error_of;
using weft_test::is;

// R-AWT-1
TEST(FutureAllocationTest, AwaitOfACompletedFutureMakesNone) {
  weft::testing::run([] {
    auto future = Future<int>::completed(1);
    int sum = weft::await(future);
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) sum += weft::await(future);
    EXPECT_EQ(Allocations::count() - before, 0U);
    EXPECT_EQ(sum, 101);
  });
}

// R-AWT-1, R-FUT-3
TEST(FutureAllocationTest, AwaitAndCompletionOfAPendingFutureMakeNone) {
  weft::testing::run([] {
    constexpr std::size_t rounds = 110;
    std::vector<Promise<int>> promises(rounds);
    std::vector<Future<int>> futures;
    for (auto& promise : promises) futures.push_back(promise.future());
    auto completer = weft::spawn([&] {
      for (auto& promise : promises) {
        promise.complete(1);
        weft::suspend();
      }
    });
    int sum = 0;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < rounds; ++i) {
      if (i == 10) before = Allocations::count();
      sum += weft::await(futures[i]);
    }
    EXPECT_EQ(Allocations::count() - before, 0U);
    EXPECT_EQ(sum, 110);
    weft::await(completer);
  });
}

// The coroutine of a chain is made when it is attached, so completing needs no memory.
// R-FUT-5
TEST(FutureAllocationTest, CompletionWithChainsMakesNone) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    std::vector<Future<int>> chains;
    for (int i = 0; i < 200; ++i) chains.push_back(future.map([](int v) { return v; }));
    for (int i = 0; i < 300; ++i) weft::suspend();  // the run queue must not shrink meanwhile
    const std::uint64_t before = Allocations::count();
    Allocations::fail_at(1);
    promise.complete(1);
    Allocations::fail_never();
    EXPECT_EQ(Allocations::count() - before, 0U);
    for (const auto& chain : chains) EXPECT_EQ(weft::await(chain), 1);
  });
}

// R-FUT-5
TEST(FutureAllocationTest, ChainThatFindsNoMemoryChangesNothing) {
  weft::testing::run([] {
    Promise<int> promise;
    auto future = promise.future();
    bool refused = true;
    for (std::uint64_t k = 1; refused; ++k) {
      Allocations::fail_at(k);
      const auto error = error_of([&] { future.map([](int v) { return v; }).ignore(); });
      Allocations::fail_never();
      refused = error != nullptr;
      EXPECT_TRUE(error == nullptr || is<std::bad_alloc>(error));
      ASSERT_LT(k, 20U);
    }
    promise.complete(4);
    EXPECT_EQ(weft::await(future), 4);
  });
}

// Without memory for the microtask that detects a suspension, each chain runs in its own coroutine.
// R-FUT-5
TEST(FutureAllocationTest, ChainsRunWithoutMemory) {
  weft::testing::run([] {
    for (std::uint64_t k = 1; k < 8; ++k) {
      Promise<int> promise;
      auto future = promise.future();
      std::vector<Future<int>> chains;
      for (int i = 0; i < 3; ++i) {
        chains.push_back(future.map([](int v) {
          weft::suspend();
          return v;
        }));
      }
      promise.complete(1);
      Allocations::fail_at(k);
      const auto error = error_of([] { weft::testing::settle(); });
      Allocations::fail_never();
      EXPECT_EQ(error, nullptr);
      for (const auto& chain : chains) EXPECT_EQ(weft::await(chain), 1);
    }
  });
}

}  // namespace
