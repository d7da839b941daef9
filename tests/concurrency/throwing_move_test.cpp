#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Move-only values whose move throws: the next receive gets the value.
namespace throwing_move_test {

using weft::testing::settle;

class Fragile {
 public:
  explicit Fragile(int value) noexcept : value_{value} {}
  Fragile(Fragile&& other) : value_{other.value_} {
    if (moves_left_ > 0 && --moves_left_ == 0) throw std::runtime_error{"broke"};
  }
  Fragile(const Fragile&) = delete;
  Fragile& operator=(const Fragile&) = delete;
  Fragile& operator=(Fragile&&) = delete;
  ~Fragile() = default;
  [[nodiscard]] int value() const noexcept { return value_; }
  /// Makes the `moves`-th move from now throw; 0: none.
  static void break_after(int moves) noexcept { moves_left_ = moves; }

 private:
  static inline int moves_left_ = 0;
  int value_;
};

/// Makes each move on the way throw, one after the other; `take` must succeed when it is called
/// again.
template <class F>
void expect_nothing_lost(const F& take) {
  for (int moves = 1;; ++moves) {
    Fragile::break_after(moves);
    try {
      EXPECT_EQ(take(), 7);
      Fragile::break_after(0);
      return;
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "broke");
    }
  }
}

TEST(ThrowingMoveTest, LosesNoResultOfACoroutine) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { return Fragile{7}; });
    settle();
    expect_nothing_lost([&] { return weft::await(coroutine).value(); });
  });
}

TEST(ThrowingMoveTest, LosesNoValueOfAFuture) {
  weft::testing::run([] {
    weft::Promise<Fragile> promise;
    auto future = promise.future();
    promise.complete(Fragile{7});
    expect_nothing_lost([&] { return weft::await(future).value(); });
  });
}

// R-TGR-4
TEST(ThrowingMoveTest, LosesNoResultOfAGroup) {
  weft::testing::run([] {
    weft::TaskGroup<Fragile> group;
    group.spawn([] { return Fragile{7}; });
    settle();
    expect_nothing_lost([&] { return weft::await(group.race()).value(); });
  });
}

// R-TGR-10
TEST(ThrowingMoveTest, LosesNoResultOfASet) {
  weft::testing::run([] {
    weft::TaskSet<Fragile> set;
    set.spawn([] { return Fragile{7}; });
    settle();
    expect_nothing_lost([&] { return weft::await(set.join_next()).value(); });
    EXPECT_EQ(set.count(), 0U);
  });
}

// R-TGR-8
TEST(ThrowingMoveTest, LosesNoResultOnTheWayIntoALoop) {
  weft::testing::run([] {
    weft::TaskSet<Fragile> set;
    set.spawn([] { return Fragile{7}; });
    set.close();
    settle();
    expect_nothing_lost([&] {
      const auto first = set.begin();
      Fragile::break_after(0);  // moves in this loop do not throw
      return (*first).outcome.take().value();
    });
  });
}

}  // namespace throwing_move_test
