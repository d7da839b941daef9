#include <cstddef>

#include <gtest/gtest.h>

#include "weft/extend/embed.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

bool contains(const weft::StackBounds& stack, const void* address) {
  return address >= stack.low && address < stack.high;
}

TEST(StacksOfAHost, HaveTheBoundsOfTheRunningCoroutine) {
  weft::Options options;
  options.stack_size = std::size_t{128} * 1024;
  weft::testing::run(
      [] {
        const int of_main = 0;
        const weft::StackBounds main_stack = weft::current_stack();
        EXPECT_TRUE(contains(main_stack, &of_main));
        weft::await(weft::spawn([&] {
          const int of_coroutine = 0;
          const weft::StackBounds stack = weft::current_stack();
          EXPECT_TRUE(contains(stack, &of_coroutine));
          EXPECT_FALSE(contains(stack, &of_main));
          EXPECT_FALSE(contains(main_stack, &of_coroutine));
          EXPECT_GE(static_cast<std::byte*>(stack.high) - static_cast<std::byte*>(stack.low),
                    128 * 1024);
        }));
      },
      options);
}

TEST(StacksOfAHost, AreGivenBackOnRequest) {
  weft::testing::run([] {
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 200; ++i) all.push_back(weft::spawn([] { weft::suspend(); }));
    for (const auto& one : all) weft::await(one);
    EXPECT_EQ(weft::stats().contexts_pooled, 200U);
    weft::trim_stacks();
    EXPECT_EQ(weft::stats().contexts_pooled, 0U);
    weft::await(weft::spawn([] { weft::suspend(); }));
    EXPECT_EQ(weft::stats().contexts_pooled, 1U);
  });
}

TEST(StacksOfAHost, AreThoseOfARuntime) {
  EXPECT_THROW(static_cast<void>(weft::current_stack()), weft::MisuseError);
  EXPECT_THROW(weft::trim_stacks(), weft::MisuseError);
}

}  // namespace
