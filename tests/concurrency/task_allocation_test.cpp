#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "tasks.hpp"

// Groups without memory: the operation that fails throws, and no task or outcome is lost.
namespace {

using weft_test::Allocations;
using weft_test::error_of;
using weft_test::is;

/// Runs `scenario` with every allocation failing in turn, until none is left to fail.
template <class F>
void fail_each_allocation(F scenario) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  for (std::uint64_t k = 1;; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k) + " fails");
    bool failed = false;
    weft::testing::run(
        [&] {
          weft::await(weft::spawn([] {}));  // a stack is there
          scenario(k);
          failed = Allocations::failed();
        },
        weft_test::quiet());
    if (!failed || ::testing::Test::HasFatalFailure()) return;
    ASSERT_LT(k, 1000U);
  }
}

// R-TGR-3: a spawn that throws has changed nothing.
TEST(TaskAllocationTest, FailsASpawnAsAWhole) {
  fail_each_allocation([](std::uint64_t k) {
    const auto token = std::make_shared<int>(0);
    weft::TaskGroup<std::string> group{{.concurrency = 2, .queue_limit = 0}};
    const auto body = [token, text = std::string(100, 'x')] { return text; };
    Allocations::fail_at(k);
    for (std::size_t i = 0; i < 6;) {
      try {
        if (i % 2 == 0) {
          group.spawn(body);
        } else {
          group.spawn_with_key("a name that needs memory of its own" + std::to_string(i), body);
        }
        EXPECT_EQ(group.count(), ++i);
      } catch (const std::bad_alloc&) {  // try again with the same key
        EXPECT_EQ(group.count(), i);
      }
    }
    Allocations::fail_never();
    EXPECT_EQ(weft::await(group.all()).size(), 6U);
    EXPECT_EQ(token.use_count(), 2) << "this pointer, and that of the copied body";
  });
}

// R-TGR-4, R-TGR-10: if there is no memory for an answer, the next one gets its outcomes.
TEST(TaskAllocationTest, LosesNoResultOfASet) {
  fail_each_allocation([](std::uint64_t k) {
    weft::TaskSet<std::unique_ptr<int>> set;
    for (int i = 0; i < 4; ++i) set.spawn([i] { return std::make_unique<int>(i); });
    weft::testing::settle();
    std::vector<int> seen;
    seen.reserve(4);
    Allocations::fail_at(k);
    const auto ask = [&](auto take) {
      const std::exception_ptr error = error_of(take);
      EXPECT_TRUE(error == nullptr || is<std::bad_alloc>(error)) << weft_test::text(error);
    };
    ask([&] { seen.push_back(*weft::await(set.join_next())); });
    ask([&] { seen.push_back(*weft::await(set.join_any())); });
    ask([&] {
      for (const auto& value : weft::await(set.join_all()).values()) seen.push_back(*value);
    });
    Allocations::fail_never();
    set.close();
    for (auto [key, outcome] : set) seen.push_back(*outcome.stored().value());
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(set.count(), 0U);
  });
}

/// Runs three tasks, one at a time, beside `others` coroutines, without memory when the second is
/// started. True if that has failed, because the run queue had to grow.
bool a_queued_task_needs_memory(int others) {
  bool failed = false;
  weft::testing::run([&] {
    for (int i = 0; i < others; ++i) weft::spawn([] { weft::delay(std::chrono::hours{1}); });
    weft::testing::settle();
    weft::TaskGroup<int> group{{.concurrency = 1, .queue_limit = 0}};
    for (int i = 0; i < 3; ++i) {
      group.spawn([i] {
        if (i == 0) Allocations::fail_at(1);  // the next is started where this one ends
        return i;
      });
    }
    group.close();
    group.await_completion();
    failed = Allocations::failed();
    Allocations::fail_never();
    std::vector<int> values;
    for (auto [key, outcome] : group) {
      values.push_back(outcome ? *outcome.stored() : -1);
      EXPECT_TRUE(outcome || is<std::bad_alloc>(outcome.error()));
    }
    EXPECT_EQ(values, (failed ? std::vector<int>{0, -1, 2} : std::vector<int>{0, 1, 2}));
  });
  return failed;
}

// R-TGR-1: a task that finds no place in the run queue fails with std::bad_alloc, and the others
// run.
TEST(TaskAllocationTest, EndsAQueuedTaskThatCannotBeStarted) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  int others = 0;
  while (!a_queued_task_needs_memory(others)) ASSERT_LT(++others, 1000);
}

// R-TGR-1: a queued task needs no more memory to start, however large its function is.
TEST(TaskAllocationTest, StartsAQueuedTaskWithoutMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  struct Large {
    std::array<char, 1024> bytes{};
    int value = 0;
  };
  weft::testing::run([] {
    weft::TaskGroup<Large> group{{.concurrency = 1, .queue_limit = 0}};
    for (int i = 0; i < 3; ++i) {
      group.spawn([i] {
        if (i == 0) Allocations::fail_at(1);  // the next is started where this one ends
        return Large{{}, i};
      });
    }
    group.close();
    group.await_completion();
    EXPECT_FALSE(Allocations::failed());
    Allocations::fail_never();
    std::vector<int> values;
    for (auto [key, outcome] : group) values.push_back(outcome.value().value);
    EXPECT_EQ(values, (std::vector<int>{0, 1, 2}));
  });
}

// Small tasks of a living set reuse the slots of ended ones.
TEST(TaskAllocationTest, IsNotMadeForSmallTasksOfALivingSet) {
  weft::testing::run([] {
    weft::TaskSet<int> set;
    const auto one = [&] {
      set.spawn([] { return 1; });
      for (auto step = set.begin(); step != set.end();) {
        EXPECT_EQ((*step).outcome.stored(), 1);
        break;
      }
    };
    for (int i = 0; i < 10; ++i) one();
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) one();
    EXPECT_EQ(Allocations::count() - before, 0U);
  });
}

}  // namespace
