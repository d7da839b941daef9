#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Combinators under every schedule, and with a cancellation at every suspension.
namespace {

using weft::Coroutine;
using weft::Future;
using weft::testing::explore;
using weft_test::error_of;
using weft_test::is;

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error{what};
}

void expect_holds(void (*scenario)()) {
  const auto plain = explore(scenario, {.schedules = weft::testing::all});
  EXPECT_TRUE(plain.ok()) << plain.first_failure();
  EXPECT_GT(plain.schedules(), 1U);
  const auto cancelling =
      explore(scenario, {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(cancelling.ok()) << cancelling.first_failure();
  EXPECT_GT(cancelling.schedules(), plain.schedules());
}

Coroutine<int> yielding(int value) {
  return weft::spawn([value] {
    weft::suspend();
    return value;
  });
}

Coroutine<int> failing() {
  return weft::spawn([]() -> int {
    weft::suspend();
    throw std::runtime_error{"bad"};
  });
}

void all_of_two() {
  std::vector<Coroutine<int>> members{yielding(1), yielding(2)};
  try {
    require(weft::await_all(members) == std::vector<int>{1, 2}, "all values in order");
    require(!members[0].is_cancelled() && !members[1].is_cancelled(), "all members succeeded");
  } catch (const weft::Cancelled&) {
    // A member or this coroutine was cancelled.
  }
}
// R-AWT-4, R-AWT-8
TEST(CombinatorExploreTest, All) { expect_holds(all_of_two); }

void race_with_a_failure() {
  std::vector<Coroutine<int>> members{yielding(1), failing()};
  try {
    const int value = weft::await_first_success(members);
    require(value == 1, "the value of the member that succeeds");
    require(members[0].is_completed(), "the member has ended");
  } catch (const weft::CompositeError& all) {
    require(all.errors().size() == 2, "both failed");
    require(members[0].is_cancelled(), "the first can only fail by a cancellation");
  } catch (const weft::Cancelled&) {
    for (auto& member : members) {  // the errors of the members have not been read
      const auto error = error_of([&] { weft::protect([&] { weft::await(member); }); });
      require(error == nullptr || weft::is_cancellation(error) || is<std::runtime_error>(error),
              "it ends as it would");
    }
  }
}
// R-AWT-3, R-AWT-9, trap 8
TEST(CombinatorExploreTest, FirstSuccess) { expect_holds(race_with_a_failure); }

void token_against_members() {
  weft::Promise<void> stop;
  auto token = stop.future();
  auto stopper = weft::spawn([&stop] {
    weft::suspend();
    stop.complete();
  });
  std::vector<Coroutine<int>> members{yielding(1)};
  try {
    require(weft::await_any(members, token) == 1, "the value");
  } catch (const weft::OperationCancelled&) {
    require(token.is_completed(), "only a fired token ends the wait");
  } catch (const weft::Cancelled&) {
  }
  error_of([&] { weft::protect([&] { weft::await(stopper); }); });
  require(stopper.is_completed(), "the stopper ended before its promise goes");
}
// R-AWT-2, R-AWT-10
TEST(CombinatorExploreTest, TokenAgainstMembers) { expect_holds(token_against_members); }

void functions() {
  auto ran = std::make_shared<int>(0);
  const auto one = [ran] {
    weft::suspend();
    return ++*ran;
  };
  try {
    auto [a, b] = weft::await_all(one, one);
    require(a + b == 3 && *ran == 2, "both ran");
  } catch (const weft::Cancelled&) {
  }
}
// R-AWT-4
TEST(CombinatorExploreTest, Functions) { expect_holds(functions); }

/// A source of two members that yields before each.
class Source {
 public:
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = Coroutine<int>;
    explicit Iterator(int left) : left_{left} {}
    Coroutine<int> operator*() const {
      weft::suspend();
      return weft::spawn([value = left_] { return value; });
    }
    Iterator& operator++() {
      --left_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.left_ == b.left_; }

   private:
    int left_;
  };
  Iterator begin() { return Iterator{2}; }
  Iterator end() { return Iterator{0}; }
};

void source() {
  try {
    require(weft::await_all(Source{}) == std::vector<int>{2, 1}, "all values in order");
  } catch (const weft::Cancelled&) {
  }
}
// R-AWT-7
TEST(CombinatorExploreTest, Source) { expect_holds(source); }

void source_left_early() {
  try {
    const int value = weft::await_any(Source{});
    require(value == 2 || value == 1, "one of them");
  } catch (const weft::Cancelled&) {
  }
}
// R-AWT-7, R-AWT-9
TEST(CombinatorExploreTest, SourceLeftEarly) { expect_holds(source_left_early); }

}  // namespace
