#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

/// A kind of a program, of public headers alone: happens every time that its timer has happened
/// twice.
class EverySecondTick final : public weft::Event {
 public:
  explicit EverySecondTick(weft::Duration period) : timer_{weft::Timer::periodic(period)} {
    timer_.add_callback(tick_);
  }
  ~EverySecondTick() override { timer_.remove_callback(tick_); }

  bool start() override { return timer_.start(); }
  bool stop() noexcept override { return timer_.stop(); }
  [[nodiscard]] std::string info() const override { return "EverySecondTick"; }

 private:
  class Tick final : public weft::Callback {
   public:
    explicit Tick(EverySecondTick& owner) noexcept : owner_{owner} {}
    ~Tick() override = default;
    void on_notify(weft::Event& /*event*/, const weft::Outcome& /*outcome*/) noexcept override {
      if (++owner_.ticks_ % 2 == 0) owner_.notify();
    }

   private:
    EverySecondTick& owner_;
  };

  weft::Timer timer_;
  Tick tick_{*this};
  unsigned ticks_ = 0;
};

TEST(OwnKindTest, MayWaitForTheOutsideThroughAnEventThatItHolds) {
  weft::testing::run([] {
    EverySecondTick event{10ms};
    const auto before = weft::now();
    weft::await(event);
    EXPECT_EQ(weft::now() - before, 20ms);
    EXPECT_THROW(weft::await(event, weft::timeout(5ms)), weft::TimedOut);
  });
}

TEST(OwnKindTest, CountsForDeadlockDetectionAsWhatItHoldsDoes) {
  weft::testing::run([] {
    EverySecondTick event{10ms};
    auto waiter = weft::spawn([&] { weft::await(event); });
    weft::suspend();
    EXPECT_EQ(weft::stats().active_events, 1U);
    waiter.cancel();
    EXPECT_THROW(weft::await(waiter), weft::Cancelled);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

}  // namespace
