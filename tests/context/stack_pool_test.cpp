#include "context/stack_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace stack_pool_test {

using namespace std::chrono_literals;
using weft_test::Doorbell;

/// Parks `count` coroutines at the same time, which then end one after the other, so that the run
/// queue is short whenever a context is given back.
void burst(std::size_t count) {
  std::vector<weft::Coroutine<void>> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(weft::spawn([i] { weft::delay(std::chrono::milliseconds{1 + i}); }));
  }
  for (const auto& one : all) weft::await(one);
}

// R-CPO-1, R-CPO-3
TEST(StackPool, GivesAPooledContextToTheNextCoroutine) {
  weft::testing::run([] {
    EXPECT_EQ(weft::stats().contexts_created, 0U);
    weft::await(weft::spawn([] {}));
    EXPECT_EQ(weft::stats().contexts_created, 1U);
    EXPECT_EQ(weft::stats().contexts_reused, 0U);
    EXPECT_EQ(weft::stats().contexts_pooled, 1U);
    weft::await(weft::spawn([] { EXPECT_EQ(weft::stats().contexts_pooled, 0U); }));
    EXPECT_EQ(weft::stats().contexts_created, 1U);
    EXPECT_EQ(weft::stats().contexts_reused, 1U);
  });
}

// R-CPO-3
TEST(StackPool, MakesANewContextOnlyWhenItIsEmpty) {
  weft::testing::run([] {
    burst(10);
    EXPECT_EQ(weft::stats().contexts_created, 10U);
    burst(12);
    EXPECT_EQ(weft::stats().contexts_created, 12U);
    EXPECT_EQ(weft::stats().contexts_reused, 10U);
  });
}

// R-CPO-1
TEST(StackPool, NeedsNoContextBeforeTheStart) {
  weft::testing::run([] {
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 100; ++i) all.push_back(weft::spawn([] {}));
    EXPECT_EQ(weft::stats().contexts_created, 0U);
    EXPECT_EQ(weft::stats().contexts_in_use, 0U);
    weft::await(all.back());
    EXPECT_EQ(weft::stats().contexts_created, 1U);  // each coroutine inherits the context
  });
}

// R-CPO-1
TEST(StackPool, UsesTheSizeThatWasConfigured) {
  weft::Options options;
  options.stack_size = std::size_t{512} * 1024;
  weft::testing::run(
      [] {
        EXPECT_GE(weft::stats().stack_size, std::size_t{512} * 1024);
        EXPECT_LT(weft::stats().stack_size, std::size_t{1024} * 1024);
        weft::await(weft::spawn([] {}));
        EXPECT_GE(weft::stats().stack_bytes_reserved, std::size_t{512} * 1024);
        EXPECT_GE(weft::stats().pooled_bytes, std::size_t{512} * 1024);
      },
      options);
}

// R-CPO-1
TEST(StackPool, DoesNotGiveASmallContextToOneThatWantsALargeOne) {
  weft::testing::run([] {
    weft::await(weft::spawn([] {}));
    auto large = weft::spawn({.stack_size = std::size_t{4} * 1024 * 1024}, [] {
      volatile std::byte room[std::size_t{3} * 1024 * 1024];
      for (std::size_t i = 0; i < sizeof room; i += 4096) room[i] = std::byte{1};
      weft::suspend();
      return room[0];
    });
    EXPECT_EQ(weft::await(large), std::byte{1});
  });
}

// R-CPO-2, R-CPO-4, trap 26: the pool keeps as many as were needed recently, whatever the length of
// the run queue.
TEST(StackPool, KeepsWhatTheRecentPastNeeded) {
  weft::testing::run([] {
    burst(100);
    const std::uint64_t created = weft::stats().contexts_created;
    EXPECT_EQ(created, 100U);
    for (int i = 0; i < 20; ++i) burst(100);
    EXPECT_EQ(weft::stats().contexts_created, created);
    EXPECT_EQ(weft::stats().contexts_reused, 2'000U);
    EXPECT_GE(weft::stats().pool_target, 1U);
  });
}

// R-CPO-4
TEST(StackPool, GivesTheSurplusBackWhenItIsNoLongerNeeded) {
  weft::testing::run([] {
    burst(500);
    const std::size_t after_burst = weft::stats().pooled_bytes;
    for (int i = 0; i < 5'000; ++i) {
      weft::await(weft::spawn([] { weft::delay(1s); }));
    }
    EXPECT_LT(weft::stats().contexts_pooled, 100U);
    EXPECT_LT(weft::stats().pooled_bytes, after_burst / 4);
    EXPECT_EQ(weft::stats().contexts_created, 500U);
  });
}

/// Touches `bytes` of the stack; where it was.
[[gnu::noinline]] const std::byte* touch(std::size_t bytes) {
  auto* const room = static_cast<volatile std::byte*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 4096) room[i] = std::byte{1};
  return const_cast<const std::byte*>(room);
}

bool is_resident(const std::byte* address) {
  const auto page = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{4095};
  unsigned char state = 0;
  EXPECT_EQ(::mincore(reinterpret_cast<void*>(page), 4096, &state), 0);
  return (state & 1U) != 0;
}

// A stack that stays in the pool keeps the pages that most coroutines touch, not those of the
// deepest call it ever had.
TEST(StackPool, FreesTheLowerPagesOfAStackThatWasUsedDeeply) {
  weft::testing::run([] {
    const std::byte* low = nullptr;
    weft::await(weft::spawn([&] {
      low = touch(std::size_t{128} * 1024);
      weft::suspend();
    }));
    EXPECT_EQ(weft::stats().contexts_pooled, 1U);
    EXPECT_TRUE(is_resident(low));
    for (int i = 0; i < 30; ++i) weft::delay(1s);
    EXPECT_EQ(weft::stats().contexts_pooled, 1U);
    EXPECT_FALSE(is_resident(low));

    weft::await(weft::spawn([&] { low = touch(std::size_t{128} * 1024); }));
    EXPECT_EQ(weft::stats().contexts_created, 1U);
    EXPECT_TRUE(is_resident(low));
    for (int i = 0; i < 30; ++i) weft::delay(1s);
    EXPECT_FALSE(is_resident(low));
  });
}

/// A policy with a fixed answer, which checks its arguments.
class FixedPolicy final : public weft::StackPolicy {
 public:
  explicit FixedPolicy(std::size_t answer) : answer_{answer} {}
  std::size_t keep(std::size_t in_use, std::size_t peak, std::size_t) noexcept override {
    ++calls;
    consistent = consistent && in_use <= peak;
    highest_peak = std::max(highest_peak, peak);
    return answer_;
  }
  int calls = 0;
  bool consistent = true;
  std::size_t highest_peak = 0;

 private:
  std::size_t answer_;
};

// R-CPO-4
TEST(StackPool, HasAReplaceablePolicy) {
  const auto pooled_with = [](FixedPolicy& policy) {
    weft::Options options;
    options.stack_policy = &policy;
    return weft::testing::run(
        [] {
          burst(100);
          for (int i = 0; i < 5'000; ++i) weft::delay(1s);
          return weft::stats().contexts_pooled;
        },
        options);
  };
  FixedPolicy none{0};
  EXPECT_EQ(pooled_with(none), 0U);
  EXPECT_GT(none.calls, 0);
  EXPECT_TRUE(none.consistent);
  EXPECT_GE(none.highest_peak, 100U);
  EXPECT_LE(none.highest_peak, 101U);  // the scheduler coroutine has a context, too
  FixedPolicy all{1'000};
  EXPECT_EQ(pooled_with(all), 100U);
  EXPECT_GT(all.calls, 0);
}

std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// R-CPO-5: pooled contexts are abandoned at the end, not resumed, and their stacks are given back.
TEST(StackPool, IsFreedAtTheEndWithoutResumingItsContexts) {
  const auto body = [] {
    burst(100);
    EXPECT_EQ(weft::stats().contexts_pooled, 100U);
    return weft::stats().switches;
  };
  weft::testing::run(body);
  const std::size_t before = address_space();
  const std::uint64_t switches = weft::testing::run(body);
  EXPECT_LE(weft::stats().switches - switches, 2U);  // main to the scheduler coroutine and back
  EXPECT_LT(address_space(), before + std::size_t{1024} * 1024);
  EXPECT_EQ(weft::stats().contexts_in_use, 0U);
}

// R-CPO-6
TEST(StackPool, NeedsAHandfulOfContextsForTenThousandInARow) {
  weft::testing::run([] {
    for (int i = 0; i < 10'000; ++i) weft::await(weft::spawn([] {}));
    EXPECT_LE(weft::stats().contexts_created, 4U);
    EXPECT_GE(weft::stats().contexts_reused, 9'996U);
  });
}

// R-CPO-6: other coroutines stay parked meanwhile.
TEST(StackPool, NeedsAHandfulMoreContextsWhileOthersAreParked) {
  weft::testing::run([] {
    Doorbell bell;
    std::vector<weft::Coroutine<void>> parked;
    for (int i = 0; i < 50; ++i) parked.push_back(weft::spawn([&] { weft::await(bell); }));
    weft::testing::settle();
    for (int i = 0; i < 10'000; ++i) weft::await(weft::spawn([] { weft::suspend(); }));
    EXPECT_LE(weft::stats().contexts_created, 54U);
    EXPECT_EQ(weft::stats().contexts_in_use, 50U);
    bell.ring();
    for (const auto& one : parked) weft::await(one);
  });
}

// R-CPO-7, trap 29: a slot whose guard was refused is used for the next stack.
TEST(StackPool, LosesNoSlotWhenAGuardIsRefused) {
  weft::StackPool pool{weft::StackPool::minimum_size, false, nullptr};
  pool.guards().start_at(weft::GuardKind::pages);
  pool.guards().limit_pages(1);
  weft::Context& first = pool.acquire(0);
  const std::size_t reserved = pool.bytes_reserved();
  for (int i = 0; i < 3'000; ++i) EXPECT_THROW(pool.acquire(0), weft::StackError);
  EXPECT_EQ(pool.bytes_reserved(), reserved);
  EXPECT_EQ(pool.in_use(), 1U);
  pool.guards().limit_pages(2);
  weft::Context& second = pool.acquire(0);
  EXPECT_EQ(pool.bytes_reserved(), reserved);
  EXPECT_EQ(static_cast<std::byte*>(second.low()) - static_cast<std::byte*>(first.low()),
            static_cast<std::ptrdiff_t>(first.size() + weft::Guards::width));
  pool.release(second);
  pool.release(first);
}

}  // namespace stack_pool_test
