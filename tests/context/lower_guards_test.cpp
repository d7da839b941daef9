#include <csignal>
#include <cstdio>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/current.hpp"
#include "context/sanitizer.hpp"
#include "failures.hpp"
#include "scheduler/scheduler.hpp"
#include "support.hpp"

// A whole runtime with the weaker kinds of guards: protected pages, and canaries.

namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using ::testing::Not;
using weft::GuardKind;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

constexpr std::size_t kibibyte = 1'024;
constexpr std::size_t small_stack = 16 * kibibyte;

weft::StackPool& stacks() { return weft::current_thread.scheduler->stacks(); }

weft::Options unguarded() {
  weft::Options options;
  options.unguarded_stacks = true;
  return options;
}

/// Parks `count` coroutines at the same time, which use their stacks; returns how many have ended.
int burst(int count) {
  int ended = 0;
  std::vector<weft::Coroutine<void>> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(weft::spawn([&ended, i] {
      volatile char room[64 * kibibyte];
      for (volatile char& byte : room) byte = static_cast<char>(i);
      weft::suspend();
      weft::delay(1s);
      if (room[0] == static_cast<char>(i) && room[sizeof room - 1] == room[0]) ++ended;
    }));
  }
  for (const auto& one : all) weft::await(one);
  return ended;
}

void use_a_pool(GuardKind kind) {
  stacks().guards().start_at(kind);
  EXPECT_EQ(burst(200), 200);
  EXPECT_EQ(weft::stats().guards, kind);
  // Gives back surplus stacks, if the guards allow it.
  for (int i = 0; i < 1'000; ++i) weft::delay(1s);
  EXPECT_EQ(burst(200), 200);
  EXPECT_EQ(burst(200), 200);
  EXPECT_EQ(weft::stats().contexts_in_use, 0U);
}

/// Writes over more memory than a small stack has, into the room for its guard.
[[gnu::noinline]] char run_over_the_end() {
  volatile char room[small_stack + weft::StackPool::runtime_needs + kibibyte];
  for (volatile char& byte : room) byte = 1;
  return room[0];
}

// R-CPO-7, R-CPO-3
TEST(PageGuards, ServeAPool) {
  weft::testing::run([] { use_a_pool(GuardKind::pages); });
}

// R-CPO-7
TEST(PageGuardsDeathTest, NameTheCoroutineThatOverflows) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(weft::testing::run([] {
                stacks().guards().start_at(GuardKind::pages);
                const weft::SpawnOptions options{.name = "digger", .stack_size = small_stack};
                weft::await(weft::spawn(options, [] { run_over_the_end(); }));
              }),
              KilledBySignal(SIGABRT), AllOf(HasSubstr("overflow"), HasSubstr("digger")));
}

// R-CPO-7, trap 29
TEST(PageGuards, FailOnlyTheCoroutinesBeyondTheirLimit) {
  weft::testing::run([] {
    stacks().guards().start_at(GuardKind::pages);
    stacks().guards().limit_pages(2);
    auto first = weft::spawn([] { weft::delay(1ms); });
    auto second = weft::spawn([] { weft::delay(1ms); });
    auto third = weft::spawn([] { weft::delay(1ms); });
    const std::exception_ptr error = error_of([&] { weft::await(third); });
    EXPECT_TRUE(is<weft::StackError>(error));
    EXPECT_THAT(text(error), HasSubstr("vm.max_map_count"));
    weft::await(first);
    weft::await(second);
    weft::await(weft::spawn([] { weft::delay(1ms); }));  // now the pool has stacks
  });
}

// R-CPO-7, R-CPO-3
TEST(Canaries, ServeAPool) {
  weft::testing::run([] { use_a_pool(GuardKind::canary); }, unguarded());
}

// R-CPO-7
TEST(Canaries, TakeOverWhereProtectedPagesEnd) {
  weft::testing::run(
      [] {
        stacks().guards().start_at(GuardKind::pages);
        stacks().guards().limit_pages(10);
        EXPECT_EQ(burst(10), 10);
        EXPECT_EQ(weft::stats().guards, GuardKind::pages);
        EXPECT_EQ(burst(20), 20);
        EXPECT_EQ(weft::stats().guards, GuardKind::canary);
      },
      unguarded());
}

/// A coroutine runs over the end of its unguarded stack and then does `next`.
template <class F>
void overrun_and(F next) {
  weft::testing::run(
      [&] {
        stacks().guards().start_at(GuardKind::canary);
        auto neighbour = weft::spawn([] { weft::delay(1h); });
        auto digger = weft::spawn({.stack_size = small_stack}, [&] {
          weft::suspend();
          run_over_the_end();
          next();
        });
        weft::await(digger);
      },
      unguarded());
}

// R-CPO-7: the canary is checked at the switch, before another coroutine runs.
TEST(CanaryDeathTest, IsCheckedWhenItsCoroutineYields) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(overrun_and([] {
                weft::suspend();
                std::fputs("went on\n", stderr);
              }),
              KilledBySignal(SIGABRT), AllOf(HasSubstr("unguarded stack"), Not(HasSubstr("went"))));
}

// R-CPO-7
TEST(CanaryDeathTest, IsCheckedWhenItsCoroutineWaits) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(overrun_and([] {
                weft::delay(1ms);
                std::fputs("went on\n", stderr);
              }),
              KilledBySignal(SIGABRT), AllOf(HasSubstr("unguarded stack"), Not(HasSubstr("went"))));
}

// R-CPO-7
TEST(CanaryDeathTest, IsCheckedWhenItsCoroutineEnds) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(overrun_and([] {}), KilledBySignal(SIGABRT), HasSubstr("unguarded stack"));
}

}  // namespace
