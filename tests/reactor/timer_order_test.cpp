#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Log;

// R-TMR-5
TEST(TimerOrder, KeepsNanosecondsApart) {
  Log log;
  weft::testing::run([&] {
    Call later{[&](weft::Event&, const weft::Outcome&) { log.push_back("1000001 ns"); }};
    Call sooner{[&](weft::Event&, const weft::Outcome&) { log.push_back("1000000 ns"); }};
    weft::Timer second{1'000'001ns};
    weft::Timer first{1'000'000ns};
    second.add_callback(later);
    first.add_callback(sooner);
    second.start();
    first.start();
    weft::delay(5ms);
    first.remove_callback(sooner);
    second.remove_callback(later);
  });
  EXPECT_EQ(log, (Log{"1000000 ns", "1000001 ns"}));
}

// R-TMR-5
TEST(TimerOrder, NeverFiresBeforeItsNanosecondHasCome) {
  for (const weft::Duration duration : {1ns, 999ns, 500'000ns, 1'000'001ns, 1'999'999ns}) {
    weft::testing::run([&] {
      const auto start = weft::now();
      weft::delay(duration);
      EXPECT_GE(weft::now() - start, duration);
      EXPECT_LT(weft::now() - start, duration + 1ms);
    });
  }
}

// R-TMR-5
TEST(TimerOrder, SaturatesInsteadOfWrappingAround) {
  weft::testing::run([] {
    int fired = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    weft::Timer eternity{weft::Duration::max()};
    eternity.add_callback(call);
    eternity.start();
    weft::delay(24h * 365 * 100);
    EXPECT_EQ(fired, 0);
    EXPECT_TRUE(eternity.is_armed());
    eternity.stop();
    eternity.remove_callback(call);
  });
}

// R-TMR-5: a delay may be longer than a timer of the operating system can be.
TEST(TimerOrder, ALongDelayIsNotCutShort) {
  weft::testing::run([] {
    const auto start = weft::now();
    weft::delay(24h * 50);  // more milliseconds than 32 bits hold
    EXPECT_GE(weft::now() - start, 24h * 50);
  });
}

// R-TMR-1, R-TMR-2
TEST(TimerOrder, ThoseWithTheSameDeadlineFireInTheOrderOfTheirStart) {
  std::vector<int> order;
  std::vector<int> expected;
  weft::testing::run([&] {
    std::deque<Call> calls;
    std::deque<weft::Timer> timers;
    for (int i = 0; i < 50; ++i) {
      calls.emplace_back([&order, i](weft::Event&, const weft::Outcome&) { order.push_back(i); });
      timers.emplace_back(10ms);
      timers.back().add_callback(calls.back());
      timers.back().start();
      expected.push_back(i);
    }
    weft::delay(20ms);
    for (std::size_t i = 0; i < timers.size(); ++i) timers[i].remove_callback(calls[i]);
  });
  EXPECT_EQ(order, expected);
}

// R-TMR-1: armed timers fire in the order of their deadlines, whichever others are stopped.
TEST(TimerOrderProperty, FiresExactlyTheArmedOnesInTheOrderOfTheirDeadlines) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    std::vector<std::size_t> order;
    std::vector<std::pair<std::uint_fast32_t, std::size_t>> expected;
    weft::testing::run([&] {
      std::deque<Call> calls;
      std::deque<weft::Timer> timers;
      for (std::size_t i = 0; i < 200; ++i) {
        const std::uint_fast32_t duration = random() % 1'000;
        calls.emplace_back([&order, i](weft::Event&, const weft::Outcome&) { order.push_back(i); });
        timers.emplace_back(std::chrono::milliseconds{duration});
        timers[i].add_callback(calls[i]);
        timers[i].start();
        expected.emplace_back(duration, i);
      }
      std::erase_if(expected, [&](const auto& entry) {
        if (random() % 3 != 0) return false;
        timers[entry.second].stop();
        return true;
      });
      EXPECT_EQ(weft::stats().armed_timers, expected.size());
      weft::delay(2s);
      for (std::size_t i = 0; i < timers.size(); ++i) timers[i].remove_callback(calls[i]);
    });
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::size_t> numbers;
    for (const auto& entry : expected) numbers.push_back(entry.second);
    EXPECT_EQ(order, numbers);
  }
}

// R-TMR-6, trap 14
TEST(RealTimeTimer, BusyWorkDoesNotShortenADelay) {
  using Steady = std::chrono::steady_clock;
  weft::run([] {
    weft::delay(1ms);
    const auto busy_until = Steady::now() + 50ms;
    while (Steady::now() < busy_until) {
    }
    const auto start = Steady::now();
    weft::delay(20ms);
    EXPECT_GE(Steady::now() - start, 20ms);
  });
}

// R-TMR-5
TEST(RealTimeTimer, IsNeverEarly) {
  using Steady = std::chrono::steady_clock;
  weft::run([] {
    for (const weft::Duration duration : {100us, 1'001us, 1'900us, 2'500us}) {
      const auto start = Steady::now();
      weft::delay(duration);
      EXPECT_GE(Steady::now() - start, duration);
    }
  });
}

}  // namespace
