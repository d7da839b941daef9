#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// The largest and smallest arguments: saturated or refused, without overflow.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

// R-TMR-5
TEST(Limits, AMomentInThePastIsWaitedForNoTimeAtAll) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    weft::delay_until(weft::TimePoint::min());
    weft::delay_until(weft::TimePoint{});
    weft::delay(weft::Duration::min());
    EXPECT_LT(weft::now() - start, 1ms);
  });
}

// R-TMR-5
TEST(Limits, TheLongestWaitsDoNotEnd) {
  weft::testing::run([] {
    const auto ends = [](auto wait) {
      auto waiting = weft::spawn(wait);
      weft::delay(24h);
      return waiting.is_completed();  // the coroutine is cancelled after the end of main
    };
    weft::Timer longest{weft::Duration::max()};
    weft::Timer period = weft::Timer::periodic(weft::Duration::max());
    weft_test::Doorbell bell;
    weft::RateLimiter limiter{1, weft::Duration::max()};
    limiter.acquire();
    EXPECT_FALSE(ends([] { weft::delay(weft::Duration::max()); }));
    EXPECT_FALSE(ends([] { weft::delay_until(weft::TimePoint::max()); }));
    EXPECT_FALSE(ends([&] { weft::await(longest); }));
    EXPECT_FALSE(ends([&] { weft::await(period); }));
    EXPECT_FALSE(ends([&] { weft::await(bell, weft::timeout(weft::Duration::max())); }));
    EXPECT_FALSE(
        ends([&] { weft::with_timeout(weft::Duration::max(), [&] { weft::await(bell); }); }));
    EXPECT_FALSE(ends([&] { limiter.acquire(); }));
    weft::shutdown();
    EXPECT_THROW(weft::suspend(), weft::Cancelled);
    weft::testing::settle();
  });
}

// R-TMR-5: a time in a coarser unit, whose conversion would overflow.
TEST(Limits, TheLongestTimeOfAnyUnitIsLong) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  static_assert(weft::Duration{weft::TimeSpan{hours::max()}} == weft::Duration::max());
  static_assert(weft::Duration{weft::TimeSpan{hours::min()}} == weft::Duration::min());
  static_assert(weft::Duration{weft::TimeSpan{std::chrono::duration<std::uint64_t>::max()}} ==
                weft::Duration::max());
  static_assert(weft::Duration{weft::TimeSpan{std::chrono::duration<std::int8_t>::max()}} == 127s);
  static_assert(weft::Duration{weft::TimeSpan{-3ms}} == -3ms);
  static_assert(!std::is_convertible_v<std::chrono::duration<double>, weft::TimeSpan>);
  weft::testing::run([] {
    weft_test::Doorbell bell;
    int ended = 0;
    std::vector<weft::Coroutine<void>> waits;
    const auto wait = [&](auto body) {
      waits.push_back(weft::spawn([&ended, body] {
        const std::exception_ptr ignored = error_of(body);
        ++ended;
      }));
    };
    wait([] { weft::delay(hours::max()); });
    wait([] { weft::delay(milliseconds::max()); });
    wait([&bell] { weft::await(bell, weft::timeout(milliseconds::max())); });
    wait([&bell] { weft::with_timeout(milliseconds::max(), [&] { weft::await(bell); }); });
    wait([] {
      weft::RateLimiter limiter{1, milliseconds::max()};
      limiter.acquire();
      limiter.acquire();
    });
    const weft::TimePoint start = weft::now();
    weft::delay(hours::min());
    EXPECT_LT(weft::now() - start, 1ms);
    weft::delay(24h);
    EXPECT_EQ(ended, 0);
    for (const auto& one : waits) one.cancel();
    for (const auto& one : waits) EXPECT_EQ(error_of([&] { weft::await(one); }), nullptr);
  });
}

// A period that would overflow when it is added a second time.
TEST(Limits, AHugePeriodIsNotAddedBeyondTheEndOfTime) {
  weft::testing::run([] {
    weft::Timer timer = weft::Timer::periodic(weft::Duration::max() / 3 * 2);
    weft::await(timer);
    bool again = false;
    auto second = weft::spawn([&] {
      weft::await(timer);
      again = true;
    });
    weft::delay(24h);
    EXPECT_FALSE(again);
    second.cancel();
  });
}

// R-SHU-6: a deadline that is never reached is "no deadline".
TEST(Limits, ADeadlineOfTheShutdownThatNeverComesIsNoneAtAll) {
  weft::Options options = quiet();
  options.shutdown_deadline = std::chrono::milliseconds::max();
  bool cleaned_up = false;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            weft::delay(5min);
            cleaned_up = true;
          });
          weft::suspend();
          throw std::runtime_error{"stop"};
        },
        options);
  });
  EXPECT_EQ(text(error), "stop");
  EXPECT_TRUE(cleaned_up);
}

// R-REA-2: an endless time between two polls means "only when nothing else is to do".
TEST(Limits, AnEndlessTimeBetweenTwoPollsIsNotNegative) {
  weft::Options options;
  options.reactor_every = std::chrono::microseconds::max();
  weft::testing::run(
      [] {
        const std::uint64_t before = weft::stats().reactor_ticks;
        weft::spawn([] {
          for (int i = 0; i < 10'000; ++i) weft::suspend();
        });
        for (int i = 0; i < 10'000; ++i) weft::suspend();
        EXPECT_EQ(weft::stats().reactor_ticks, before);
      },
      options);
}

// R-CPO-1
TEST(Limits, AStackBeyondTheLargestIsRefused) {
  for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 4096, std::size_t{1} << 54U}) {
    weft::Options options;
    options.stack_size = size;
    EXPECT_TRUE(is<weft::ValueError>(error_of([&] { weft::testing::run([] {}, options); })));
    weft::testing::run([&] {
      EXPECT_THROW(weft::spawn(weft::SpawnOptions{.stack_size = size}, [] {}), weft::ValueError);
    });
  }
}

// R-CPO-1
TEST(Limits, TheFirstStackSizeTooManyNamesTheLimit) {
  weft::testing::run([] {
    constexpr std::size_t page = 4096;
    const auto spawn = [&](std::size_t pages) {
      weft::await(weft::spawn(weft::SpawnOptions{.stack_size = pages * page}, [] {}));
    };
    std::size_t pages = 4;
    const std::exception_ptr error = error_of([&] {
      for (; pages < 1'000; ++pages) spawn(pages);
    });
    EXPECT_TRUE(is<weft::ValueError>(error)) << text(error);
    EXPECT_THAT(text(error), HasSubstr("256"));
    EXPECT_THAT(text(error), HasSubstr(std::to_string(pages * page)));
    EXPECT_GE(pages - 4, 255U);
    spawn(4);  // the pooled stacks can be used
  });
}

}  // namespace
