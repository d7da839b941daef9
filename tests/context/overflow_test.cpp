#include <csignal>
#include <cstddef>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace overflow_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__clang__)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using weft_test::Doorbell;

std::uintptr_t here() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

/// Recurses until `depth` bytes of stack are used since `top`, and calls `bottom` there.
template <std::size_t Frame, class F>
[[gnu::noinline]] std::size_t descend(std::uintptr_t top, std::size_t depth, F& bottom) {
  volatile std::byte room[Frame];
  room[0] = std::byte{1};
  room[Frame - 1] = std::byte{2};
  if (top - here() >= depth) {
    bottom();
  } else {
    descend<Frame>(top, depth, bottom);
  }
  // Used after the call, so that it is no tail call.
  return static_cast<std::size_t>(room[0]) + static_cast<std::size_t>(room[Frame - 1]);
}

template <std::size_t Frame>
void overflow() {
  auto never = [] {};
  descend<Frame>(here(), SIZE_MAX, never);
}

// R-CPO-7
TEST(StackOverflowDeathTest, NamesTheCoroutineAndWhereItWasSpawned) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(weft::testing::run(
                  [] { weft::await(weft::spawn({.name = "digger"}, [] { overflow<512>(); })); }),
              KilledBySignal(SIGABRT),
              AllOf(HasSubstr("overflow"), HasSubstr("digger"), HasSubstr("overflow_test.cpp:")));
}

// R-CPO-7: the report names the coroutine that overflows, not one of its neighbours.
TEST(StackOverflowDeathTest, NamesTheRightOneOfMany) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(weft::testing::run([] {
                Doorbell bell;
                auto before = weft::spawn({.name = "innocent-1"}, [&] { weft::await(bell); });
                auto digger = weft::spawn({.name = "digger"}, [] {
                  weft::suspend();
                  overflow<512>();
                });
                auto after = weft::spawn({.name = "innocent-2"}, [&] { weft::await(bell); });
                weft::await(digger);
              }),
              KilledBySignal(SIGABRT),
              AllOf(HasSubstr("digger"), ::testing::Not(HasSubstr("innocent"))));
}

// R-CPO-7
TEST(StackOverflowDeathTest, IsReportedAlsoOnAReusedContextOfAnotherSize) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      weft::testing::run([] {
        const weft::SpawnOptions first{.name = "tenant", .stack_size = std::size_t{32} * 1024};
        weft::await(weft::spawn(first, [] {}));
        const weft::SpawnOptions second{.name = "digger", .stack_size = std::size_t{32} * 1024};
        weft::await(weft::spawn(second, [] { overflow<512>(); }));
      }),
      KilledBySignal(SIGABRT), AllOf(HasSubstr("digger"), ::testing::Not(HasSubstr("tenant"))));
}

// R-CPO-7: the guard is larger than a page, so a large frame does not skip it.
TEST(StackOverflowDeathTest, IsCaughtForLargeFramesToo) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      weft::testing::run([] {
        weft::await(weft::spawn({.name = "digger"}, [] { overflow<std::size_t{48} * 1024>(); }));
      }),
      KilledBySignal(SIGABRT), AllOf(HasSubstr("overflow"), HasSubstr("digger")));
}

// R-CPO-7
TEST(StackOverflowDeathTest, StillEndsTheProcessWithoutTheReport) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  weft::Options options;
  options.overflow_report = false;
  EXPECT_EXIT(
      weft::testing::run([] { weft::await(weft::spawn([] { overflow<512>(); })); }, options),
      KilledBySignal(SIGSEGV), "");
}

// R-CPO-7: another fault is not reported as an overflow.
TEST(StackOverflowDeathTest, IsNotBlamedForAnotherFault) {
  if (sanitized) GTEST_SKIP() << "the sanitizer reports it in its own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(weft::testing::run([] {
                weft::await(weft::spawn({.name = "wild"}, [] {
                  volatile std::uintptr_t nowhere = 16;
                  *reinterpret_cast<volatile int*>(nowhere) = 1;
                }));
              }),
              KilledBySignal(SIGSEGV), ::testing::Not(HasSubstr("overflow")));
}

// R-CPO-7
TEST(StackGuard, IsThereAndSaysItsKind) {
  weft::testing::run([] {
    weft::await(weft::spawn([] {
      const weft::GuardKind kind = weft::stats().guards;
      EXPECT_TRUE(kind == weft::GuardKind::markers || kind == weft::GuardKind::pages);
    }));
  });
}

// R-CPO-1, trap 30: the stack that the runtime needs is added to the requested size.
TEST(StackSize, IsAllForTheUser) {
  if (sanitized) GTEST_SKIP() << "the sanitizer's frames are larger than those of the runtime";
  for (const std::size_t kib : {16U, 64U, 100U, 256U}) {
    weft::testing::run([&] {
      bool reached = false;
      auto deep = weft::spawn({.stack_size = kib * 1024}, [&] {
        auto bottom = [&] {
          weft::suspend();
          weft::delay(std::chrono::milliseconds{1});
          weft::await(weft::spawn([] {}));
          reached = true;
        };
        // The last frame may exceed the depth, by less than this 1 KiB.
        descend<256>(here(), kib * 1024 - 1024, bottom);
      });
      weft::await(deep);
      EXPECT_TRUE(reached);
    });
  }
}

// R-CPO-1
TEST(StackSize, ComesFromTheOptionsByDefault) {
  weft::Options options;
  options.stack_size = std::size_t{2} * 1024 * 1024;
  weft::testing::run(
      [] {
        bool reached = false;
        auto deep = weft::spawn([&] {
          auto bottom = [&] { reached = true; };
          descend<1024>(here(), std::size_t{2} * 1024 * 1024 - 4096, bottom);
        });
        weft::await(deep);
        EXPECT_TRUE(reached);
      },
      options);
}

// R-CPO-1
TEST(StackSize, IsNeverTooSmallToRun) {
  weft::testing::run([] {
    auto tiny = weft::spawn({.stack_size = 1}, [] { return weft_test::text(nullptr); });
    EXPECT_EQ(weft::await(tiny), "nothing");
  });
}

}  // namespace overflow_test
