#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "tasks.hpp"

// Compares a set and a group with a simple model: tasks end in any order, with success or failure,
// and every operation asks for their outcomes; some answers are not read.
namespace {

using weft::testing::settle;
using weft_test::Doorbell;

/// Tasks that end when the test says so.
class Hands {
 public:
  template <class Group>
  void spawn(Group& group) {
    const int task = static_cast<int>(bells_.size());
    auto& hand = *bells_.emplace_back(std::make_unique<Hand>());
    group.spawn([&hand, task] {
      weft::await(hand.bell);
      if (hand.fails) throw std::runtime_error{std::to_string(task)};
      return task;
    });
    running_.push_back(task);
    settle();
  }
  /// Ends one of the running tasks.
  std::pair<int, bool> end(std::size_t which, bool fails) {
    const int task = running_.at(which);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
    Hand& hand = *bells_[static_cast<std::size_t>(task)];
    hand.fails = fails;
    hand.bell.ring();
    settle();
    return {task, fails};
  }
  [[nodiscard]] std::size_t running() const noexcept { return running_.size(); }

 private:
  struct Hand {
    Doorbell bell;
    bool fails = false;
  };
  std::vector<std::unique_ptr<Hand>> bells_;
  std::vector<int> running_;
};

/// The outcome as text: "7", or "error 7".
template <class F>
std::string answer(F ask) {
  try {
    return std::to_string(ask());
  } catch (const std::runtime_error& error) {
    return std::string{"error "} + error.what();
  }
}

std::string expected(const std::pair<const int, bool>& task) {
  return (task.second ? "error " : "") + std::to_string(task.first);
}

class TaskModelTest : public ::testing::TestWithParam<unsigned> {
 protected:
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>{0, below - 1}(random_);
  }

 private:
  std::mt19937 random_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Seeds, TaskModelTest, ::testing::Range(1U, 21U));

// R-TGR-4, R-TGR-10
TEST_P(TaskModelTest, ASetGivesTheFirstThatHasEnded) {
  weft::testing::run(
      [&] {
        Hands hands;
        weft::TaskSet<int> set;
        std::map<int, bool> ended;  // and whether the task failed
        const auto first_success = [&] {
          return std::find_if(ended.begin(), ended.end(),
                              [](const auto& task) { return !task.second; });
        };
        for (int step = 0; step < 400; ++step) {
          switch (pick(6)) {
            case 0:
            case 1:
              hands.spawn(set);
              break;
            case 2:
              if (hands.running() > 0) ended.insert(hands.end(pick(hands.running()), pick(3) == 0));
              break;
            case 3:
              if (ended.empty()) break;
              ASSERT_EQ(answer([&] { return weft::await(set.join_next()); }),
                        expected(*ended.begin()));
              ended.erase(ended.begin());
              break;
            case 4:
              if (const auto first = first_success(); first != ended.end()) {
                ASSERT_EQ(answer([&] { return weft::await(set.join_any()); }), expected(*first));
                ended.erase(first);
              }
              break;
            default:
              if (!ended.empty()) {  // an answer that is not read
                auto unread = set.join_next();
                EXPECT_TRUE(unread.is_completed());
                if (set.count() > 0) {
                  EXPECT_EQ(set.join_next().is_completed(), ended.size() > 1);
                }
              }
          }
          ASSERT_EQ(set.count(), hands.running() + ended.size());
        }
        while (hands.running() > 0) ended.insert(hands.end(pick(hands.running()), false));
        set.close();
        for (auto [key, outcome] : set) {
          ASSERT_FALSE(ended.empty());
          EXPECT_EQ(key.number(), ended.begin()->first);
          EXPECT_EQ(!outcome, ended.begin()->second);
          ended.erase(ended.begin());
        }
        EXPECT_TRUE(ended.empty());
      },
      weft_test::quiet());
}

// R-TGR-4
TEST_P(TaskModelTest, AGroupGivesTheFirstThatHasEnded) {
  weft::testing::run([&] {
    Hands hands;
    weft::TaskGroup<int> group;
    std::set<int> succeeded;
    std::set<int> failed;
    for (int i = 0; i < 30; ++i) hands.spawn(group);
    while (hands.running() > 0) {
      const auto [task, fails] = hands.end(pick(hands.running()), pick(2) == 0);
      (fails ? failed : succeeded).insert(task);
      const bool fails_first =
          succeeded.empty() || (!failed.empty() && *failed.begin() < *succeeded.begin());
      const int first = fails_first ? *failed.begin() : *succeeded.begin();
      ASSERT_EQ(answer([&] { return weft::await(group.race()); }), expected({first, fails_first}));
      auto any = group.any();
      ASSERT_EQ(any.is_completed(), !succeeded.empty() || hands.running() == 0);
      if (!succeeded.empty()) {
        EXPECT_EQ(weft::await(any), *succeeded.begin());
      }
      any.ignore();
    }
    group.close();
    int next = 0;
    for (auto [key, outcome] : group) {
      EXPECT_EQ(key.number(), next);
      EXPECT_EQ(!outcome, failed.count(next) != 0);
      ++next;
    }
    EXPECT_EQ(next, 30);
  });
}

}  // namespace
