#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using weft_test::Doorbell;

/// Adds and removes callbacks of two events at random, also from inside callbacks, and compares the
/// calls with a model: the set of subscribers, and the set of callbacks called in this
/// notification.
class World {
 public:
  explicit World(std::uint32_t seed) : random_{seed} {
    for (std::size_t i = 0; i < callback_count; ++i) players_.emplace_back(*this, i);
  }
  ~World() {
    for (std::size_t i = 0; i < callback_count; ++i) {
      if (home_[i] != no_event) events_[home_[i]].bell.remove_callback(players_[i]);
    }
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      step();
      check();
    }
  }
  [[nodiscard]] std::size_t refused() const noexcept { return refused_; }
  [[nodiscard]] std::size_t calls() const noexcept { return calls_; }

 private:
  static constexpr std::size_t callback_count = 12;
  static constexpr std::size_t event_count = 2;
  static constexpr std::size_t no_event = event_count;

  class Player final : public weft::Callback {
   public:
    Player(World& world, std::size_t index) : world_{&world}, index_{index} {}
    void on_notify(weft::Event& event, const weft::Outcome&) noexcept override {
      world_->called(index_, event);
    }
    std::size_t disposed = 0;

   protected:
    void dispose() noexcept override { ++disposed; }

   private:
    World* world_;
    std::size_t index_;
  };

  struct Side {
    Doorbell bell;
    bool notifying = false;
    std::set<std::size_t> called;  // in this notification
    std::size_t additions = 0;     // in this notification; bounded, so that it ends
  };

  std::size_t pick(std::size_t below) { return random_() % below; }

  void step() {
    const std::size_t who = pick(callback_count);
    const std::size_t where = pick(event_count);
    switch (pick(5)) {
      case 0:
      case 1:
        return add(who, where);
      case 2:
      case 3:
        return remove(who, where);
      default:
        return ring(where);
    }
  }

  void add(std::size_t who, std::size_t where) {
    Side& side = events_[where];
    // A callback that was called, removed and added again in one notification is a new subscriber;
    // the model does not say whether it is called again.
    if (side.notifying && (side.called.contains(who) || ++side.additions > 20)) return;
    EXPECT_EQ(side.bell.add_callback(players_[who]), home_[who] == no_event);
    if (home_[who] == no_event) home_[who] = where;
  }

  void remove(std::size_t who, std::size_t where) {
    EXPECT_EQ(events_[where].bell.remove_callback(players_[who]), home_[who] == where);
    if (home_[who] != where) return;
    home_[who] = no_event;
    ++removals_[who];
  }

  void ring(std::size_t where) {
    Side& side = events_[where];
    if (side.notifying) {
      ++refused_;
      side.bell.ring();
      return;
    }
    side.notifying = true;
    side.called.clear();
    side.additions = 0;
    side.bell.ring();
    side.notifying = false;
    for (std::size_t i = 0; i < callback_count; ++i) {
      if (home_[i] == where) {
        EXPECT_TRUE(side.called.contains(i)) << i << " was skipped";
      }
    }
  }

  void called(std::size_t who, weft::Event& event) {
    ++calls_;
    const std::size_t where = &event == &events_[0].bell ? 0 : 1;
    Side& side = events_[where];
    EXPECT_TRUE(side.notifying);
    EXPECT_EQ(home_[who], where) << who << " was called after its removal";
    EXPECT_TRUE(side.called.insert(who).second) << who << " was called twice";
    if (pick(3) == 0) remove(who, where);
    for (std::size_t i = pick(4); i > 0; --i) step();
  }

  void check() {
    std::array<std::uint32_t, event_count + 1> sizes{};
    for (std::size_t i = 0; i < callback_count; ++i) {
      ++sizes[home_[i]];
      EXPECT_EQ(players_[i].is_subscribed(), home_[i] != no_event);
      EXPECT_EQ(players_[i].references(), home_[i] == no_event ? 1U : 2U);
      EXPECT_EQ(players_[i].disposed, removals_[i]);
    }
    for (std::size_t i = 0; i < event_count; ++i) {
      EXPECT_EQ(events_[i].bell.subscribers(), sizes[i]);
      EXPECT_EQ(events_[i].bell.references(), 1U);
    }
  }

  std::mt19937 random_;
  std::deque<Player> players_;
  std::array<Side, event_count> events_;
  std::vector<std::size_t> home_ = std::vector<std::size_t>(callback_count, no_event);
  std::vector<std::size_t> removals_ = std::vector<std::size_t>(callback_count, 0);
  std::size_t refused_ = 0;
  std::size_t calls_ = 0;
};

// R-CB-4, R-CB-5, R-CB-6, R-CB-7, R-CB-8, trap 12
TEST(CallbackProperty, EachIsCalledExactlyOnceWhateverHappensMeanwhile) {
  std::vector<std::string> warnings;
  std::size_t refused = 0;
  std::size_t calls = 0;
  weft::testing::run(
      [&] {
        for (std::uint32_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
          SCOPED_TRACE("seed " + std::to_string(seed));
          World world{seed};
          world.run(200);
          refused += world.refused();
          calls += world.calls();
        }
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), refused) << "one warning for each nested notification, and no other";
  EXPECT_GT(refused, 1'000U) << "the property was hardly tried";
  EXPECT_GT(calls, 10'000U) << "the property was hardly tried";
}

}  // namespace
