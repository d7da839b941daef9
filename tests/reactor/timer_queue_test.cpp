#include "reactor/timer_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Duration;
using weft::TimePoint;
using weft::Timer;
using weft_test::Call;

/// Does the same with a timer queue and a list that is searched linearly, and compares both.
class TimerModel {
 public:
  explicit TimerModel(TimePoint start) : now_{start} {}
  ~TimerModel() {
    while (!waiting_.empty()) remove(0);
  }
  TimerModel(const TimerModel&) = delete;
  TimerModel& operator=(const TimerModel&) = delete;

  void add(Duration wait) {
    const auto number = static_cast<int>(timers_.size());
    Timer& timer = timers_.emplace_back(wait);
    Call& call = calls_.emplace_back(
        [this, number](weft::Event&, const weft::Outcome&) { fired_.push_back(number); });
    timer.add_callback(call);
    const TimePoint deadline = weft::after(now_, wait);
    queue_.add(timer, deadline);
    waiting_.push_back({deadline, number});
    check();
  }
  void remove(std::size_t index) {
    const auto at = waiting_.begin() + static_cast<std::ptrdiff_t>(index);
    const auto number = static_cast<std::size_t>(at->number);
    queue_.remove(timers_[number]);
    timers_[number].remove_callback(calls_[number]);
    waiting_.erase(at);
    check();
  }
  /// Moves the clock; due timers must fire, earliest first, equal ones in the order of arming.
  void pass(Duration duration) {
    now_ = weft::after(now_, duration);
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& one, const Waiting& two) {
      return one.deadline < two.deadline;
    });
    std::vector<int> expected;
    while (!waiting_.empty() && waiting_.front().deadline <= now_) {
      expected.push_back(waiting_.front().number);
      waiting_.erase(waiting_.begin());
    }
    fired_.clear();
    EXPECT_EQ(queue_.fire_due(now_, nullptr), !expected.empty());
    EXPECT_EQ(fired_, expected);
    for (const int number : fired_) {
      const auto index = static_cast<std::size_t>(number);
      timers_[index].remove_callback(calls_[index]);
    }
    // Restores the order of arming for the next sort.
    std::sort(waiting_.begin(), waiting_.end(),
              [](const Waiting& one, const Waiting& two) { return one.number < two.number; });
    check();
  }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] TimePoint next() const { return queue_.next(); }

 private:
  struct Waiting {
    TimePoint deadline;
    int number;
  };
  void check() const {
    TimePoint first = weft::never;
    for (const Waiting& one : waiting_) first = std::min(first, one.deadline);
    EXPECT_EQ(queue_.next(), first);
    EXPECT_EQ(queue_.size(), waiting_.size());
    EXPECT_EQ(queue_.empty(), waiting_.empty());
  }

  weft::TimerQueue queue_;
  std::deque<Timer> timers_;
  std::deque<Call> calls_;
  std::vector<Waiting> waiting_;
  std::vector<int> fired_;
  TimePoint now_;
};

/// A duration from nanoseconds to years; every magnitude is equally likely.
Duration any_duration(std::mt19937_64& random) {
  const auto bits = std::uniform_int_distribution<int>{0, 56}(random);
  return Duration{static_cast<std::int64_t>(random() >> (63 - bits))};
}

// Near or far, each timer fires at its deadline and not before.
TEST(TimerQueueTest, AgreesWithAListThatIsSearchedFromEndToEnd) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    TimerModel model{TimePoint{any_duration(random)}};
    for (int step = 0; step < 300 && !HasFailure(); ++step) {
      const auto what = random() % 10;
      if (what < 5) {
        model.add(any_duration(random));
      } else if (what < 7 && model.size() > 0) {
        model.remove(random() % model.size());
      } else if (what < 9) {
        model.pass(any_duration(random) / 4);
      } else if (model.size() > 0) {  // to the exact deadline, as a virtual clock does
        model.pass(std::max(model.next() - model.now(), Duration::zero()));
      }
    }
  }
}

// The present time is within a slot of the wheel whose timers have moved to the line and the heap,
// and some of them are removed.
TEST(TimerQueueTest, AgreesWithTheListWhereManyAreNear) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    TimerModel model{TimePoint{any_duration(random)}};
    const auto within = [&](Duration most) {
      return Duration{
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most.count()))};
    };
    for (int round = 0; round < 10 && !HasFailure(); ++round) {
      for (int i = 0; i < 60; ++i) model.add(i % 8 == 0 ? 3ms : within(5ms));
      for (int step = 0; step < 30; ++step) {
        model.pass(within(400us));
        for (int i = 0; i < 2 && model.size() > 0; ++i) model.remove(random() % model.size());
        if (step % 4 == 0) model.add(within(500us));
      }
    }
  }
}

TEST(TimerQueueTest, EqualDeadlinesFarAwayKeepTheOrderOfArming) {
  TimerModel model{TimePoint{5min}};
  for (int i = 0; i < 20; ++i) model.add(i % 3 == 0 ? 2h : 1h);
  model.pass(59min);
  for (int i = 0; i < 20; ++i) model.add(i % 3 == 0 ? 61min : 1min);
  model.pass(1min);
  model.pass(1h);
  EXPECT_EQ(model.size(), 0U);
}

TEST(TimerQueueTest, OneThatIsNeverDueStays) {
  TimerModel model{TimePoint{1h}};
  model.add(Duration::max());
  for (int i = 0; i < 50; ++i) model.pass(24h * 365);
  EXPECT_EQ(model.size(), 1U);
}

TEST(TimerQueueTest, ATimeThatIsPastFiresAtTheNextCall) {
  TimerModel model{TimePoint{1h}};
  model.pass(10s);
  model.add(0ns);
  model.add(1ns);
  model.pass(0ns);
  EXPECT_EQ(model.size(), 1U);
  model.pass(1ns);
  EXPECT_EQ(model.size(), 0U);
}

}  // namespace
