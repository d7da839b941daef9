#include <chrono>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;

std::int64_t milliseconds_since(weft::TimePoint start) {
  return std::chrono::floor<std::chrono::milliseconds>(weft::now() - start).count();
}

// R-TMR-4
TEST(MultishotTimer, IsArmedAnewFromItsOwnCallback) {
  std::vector<std::int64_t> fired;
  weft::testing::run([&] {
    const auto start = weft::now();
    weft::Timer timer = weft::Timer::multishot(10ms);
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      EXPECT_FALSE(event.is_closed());
      fired.push_back(milliseconds_since(start));
      if (fired.size() < 3) {
        EXPECT_TRUE(timer.rearm(20ms * fired.size()));
      }
    }};
    timer.add_callback(call);
    timer.start();
    weft::delay(1s);
    EXPECT_FALSE(timer.is_closed());
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, (std::vector<std::int64_t>{10, 30, 70}));
}

// R-TMR-4
TEST(MultishotTimer, FiresOncePerArming) {
  std::vector<std::int64_t> fired;
  weft::testing::run([&] {
    const auto start = weft::now();
    weft::Timer timer = weft::Timer::multishot(10ms);
    EXPECT_FALSE(timer.is_periodic());
    Call call{
        [&](weft::Event&, const weft::Outcome&) { fired.push_back(milliseconds_since(start)); }};
    timer.add_callback(call);
    timer.start();
    weft::delay(50ms);
    EXPECT_EQ(fired.size(), 1U);
    EXPECT_TRUE(timer.rearm(5ms)) << "outside its callback too";
    weft::delay(50ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, (std::vector<std::int64_t>{10, 55}));
}

// R-TMR-4
TEST(MultishotTimer, MovesItsDeadlineWhenItIsArmedAnewBeforeItFired) {
  for (const weft::Duration to : {weft::Duration{30ms}, weft::Duration{2ms}}) {
    std::vector<std::int64_t> fired;
    weft::testing::run([&] {
      const auto start = weft::now();
      weft::Timer timer = weft::Timer::multishot(10ms);
      Call call{
          [&](weft::Event&, const weft::Outcome&) { fired.push_back(milliseconds_since(start)); }};
      timer.add_callback(call);
      timer.start();
      EXPECT_TRUE(timer.rearm(to));
      EXPECT_EQ(timer.duration(), to);
      EXPECT_EQ(weft::stats().active_events, 1U);
      EXPECT_EQ(weft::stats().armed_timers, 1U);
      weft::delay(1s);
      timer.remove_callback(call);
    });
    EXPECT_EQ(fired, (std::vector<std::int64_t>{to / 1ms}));
  }
}

// R-TMR-4, R-TMR-6
TEST(MultishotTimer, CountsFromTheMomentItIsArmedAnew) {
  std::vector<std::int64_t> fired;
  weft::testing::run([&] {
    const auto start = weft::now();
    weft::Timer timer = weft::Timer::multishot(10ms);
    Call call{
        [&](weft::Event&, const weft::Outcome&) { fired.push_back(milliseconds_since(start)); }};
    timer.add_callback(call);
    timer.start();
    weft::testing::advance(5ms);
    EXPECT_TRUE(timer.rearm(10ms));
    weft::delay(1s);
    timer.remove_callback(call);
  });
  EXPECT_EQ(fired, (std::vector<std::int64_t>{15}));
}

// R-TMR-4
TEST(MultishotTimer, OtherKindsCannotBeArmedAnew) {
  weft::testing::run([] {
    int fired = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
    weft::Timer once{10ms};
    weft::Timer periodic = weft::Timer::periodic(10ms);
    once.add_callback(call);
    once.start();
    EXPECT_FALSE(once.rearm(30ms));
    EXPECT_FALSE(periodic.rearm(30ms));
    EXPECT_EQ(once.duration(), 10ms);
    weft::delay(15ms);
    EXPECT_EQ(fired, 1) << "its deadline is unchanged";
    EXPECT_FALSE(once.rearm(30ms)) << "closed and of another kind";
    once.remove_callback(call);
  });
}

// R-TMR-4
TEST(MultishotTimer, AClosedOneCannotBeArmedAnew) {
  weft::testing::run([] {
    weft::Timer timer = weft::Timer::multishot(10ms);
    timer.start();
    timer.close();
    EXPECT_FALSE(timer.rearm(10ms));
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// R-TMR-4: a multishot timer does not close and can be awaited again; each wait starts it anew.
TEST(MultishotTimer, CanBeAwaitedAgain) {
  std::vector<std::int64_t> woken;
  weft::testing::run([&] {
    const auto start = weft::now();
    weft::Timer timer = weft::Timer::multishot(10ms);
    for (int i = 0; i < 3; ++i) {
      weft::await(timer);
      woken.push_back(milliseconds_since(start));
    }
  });
  EXPECT_EQ(woken, (std::vector<std::int64_t>{10, 20, 30}));
}

}  // namespace
