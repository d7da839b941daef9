#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Task sets: what is delivered is removed, and reaches one reader.
namespace task_set_test {

using weft::TaskErrors;
using weft::TaskSet;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

[[noreturn]] void fail(const char* what) { throw std::runtime_error{what}; }

/// Task i ends after 10 - i ms with the value i.
void spawn_backwards(TaskSet<int>& set, int tasks) {
  for (int i = 0; i < tasks; ++i) {
    set.spawn([i] {
      weft::delay(std::chrono::milliseconds{10 - i});
      return i;
    });
  }
}

// R-TGR-10
TEST(TaskSetTest, JoinsTheNextInTheOrderOfCompletion) {
  weft::testing::run([] {
    TaskSet<int> set;
    spawn_backwards(set, 3);
    std::vector<int> order;
    while (set.count() > 0) order.push_back(weft::await(set.join_next()));
    EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(text(error_of([&] { set.join_next().ignore(); })), "Cannot race on an empty TaskSet");
    EXPECT_EQ(text(error_of([&] { set.join_any().ignore(); })),
              "Cannot call any() on an empty TaskSet");
  });
}

// R-TGR-10, R-TGR-4
TEST(TaskSetTest, JoinsThoseThatHaveEndedInTheOrderOfSpawning) {
  weft::testing::run([] {
    TaskSet<int> set;
    spawn_backwards(set, 4);
    weft::delay(20ms);
    std::vector<int> order;
    while (set.count() > 0) order.push_back(weft::await(set.join_next()));
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  });
}

// R-TGR-10, R-TGR-6
TEST(TaskSetTest, CountsWhatIsNotDelivered) {
  weft::testing::run([] {
    TaskSet<int> set{{.concurrency = 1}};
    spawn_backwards(set, 3);
    EXPECT_EQ(set.count(), 3U);
    EXPECT_EQ(set.info(), "TaskSet(total=3, active=1)");
    weft::delay(50ms);
    EXPECT_EQ(set.count(), 3U);
    weft::await(set.join_next());
    EXPECT_EQ(set.count(), 2U);
    EXPECT_EQ(weft::await(set.join_all()).values(), (std::vector<int>{1, 2}));
    EXPECT_EQ(set.count(), 0U);
    EXPECT_TRUE(weft::await(set.join_all()).is_empty());
  });
}

// R-TGR-10
TEST(TaskSetTest, GivesEachReaderAnotherTask) {
  weft::testing::run([] {
    TaskSet<int> set;
    spawn_backwards(set, 2);
    auto first = set.join_next();
    auto second = set.join_next();
    auto third = set.join_next();  // the set has only two tasks
    auto rest = set.join_all();
    EXPECT_EQ(weft::await(first), 1);
    EXPECT_EQ(weft::await(second), 0);
    EXPECT_EQ(text(error_of([&] { weft::await(third); })), "Cannot race on an empty TaskSet");
    EXPECT_TRUE(weft::await(rest).is_empty());
  });
}

// R-TGR-10
TEST(TaskSetTest, JoinsAnySuccessAndKeepsTheErrors) {
  weft::testing::run([] {
    TaskSet<int> set;
    set.spawn([]() -> int { fail("a"); });
    set.spawn([] {
      weft::delay(1ms);
      return 1;
    });
    EXPECT_EQ(weft::await(set.join_any()), 1);
    EXPECT_EQ(set.count(), 1U);
    const std::exception_ptr error = error_of([&] { weft::await(set.join_any()); });
    EXPECT_TRUE(weft_test::is<weft::CompositeError>(error));
    EXPECT_EQ(set.count(), 0U);
  });
}

// R-TGR-10: the oldest reader is served first, whichever answer it waits for.
TEST(TaskSetTest, ServesReadersByTheOrderOfTheirArrival) {
  weft::testing::run([] {
    TaskSet<int> set;
    spawn_backwards(set, 2);
    auto any = set.join_any();
    auto next = set.join_next();
    EXPECT_EQ(weft::await(any), 1);
    EXPECT_EQ(weft::await(next), 0);
  });
}

// R-TGR-10
TEST(TaskSetTest, RemovesTheErrorsItThrewAndKeepsTheValues) {
  weft::testing::run([] {
    TaskSet<int> set;
    set.spawn([] { return 1; });
    set.spawn([]() -> int { fail("a"); });
    EXPECT_TRUE(
        weft_test::is<weft::CompositeError>(error_of([&] { weft::await(set.join_all()); })));
    EXPECT_EQ(set.count(), 1U);
    EXPECT_EQ(weft::await(set.join_all()).values(), (std::vector<int>{1}));
    set.spawn([]() -> int { fail("b"); });
    EXPECT_TRUE(weft::await(set.join_all(TaskErrors::ignore)).is_empty());
    EXPECT_EQ(set.count(), 0U);
  });
}

// R-TGR-10, R-TGR-8
TEST(TaskSetTest, IsEmptiedByALoopInTheOrderOfSpawning) {
  Log log;
  weft::testing::run([&] {
    TaskSet<int> set;
    spawn_backwards(set, 3);
    set.spawn([]() -> int { fail("broke"); });
    set.close();
    std::size_t left = 4;
    for (auto [key, outcome] : set) {
      log.push_back(key.text() + (outcome ? "" : " " + text(outcome.error())));
      EXPECT_EQ(set.count(), --left);
    }
    for (auto each : set) log.push_back("again " + each.key.text());
  });
  EXPECT_EQ(log, (Log{"0", "1", "2", "3 broke"}));
}

// R-TGR-10, R-TGR-8
TEST(TaskSetTest, GivesEachOfTwoLoopsAnotherTask) {
  Log log;
  weft::testing::run([&] {
    TaskSet<int> set;
    spawn_backwards(set, 4);
    const auto loop = [&](const char* name) {
      return [&, name] {
        for (auto [key, outcome] : set) log.push_back(name + key.text());
      };
    };
    auto a = weft::spawn(loop("a"));
    auto b = weft::spawn(loop("b"));
    weft::delay(30ms);
    set.close();
    weft::await(a);
    weft::await(b);
  });
  std::sort(log.begin(), log.end(), [](auto& x, auto& y) { return x[1] < y[1]; });
  ASSERT_EQ(log.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(log[i].substr(1), std::to_string(i));
}

// R-TGR-10, R-TGR-3
TEST(TaskSetTest, LetsTheKeyOfADeliveredTaskBeUsedAgain) {
  weft::testing::run([] {
    TaskSet<int> set;
    set.spawn_with_key("k", [] { return 1; });
    EXPECT_EQ(text(error_of([&] { set.spawn_with_key("k", [] { return 2; }); })),
              "Duplicate key \"k\" in TaskSet");
    EXPECT_EQ(weft::await(set.join_next()), 1);
    set.spawn_with_key("k", [] { return 2; });
    EXPECT_EQ(weft::await(set.join_all()).at("k"), 2);
  });
}

// R-TGR-10, trap 1, trap 21
TEST(TaskSetTest, HasAValueBackThatWasNotTaken) {
  weft::testing::run(
      [] {
        Doorbell end;
        TaskSet<int> set;
        for (int i = 0; i < 2; ++i) {
          set.spawn([&, i] {
            weft::await(end);
            return i;
          });
        }
        { auto dropped = set.join_next(); }  // before it had an outcome
        auto first = weft::spawn([&] { return weft::await(set.join_next()); });
        auto second = weft::spawn([&] { return weft::await(set.join_next()); });
        weft::testing::settle();
        end.ring();
        weft::suspend();  // the tasks have ended, and their readers have not run
        first.cancel();
        EXPECT_TRUE(weft_test::is<weft::Cancelled>(error_of([&] { weft::await(first); })));
        EXPECT_EQ(weft::await(second), 1);
        EXPECT_EQ(set.count(), 1U);
        {
          auto unread = set.join_all();
          EXPECT_TRUE(unread.is_completed());
          EXPECT_EQ(set.count(), 0U);
        }
        EXPECT_EQ(set.count(), 1U);
        EXPECT_EQ(weft::await(set.join_next()), 0);
      },
      weft_test::quiet());
}

// R-TGR-10, R-TGR-4, trap 1
TEST(TaskSetTest, HasAValueBackThatCannotBeCopied) {
  weft::testing::run(
      [] {
        TaskSet<std::unique_ptr<int>> set;
        for (int i = 0; i < 3; ++i) set.spawn([i] { return std::make_unique<int>(i); });
        weft::testing::settle();
        { auto unread = set.join_next(); }
        { auto unread = set.join_all(); }
        { auto unread = set.join_any(); }
        EXPECT_EQ(set.count(), 3U);
        EXPECT_EQ(*weft::await(set.join_next()), 0);
        std::vector<std::unique_ptr<int>> rest = weft::await(set.join_all());
        EXPECT_EQ(*rest.at(0) * 10 + *rest.at(1), 12);
      },
      weft_test::quiet());
}

// R-TGR-10, trap 3
TEST(TaskSetTest, KeepsATaskForTheLoopThatWasWokenForIt) {
  Log log;
  weft::testing::run([&] {
    Doorbell end;
    TaskSet<int> set;
    set.spawn([&] {
      weft::await(end);
      return 1;
    });
    auto loop = weft::spawn([&] {
      for (auto each : set) log.push_back("loop " + each.key.text());
    });
    weft::testing::settle();
    auto newcomer = weft::spawn([&] {
      weft::suspend();
      log.push_back(text(error_of([&] { set.join_next().ignore(); })));
    });
    end.ring();
    weft::await(newcomer);
    set.close();
    weft::await(loop);
  });
  EXPECT_EQ(log, (Log{"Cannot race on an empty TaskSet", "loop 0"}));
}

// R-TGR-10, R-TGR-9
TEST(TaskSetTest, ReportsOnlyTheErrorsThatAreLeft) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      TaskSet<int> set;
      set.spawn([]() -> int { fail("read"); });
      EXPECT_EQ(text(error_of([&] { weft::await(set.join_next()); })), "read");
      set.spawn([]() -> int { fail("left"); });
      weft::testing::settle();
    });
  });
  ASSERT_TRUE(weft_test::is<weft::CompositeError>(error));
  EXPECT_NE(text(error).find("left"), std::string::npos);
  EXPECT_EQ(text(error).find("read"), std::string::npos);
}

// R-TGR-10, trap 9, trap 27, trap 31
TEST(TaskSetTest, TakesTimeInProportionToItsTasks) {
  weft::testing::run([] {
    constexpr int tasks = 20'000;
    Doorbell never;
    TaskSet<int> set;
    set.spawn([&] {  // the first task, which does not end
      weft::await(never);
      return -1;
    });
    std::vector<weft::Future<int>> early;
    for (int i = 0; i < tasks; ++i) {
      set.spawn([i] { return i; });
      if (i % 2 == 0) early.push_back(set.join_next());
    }
    std::int64_t sum = 0;
    for (auto& future : early) sum += weft::await(future);
    while (set.count() > 1) sum += weft::await(set.join_next());
    EXPECT_EQ(sum, std::int64_t{tasks} * (tasks - 1) / 2);
  });
}

// ignore() suppresses the warning only: the outcome is not lost.
TEST(TaskSetTest, TakesBackWhatAnIgnoredFutureDidNotGive) {
  weft::testing::run([] {
    weft::TaskSet<int> set;
    set.spawn([] { return 1; });
    {
      const auto future = set.join_next();
      future.ignore();
      weft::testing::settle();
    }
    EXPECT_EQ(set.count(), 1U);
    {
      const auto future = set.join_next();
      future.ignore();
      EXPECT_EQ(weft::await(future), 1);  // read although it was ignored
    }
    EXPECT_EQ(set.count(), 0U);
    set.spawn([]() -> int { throw std::runtime_error{"failed"}; });
    {
      const auto future = set.join_next();
      future.ignore();
      EXPECT_THROW(weft::await(future), std::runtime_error);
    }
    EXPECT_EQ(set.count(), 0U);
  });
}

}  // namespace task_set_test
