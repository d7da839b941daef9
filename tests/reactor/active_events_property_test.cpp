#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

/// Starts, stops, hides and destroys a few timers and triggers in random order, and compares them
/// with a model.
class Crowd {
 public:
  explicit Crowd(std::uint32_t seed) : random_{seed} {
    for (std::size_t i = 0; i < count; ++i) members_.push_back(make());
  }

  void step() {
    Member& member = members_[pick(count)];
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
        EXPECT_TRUE(member.event->start());
        if (!member.closed) ++member.starts;
        break;
      case 3:
      case 4:
      case 5:
        member.event->stop();
        if (member.starts > 0) --member.starts;
        break;
      case 6:
      case 7:
        member.hidden = !member.hidden;
        member.event->set_hidden(member.hidden);
        break;
      case 8:
        close(member);
        break;
      case 9:
      case 10:
        member = make();  // disposed, perhaps while armed
        break;
      default:
        pass();
    }
    check();
  }

  void check() const {
    std::size_t visible = 0;
    std::size_t hidden = 0;
    for (const Member& member : members_) {
      EXPECT_EQ(member.event->is_armed(), member.starts > 0);
      EXPECT_EQ(member.event->loop_references(), member.starts);
      EXPECT_EQ(member.event->is_closed(), member.closed);
      if (member.starts > 0) ++(member.hidden ? hidden : visible);
    }
    EXPECT_EQ(weft::stats().active_events, visible);
    EXPECT_EQ(weft::stats().hidden_events, hidden);
  }

 private:
  static constexpr std::size_t count = 6;
  static constexpr weft::Duration period = 1s;
  enum class Kind { once, periodic, trigger };

  struct Member {
    Kind kind;
    weft::Ref<weft::LoopEvent> event;
    std::uint32_t starts = 0;
    bool hidden = false;
    bool closed = false;
  };

  std::size_t pick(std::size_t below) { return random_() % below; }

  Member make() {
    switch (pick(3)) {
      case 0:
        return {Kind::once, weft::make_ref<weft::Timer>(period)};
      case 1:
        return {Kind::periodic, weft::make_ref<weft::Timer>(period, weft::Timer::Kind::periodic)};
      default:
        return {Kind::trigger, weft::make_ref<weft::Trigger>()};
    }
  }

  static void close(Member& member) {
    if (member.kind == Kind::trigger) {
      static_cast<weft::Trigger&>(*member.event).close();
    } else {
      static_cast<weft::Timer&>(*member.event).close();
    }
    member.closed = true;
    member.starts = 0;
  }

  /// Lets every armed timer fire; one-shot ones close by it.
  void pass() {
    weft::delay(2 * period);
    for (Member& member : members_) {
      if (member.kind != Kind::once || member.starts == 0) continue;
      member.closed = true;
      member.starts = 0;
    }
  }

  std::mt19937 random_;
  std::vector<Member> members_;
};

// R-HID-5, R-HID-4, R-HID-2, R-EVT-10, R-EVT-12, trap 15
TEST(ActiveEventsProperty, TheCountEndsAtZeroWhateverIsStartedStoppedHiddenAndDisposed) {
  weft::testing::run([] {
    for (std::uint32_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      {
        Crowd crowd{seed};
        for (int i = 0; i < 200 && !HasFailure(); ++i) crowd.step();
      }
      EXPECT_EQ(weft::stats().active_events, 0U);
      EXPECT_EQ(weft::stats().hidden_events, 0U);
      EXPECT_EQ(weft::stats().armed_timers, 0U);
    }
  });
}

// R-HID-5
TEST(ActiveEvents, StopAfterCloseLeavesTheCountAlone) {
  weft::testing::run([] {
    weft::Timer other{1h};
    weft::Timer timer{1h};
    other.start();
    timer.start();
    timer.close();
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.stop();
    timer.stop();
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.close();
    EXPECT_EQ(weft::stats().active_events, 1U) << "a second close does nothing";
  });
}

// R-HID-5
TEST(ActiveEvents, DisposalWhileArmedIsBalanced) {
  weft::testing::run([] {
    {
      weft::Timer on_the_stack{1h};
      auto counted = weft::make_ref<weft::Timer>(1h);
      on_the_stack.start();
      on_the_stack.start();
      counted->start();
      EXPECT_EQ(weft::stats().active_events, 2U);
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

}  // namespace
