#include <algorithm>
#include <chrono>
#include <ctime>

#include <gtest/gtest.h>

#include "scripted_driver.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using weft_test::Call;
using weft_test::ScriptedDriver;
using namespace std::chrono_literals;
using Micros = std::chrono::microseconds;

/// Runs `body` with the polls of production on a clock that only the test moves.
template <class F>
void run_busy(weft::testing::VirtualClock& clock, F body) {
  weft::Options options;
  options.clock = &clock;
  weft::run(body, options);
}

/// How late a timer of 20 ms is served while `yielders` coroutines yield all the time, and run for
/// `slice` between two yields. The stride has had time to adapt.
weft::Duration lateness(int yielders, weft::Duration slice) {
  weft::testing::VirtualClock clock;
  weft::TimePoint due{};
  weft::TimePoint served{};
  weft::Timer timer{20ms};
  Call callback{[&](weft::Event&, const weft::Outcome&) { served = clock.now(); }};
  timer.add_callback(callback);
  run_busy(clock, [&] {
    const auto work = [&] {
      clock.advance(slice);
      weft::suspend();
    };
    for (int i = 1; i < yielders; ++i) {
      weft::spawn([&] {
        while (served == weft::TimePoint{}) work();
      });
    }
    for (int i = 0; i < 1'000; ++i) work();
    timer.start();
    due = clock.now() + 20ms;
    while (served == weft::TimePoint{}) work();
  });
  timer.remove_callback(callback);
  EXPECT_GE(served, due);
  return served - due;
}

// R-REA-3, R-REA-4, R-REA-6, trap 28
TEST(CadenceTest, ServesADueTimerWithinTwoMillisecondsAndASliceWhileBusy) {
  for (const int yielders : {1, 2, 50}) {
    for (const weft::Duration slice : {0us, 1us, 10us, 100us, 700us, 1'500us, 5'000us}) {
      EXPECT_LE(lateness(yielders, slice), 2ms + slice + 1us)
          << yielders << " yielders with slices of " << slice.count() << " ns";
    }
  }
}

// R-REA-3, R-REA-4
TEST(CadenceTest, DoesNotPollInEveryPassWhenPassesAreShort) {
  weft::testing::VirtualClock clock;
  run_busy(clock, [&] {
    for (int i = 0; i < 1'000; ++i) weft::suspend();
    const weft::Stats before = weft::stats();
    const weft::TimePoint start = clock.now();
    for (int i = 0; i < 64'000; ++i) weft::suspend();  // 1 us each
    const std::uint64_t looks = weft::stats().reactor_ticks - before.reactor_ticks;
    const auto milliseconds = static_cast<std::uint64_t>((clock.now() - start) / 1ms);
    EXPECT_EQ(milliseconds, 64U);
    EXPECT_LE(looks, 64'000U / 64U + 1U);     // the longest stride
    EXPECT_GE(looks, milliseconds / 2U - 1);  // about one every millisecond
  });
}

// R-REA-3, R-REA-4
TEST(CadenceTest, PollsInEveryPassWhenPassesAreLong) {
  weft::testing::VirtualClock clock;
  run_busy(clock, [&] {
    const auto work = [&] {
      clock.advance(5ms);
      weft::suspend();
    };
    for (int i = 0; i < 200; ++i) work();
    const weft::Stats before = weft::stats();
    for (int i = 0; i < 100; ++i) work();
    EXPECT_EQ(weft::stats().reactor_ticks - before.reactor_ticks, 100U);
    EXPECT_EQ(weft::stats().reactor_waits, before.reactor_waits);
  });
}

// R-REA-4
TEST(CadenceTest, AdaptsWithinALongestStrideWhenPassesBecomeLong) {
  weft::testing::VirtualClock clock;
  run_busy(clock, [&] {
    for (int i = 0; i < 1'000; ++i) weft::suspend();  // short passes: a long stride
    const weft::Stats before = weft::stats();
    for (int i = 0; i < 64; ++i) {
      clock.advance(5ms);
      weft::suspend();
    }
    EXPECT_GE(weft::stats().reactor_ticks - before.reactor_ticks, 1U);
  });
}

// R-REA-5, R-REA-6
TEST(CadenceTest, IsKeptByCoroutinesThatEndWithoutEverSuspending) {
  weft::testing::VirtualClock clock;
  weft::TimePoint due{};
  weft::TimePoint served{};
  weft::Timer timer{20ms};
  Call callback{[&](weft::Event&, const weft::Outcome&) { served = clock.now(); }};
  timer.add_callback(callback);
  int links = 0;
  struct Chain {
    weft::testing::VirtualClock& clock;
    weft::TimePoint& served;
    int& links;
    void operator()() const {
      ++links;
      clock.advance(10us);
      // Bounded, so that a failure ends the test.
      if (served == weft::TimePoint{} && links < 100'000) weft::spawn(*this);
    }
  };
  run_busy(clock, [&] {
    timer.start();
    due = clock.now() + 20ms;
    weft::spawn(Chain{clock, served, links});
  });
  timer.remove_callback(callback);
  EXPECT_GT(links, 1'000);
  EXPECT_GE(served, due);
  EXPECT_LE(served - due, 2ms + 10us);
}

// R-REA-1, R-REA-2
TEST(CadenceTest, NeverWaitsWhileACoroutineIsReadyAndWaitsOnceWhenNoneIs) {
  ScriptedDriver outside;
  weft::run(
      [&] {
        weft_test::Doorbell bell;
        for (int i = 0; i < 500; ++i) {
          outside.advance(1ms);
          weft::suspend();
        }
        EXPECT_GE(outside.looks, 400);
        EXPECT_EQ(outside.waits, 0);
        outside.play([&](weft::Wait wait) {
          if (wait == weft::Wait::no) return;
          outside.end();
          bell.ring();
        });
        weft::await(bell);
        EXPECT_EQ(outside.waits, 1);
      },
      outside.options());
}

weft::Duration thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

// R-REA-2
TEST(RealTimeCadenceTest, UsesNoProcessorWhileAllSleep) {
  weft::run([] {
    const weft::Duration before = thread_cpu_time();
    weft::delay(200ms);
    EXPECT_LT(thread_cpu_time() - before, 50ms);
    EXPECT_LE(weft::stats().reactor_waits, 4U);  // the loop may wake a little early
  });
}

/// The longest that a due timer waited while `yielders` coroutines yielded all the time, in
/// processor time of this thread, so that other processes do not count.
weft::Duration longest_wait(int yielders, weft::Duration duration) {
  weft::Duration longest{};
  weft::run([&] {
    bool stop = false;
    weft::TimePoint due = weft::never;
    weft::Duration seen_due{};  // processor time when a coroutine first saw that the timer was due
    std::vector<weft::Coroutine<void>> crowd;
    for (int i = 0; i < yielders; ++i) {
      crowd.push_back(weft::spawn([&] {
        while (!stop) {
          if (seen_due == weft::Duration{} && weft::now() >= due) seen_due = thread_cpu_time();
          weft::suspend();
        }
      }));
    }
    Call callback{[&](weft::Event&, const weft::Outcome&) {
      EXPECT_GE(weft::now(), due);
      if (seen_due != weft::Duration{}) longest = std::max(longest, thread_cpu_time() - seen_due);
    }};
    for (int i = 0; i < 10; ++i) {
      weft::Timer timer{duration};
      timer.add_callback(callback);
      seen_due = {};
      due = weft::now() + duration;
      weft::await(timer);
      timer.remove_callback(callback);
    }
    stop = true;
    for (auto& coroutine : crowd) weft::await(coroutine);
  });
  return longest;
}

// R-REA-6, trap 28
TEST(RealTimeCadenceTest, DoesNotTurnAShortDelayIntoALongOneBesideAYielder) {
  EXPECT_LE(longest_wait(1, 5ms), 2ms);
}

// R-REA-6
TEST(RealTimeCadenceTest, ServesATimerInTimeBesideFiftyYielders) {
  EXPECT_LE(longest_wait(50, 20ms), 2ms);
}

}  // namespace
