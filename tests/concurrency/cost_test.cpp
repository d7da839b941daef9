#include <cstddef>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "steps.hpp"
#include "support.hpp"

// Operations whose cost must not depend on the number of objects, and loops that must be linear:
// counted in instructions, because a clock is too inexact to find quadratic cost.
namespace {

using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::Doorbell;
using weft_test::Steps;

constexpr int few = 64;
constexpr int many = 4'096;
constexpr int tries = 8;

weft::Options with_small_stacks() {
  weft::Options options;
  options.stack_size = 16 * 1024;
  return options;
}

/// Runs `measure(count)` in a new runtime.
template <class F>
std::size_t in_a_runtime(const F& measure, int count) {
  std::size_t steps = 0;
  weft::testing::run([&] { steps = measure(count); }, with_small_stacks());
  return steps;
}

template <class F>
void expect_the_same_among_few_and_many(const F& measure) {
  if (!Steps{}.can_be_counted()) GTEST_SKIP() << "this processor cannot be stepped";
  in_a_runtime(measure, few);
  EXPECT_EQ(in_a_runtime(measure, few), in_a_runtime(measure, many));
}

template <class F>
void expect_the_same_for_each(const F& measure) {
  if (!Steps{}.can_be_counted()) GTEST_SKIP() << "this processor cannot be stepped";
  constexpr int some = 32;
  in_a_runtime(measure, some);
  const std::size_t once = in_a_runtime(measure, some);
  const std::size_t twice = in_a_runtime(measure, 2 * some);
  const std::size_t thrice = in_a_runtime(measure, 3 * some);
  EXPECT_EQ(thrice - twice, twice - once);
  EXPECT_GT(twice, once);
}

/// Spawns `count` coroutines that wait. Tests use those in the middle, the worst case for a search
/// from either end.
template <class F>
std::vector<weft::Coroutine<void>> waiters(int count, const F& wait) {
  std::vector<weft::Coroutine<void>> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(weft::spawn([&wait] {
      try {
        wait();
      } catch (const weft::OperationCancelled&) {
      }
    }));
  }
  settle();
  return all;
}

template <class F>
std::size_t cost_of_cancelling_one(int count, const F& wait) {
  const auto all = waiters(count, wait);
  const auto middle = static_cast<std::size_t>(count / 2);
  Steps steps;
  const std::size_t cost = steps.fewest_of(
      tries, [&](int i) { all[middle - tries / 2 + static_cast<std::size_t>(i)].cancel(); });
  for (const auto& one : all) one.cancel();
  settle();
  return cost;
}

// trap 31
TEST(StressCostTest, CancellingOneOfManyWaitersOfAnEvent) {
  expect_the_same_among_few_and_many([](int count) {
    Doorbell bell;
    return cost_of_cancelling_one(count, [&] { weft::await(bell); });
  });
}

// trap 9, trap 31
TEST(StressCostTest, CancellingOneOfManyWaitersThatShareAToken) {
  expect_the_same_among_few_and_many([](int count) {
    Doorbell bell;
    Doorbell token;
    return cost_of_cancelling_one(count, [&] { weft::await(bell, token); });
  });
}

// trap 31
TEST(StressCostTest, CancellingOneOfManyWaitersInAQueue) {
  expect_the_same_among_few_and_many([](int count) {
    weft::Semaphore semaphore{0};
    return cost_of_cancelling_one(count, [&] { semaphore.acquire(); });
  });
}

// trap 31
TEST(StressCostTest, NotifyingEachOfManyWaitersOfAnEvent) {
  expect_the_same_for_each([](int count) {
    Doorbell bell;
    const auto all = waiters(count, [&] { weft::await(bell); });
    const std::size_t cost = Steps{}.of([&] { bell.ring(); });
    settle();
    return cost;
  });
}

// trap 9, trap 31
TEST(StressCostTest, EndingEachOfManyWaitsWithTheTokenTheyShare) {
  expect_the_same_for_each([](int count) {
    Doorbell bell;
    Doorbell token;
    const auto all = waiters(count, [&] { weft::await(bell, token); });
    const std::size_t cost = Steps{}.of([&] { token.ring(); });
    settle();
    return cost;
  });
}

// trap 27, trap 31
TEST(StressCostTest, CancellingEachCoroutineOfAScope) {
  expect_the_same_for_each([](int count) {
    Doorbell bell;
    const Ref<Scope> scope = Scope::create();
    for (int i = 0; i < count; ++i) scope->spawn([&] { weft::await(bell); });
    settle();
    const std::size_t cost = Steps{}.of([&] { scope->cancel(); });
    settle();
    return cost;
  });
}

// The scope, the registry and the scheduler remove an ended coroutine without a search.
// trap 27
TEST(StressCostTest, EndingOneCoroutineOfMany) {
  expect_the_same_among_few_and_many([](int count) {
    Doorbell bell;
    const Ref<Scope> scope = Scope::create();
    std::deque<Doorbell> ends(tries);
    const int first = count / 2 - tries / 2;
    for (int i = 0; i < count; ++i) {
      const bool is_in_the_middle = i >= first && i < first + tries;
      Doorbell& end = is_in_the_middle ? ends[static_cast<std::size_t>(i - first)] : bell;
      scope->spawn([&end] { weft::await(end); });
    }
    settle();
    Steps steps;
    const std::size_t cost = steps.fewest_of(tries, [&](int i) {
      ends[static_cast<std::size_t>(i)].ring();
      weft::suspend();
    });
    EXPECT_EQ(scope->size(), static_cast<std::size_t>(count - tries));
    bell.ring();
    settle();
    return cost;
  });
}

// trap 27
TEST(StressCostTest, DroppingOneScopeOfMany) {
  expect_the_same_among_few_and_many([](int count) {
    const Ref<Scope> parent = Scope::create();
    std::vector<Ref<Scope>> children;
    for (int i = 0; i < count; ++i) children.push_back(Scope::inherit(*parent));
    const auto first = static_cast<std::size_t>(count / 2 - tries / 2);
    Steps steps;
    return steps.fewest_of(tries,
                           [&](int i) { children[first + static_cast<std::size_t>(i)] = nullptr; });
  });
}

}  // namespace
