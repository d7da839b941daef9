#include "weft/extend/choice.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

/// The newest goes first; of the suspensions one cancels the coroutine.
class NewestFirst final : public weft::Choice {
 public:
  std::size_t next_ready(std::size_t ready) noexcept override { return ready - 1; }
  std::size_t next_due(std::size_t due) noexcept override { return due - 1; }
  void at_suspension(weft::CoroutineBase& coroutine) noexcept override {
    if (++suspensions == cancel_at) coroutine.cancel();
  }
  void at_end(const weft::Stats& stats) noexcept override { spawned = stats.coroutines_spawned; }

  unsigned suspensions = 0;
  unsigned cancel_at = 0;
  std::uint64_t spawned = 0;
};

// R-ARCH-11
TEST(ChoiceTest, OfAProgramDecidesWhichReadyCoroutineAndWhichDueTimerIsNext) {
  NewestFirst choice;
  weft::Options options;
  options.choice = &choice;
  std::vector<int> ran;
  weft::testing::run(
      [&] {
        const weft::TimePoint later = weft::now() + 10s;
        std::vector<weft::Coroutine<void>> all;
        for (int i = 0; i < 3; ++i) {
          all.push_back(weft::spawn([&ran, i, later] {
            ran.push_back(i);
            weft::delay_until(later);
            ran.push_back(i);
          }));
        }
        weft::await_all(all);
      },
      options);
  // The timers were started in the order 2, 1, 0; of those that were woken the newest runs first.
  EXPECT_EQ(ran, (std::vector<int>{2, 1, 0, 2, 1, 0}));
  EXPECT_GE(choice.spawned, 3U);
}

TEST(ChoiceTest, MayCancelACoroutineThatSuspends) {
  NewestFirst choice;
  choice.cancel_at = 2;  // the first is main's, which awaits
  weft::Options options;
  options.choice = &choice;
  weft::testing::run(
      [] {
        auto coroutine = weft::spawn([] { weft::delay(1h); });
        EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
      },
      options);
  EXPECT_GE(choice.suspensions, 2U);
}

}  // namespace
