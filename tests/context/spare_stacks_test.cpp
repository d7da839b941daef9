#include "context/spare_stacks.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "context/stack_pool.hpp"

namespace {

using weft::Context;
using weft::GuardKind;
using weft::SpareStacks;
using weft::StackPool;

constexpr std::size_t size = std::size_t{64} * 1024;

/// The lower ends of two stacks of a pool that was destroyed.
struct Two {
  std::byte* first;
  std::byte* second;
  bool operator==(const Two&) const = default;
};

Two two_stacks(GuardKind guards = GuardKind::markers, std::size_t stack_size = size) {
  StackPool pool{stack_size, false, nullptr};
  if (guards != GuardKind::markers) pool.guards().start_at(guards);
  auto* first = static_cast<std::byte*>(pool.acquire(0).low());
  auto* second = static_cast<std::byte*>(pool.acquire(0).low());
  return {first, second};
}

TEST(SpareStacks, GivesTheStacksOfOnePoolToTheNext) {
  const SpareStacks spare;
  const Two before = two_stacks();
  EXPECT_EQ(two_stacks(), before);
}

TEST(SpareStacks, LeavesTheMemoryAsItWas) {
  const SpareStacks spare;
  {
    StackPool pool{size, false, nullptr};
    *static_cast<std::byte*>(pool.acquire(0).low()) = std::byte{7};
  }
  StackPool next{size, false, nullptr};
  EXPECT_EQ(*static_cast<std::byte*>(next.acquire(0).low()), std::byte{7});
}

#if WEFT_ASAN
TEST(SpareStacks, AreForbiddenWhileNoCoroutineHasThem) {
  const SpareStacks spare;
  const Two stacks = two_stacks();
  EXPECT_TRUE(__asan_address_is_poisoned(stacks.first));
  EXPECT_TRUE(__asan_address_is_poisoned(stacks.second));
  StackPool next{size, false, nullptr};
  auto* first = static_cast<std::byte*>(next.acquire(0).low());
  EXPECT_EQ(first, stacks.first);
  EXPECT_FALSE(__asan_address_is_poisoned(first));
}
#endif

TEST(SpareStacks, CountsLikeAPoolThatBeginsWithNothing) {
  const SpareStacks spare;
  two_stacks();
  StackPool pool{size, false, nullptr};
  EXPECT_EQ(pool.created(), 0U);
  EXPECT_EQ(pool.bytes_reserved(), 0U);
  Context& context = pool.acquire(0);
  EXPECT_EQ(pool.created(), 1U);
  EXPECT_EQ(pool.reused(), 0U);
  EXPECT_GT(pool.bytes_reserved(), 0U);
  pool.release(context);
  EXPECT_EQ(pool.pooled(), 1U);
}

TEST(SpareStacks, KeepsTheGuards) {
  for (const GuardKind kind : {GuardKind::markers, GuardKind::pages}) {
    const SpareStacks spare;
    two_stacks(kind);
    StackPool pool{size, false, nullptr};
    for (int i = 0; i < 3; ++i) {  // the third stack is new
      auto* low = static_cast<std::byte*>(pool.acquire(0).low());
      *low = std::byte{1};
      EXPECT_DEATH(*static_cast<volatile std::byte*>(low - 1) = std::byte{1}, "");
      void* found = nullptr;
      EXPECT_TRUE(pool.in_guard(low - 1, found));
    }
  }
}

TEST(SpareStacks, KnowTheKindOfGuard) {
  const SpareStacks spare;
  two_stacks(GuardKind::pages);
  StackPool pool{size, false, nullptr};
  pool.acquire(0);
  EXPECT_EQ(pool.guard_kind(), GuardKind::pages);
}

TEST(SpareStacks, DoNotMixSizes) {
  const SpareStacks spare;
  const Two before = two_stacks();
  const Two larger = two_stacks(GuardKind::markers, 4 * size);
  EXPECT_NE(larger, before);
  EXPECT_EQ(two_stacks(), before);
}

TEST(SpareStacks, KeepNothingThatMayBeUnguarded) {
  const SpareStacks spare;
  { StackPool{size, true, nullptr}.acquire(0); }
  EXPECT_FALSE(spare.guards());
}

}  // namespace
