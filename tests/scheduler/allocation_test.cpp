#include <cstdint>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace {

using weft_test::Allocations;
using weft_test::Doorbell;
using namespace std::chrono_literals;

/// How many allocations a hundred calls of `step` make, after ten that may allocate memory that is
/// kept.
template <class F>
std::uint64_t allocations_in_steady_state(F step) {
  for (int i = 0; i < 10; ++i) step();
  const std::uint64_t before = Allocations::count();
  for (int i = 0; i < 100; ++i) step();
  return Allocations::count() - before;
}

// R-WAK-1
TEST(AllocationTest, IsNotMadeByAYield) {
  weft::testing::run([] {
    EXPECT_EQ(allocations_in_steady_state([] { weft::suspend(); }), 0U);
    bool stop = false;
    auto partner = weft::spawn([&] {
      while (!stop) weft::suspend();
    });
    EXPECT_EQ(allocations_in_steady_state([] { weft::suspend(); }), 0U);
    stop = true;
    weft::await(partner);
  });
}

// R-WAK-1
TEST(AllocationTest, IsNotMadeByTheAwaitOfAFinishedCoroutine) {
  weft::testing::run([] {
    auto done = weft::spawn([] { return 1; });
    weft::await(done);
    int sum = 0;
    EXPECT_EQ(allocations_in_steady_state([&] { sum += weft::await(done); }), 0U);
    EXPECT_EQ(allocations_in_steady_state([&] { weft::await(static_cast<weft::Event&>(done)); }),
              0U);
    EXPECT_EQ(sum, 110);
  });
}

// R-WAK-1
TEST(AllocationTest, IsNotMadeByTheAwaitOfAnEventAndItsWakeUp) {
  weft::testing::run([] {
    Doorbell bell;
    bool stop = false;
    auto ringer = weft::spawn([&] {
      while (!stop) {
        bell.ring();
        weft::suspend();
      }
    });
    EXPECT_EQ(allocations_in_steady_state([&] { weft::await(bell); }), 0U);
    stop = true;
    weft::await(ringer);
  });
}

// R-WAK-1
TEST(AllocationTest, IsNotMadeByTheAwaitOfAnEventWithAToken) {
  weft::testing::run([] {
    Doorbell bell;
    Doorbell token;
    bool stop = false;
    auto ringer = weft::spawn([&] {
      while (!stop) {
        bell.ring();
        weft::suspend();
      }
    });
    EXPECT_EQ(allocations_in_steady_state([&] { weft::await(bell, token); }), 0U);
    stop = true;
    weft::await(ringer);
  });
}

// R-WAK-1
TEST(AllocationTest, IsNotMadeByADelay) {
  weft::testing::run([] {
    EXPECT_EQ(allocations_in_steady_state([] { weft::delay(1ms); }), 0U);
    bool stop = false;
    auto partner = weft::spawn([&] {
      while (!stop) weft::delay(300us);
    });
    EXPECT_EQ(allocations_in_steady_state([] { weft::delay(1ms); }), 0U);
    stop = true;
    weft::await(partner);
  });
}

// The run queue always has room for all living coroutines.
// R-Q-3, R-Q-4
TEST(AllocationTest, IsNotMadeByWakingACrowd) {
  weft::testing::run([] {
    Doorbell bell;
    int woken = 0;
    std::vector<weft::Coroutine<void>> crowd;
    for (int i = 0; i < 1'000; ++i) {
      crowd.push_back(weft::spawn([&] {
        weft::await(bell);
        ++woken;
        weft::await(bell);
        ++woken;
      }));
    }
    weft::suspend();
    ASSERT_EQ(bell.subscribers(), 1'000U);
    // An almost empty queue for many passes: it must not shrink.
    for (int i = 0; i < 500; ++i) weft::suspend();
    std::uint64_t before = Allocations::count();
    bell.ring();
    EXPECT_EQ(Allocations::count() - before, 0U);
    EXPECT_EQ(weft::stats().queued, 1'000U);
    weft::suspend();
    EXPECT_EQ(woken, 1'000);
    before = Allocations::count();
    for (const auto& coroutine : crowd) coroutine.cancel();
    EXPECT_EQ(Allocations::count() - before, 0U);
  });
}

// R-CAN-1, R-CAN-9: the caller of cancel() allocates the text before the call.
TEST(AllocationTest, IsNotMadeByACancellationWithAText) {
  const std::string long_text(100, 'x');
  weft::testing::run([&] {
    const weft::SpawnOptions named{.name = "named"};
    Doorbell bell;
    auto waiting = weft::spawn([&] { weft::await(bell); });
    auto waiting_named = weft::spawn(named, [&] { weft::await(bell); });
    weft::suspend();
    auto queued = weft::spawn([] {});
    const auto all = {waiting, waiting_named, queued};
    for (const auto& coroutine : all) {
      weft::CancelCause text{long_text};
      weft::CancelCause second{"second"};
      const std::uint64_t before = Allocations::count();
      coroutine.cancel(std::move(text));
      coroutine.cancel(std::move(second));
      EXPECT_EQ(Allocations::count() - before, 0U);
    }
    for (const auto& coroutine : all) {
      try {
        weft::await(coroutine);
        ADD_FAILURE() << "not cancelled";
      } catch (const weft::Cancelled& cancelled) {
        EXPECT_EQ(cancelled.reason(), long_text);
      }
    }
  });
}

// R-SWI-5
TEST(AllocationTest, IsNotMadeForAContextWhenCoroutinesFollowOneAnother) {
  weft::testing::run([] {
    for (int i = 0; i < 10; ++i) weft::await(weft::spawn([] {}));
    const weft::Stats before = weft::stats();
    for (int i = 0; i < 100; ++i) weft::await(weft::spawn([] {}));
    EXPECT_EQ(weft::stats().contexts_created, before.contexts_created);
    EXPECT_EQ(weft::stats().stack_bytes_reserved, before.stack_bytes_reserved);
  });
}

}  // namespace
