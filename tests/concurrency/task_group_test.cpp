#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "tasks.hpp"

// Groups of tasks: how tasks are queued and run.
namespace {

using weft::MisuseError;
using weft::TaskGroup;
using weft::TaskKey;
using weft::TaskSet;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;
using namespace std::chrono_literals;

static_assert(!std::is_copy_constructible_v<TaskGroup<int>>);
static_assert(!std::is_move_constructible_v<TaskGroup<int>>);
static_assert(!std::is_move_assignable_v<TaskSet<int>>);

// R-TGR-1, trap 13
TEST(TaskGroupTest, RunsAtMostSoManyAtOnceAndTheOthersInOrder) {
  for (const std::size_t limit : {1U, 2U, 3U}) {
    weft::testing::run([limit] {
      std::size_t running = 0;
      std::size_t most = 0;
      std::vector<int> order;
      TaskGroup<int> group{{.concurrency = limit, .queue_limit = 0}};
      for (int i = 0; i < 10; ++i) {
        group.spawn([&, i] {
          most = std::max(most, ++running);
          order.push_back(i);
          weft::delay(10ms);
          --running;
          return i;
        });
      }
      EXPECT_TRUE(order.empty());  // spawn() does not run the task itself
      const std::vector<int> results = weft::await(group.all());
      EXPECT_EQ(results, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
      EXPECT_EQ(order, results);
      EXPECT_EQ(most, limit);
    });
  }
}

// R-TGR-1
TEST(TaskGroupTest, RunsInAScopeOfItsOwnOrInAGivenOne) {
  weft::testing::run([] {
    const weft::Ref<weft::Scope> outer = weft::Scope::current();
    const weft::Ref<weft::Scope> given = weft::Scope::inherit();
    TaskGroup<bool> own;
    TaskGroup<bool> in_given{{.scope = given}};
    own.spawn([&] { return weft::Scope::current() != outer && weft::Scope::current() != given; });
    in_given.spawn([&] { return weft::Scope::current() == given; });
    EXPECT_EQ(given->size(), 1U);
    EXPECT_TRUE(weft::await(own.race()));
    EXPECT_TRUE(weft::await(in_given.race()));
  });
}

// R-TGR-1
TEST(TaskGroupTest, RefusesAScopeThatHasEnded) {
  weft::testing::run([] {
    const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    scope->cancel();
    EXPECT_EQ(text(error_of([&] { TaskGroup<int> group{{.scope = scope}}; })),
              "Cannot use a disposed Scope for TaskGroup");
    EXPECT_TRUE(is<MisuseError>(error_of([&] { TaskSet<int> set{{.scope = scope}}; })));
  });
  EXPECT_TRUE(is<MisuseError>(error_of([] { TaskGroup<int> outside; })));
}

/// How many spawns return before one suspends.
int spawned_at_once(const weft::TaskOptions& options) {
  int spawned = 0;
  weft::testing::run([&] {
    Doorbell go_on;
    TaskGroup<void> group{options};
    auto spawner = weft::spawn([&] {
      for (int i = 0; i < 20; ++i) {
        group.spawn([&] { weft::await(go_on); });
        ++spawned;
      }
    });
    weft::testing::settle();
    spawner.cancel();
    error_of([&] { weft::await(spawner); });
    EXPECT_EQ(group.count(), static_cast<std::size_t>(spawned));
    group.cancel();
  });
  return spawned;
}

// R-TGR-2
TEST(TaskGroupTest, QueuesTwiceTheConcurrencyByDefault) {
  EXPECT_EQ(spawned_at_once({.concurrency = 1}), 3);
  EXPECT_EQ(spawned_at_once({.concurrency = 4}), 12);
  EXPECT_EQ(spawned_at_once({.concurrency = 2, .queue_limit = 1}), 3);
  EXPECT_EQ(spawned_at_once({.concurrency = 2, .queue_limit = 0}), 20);
  EXPECT_EQ(spawned_at_once({}), 20);
  EXPECT_EQ(spawned_at_once({.queue_limit = 1}), 20);  // without a limit no task is queued
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(spawned_at_once({.concurrency = huge}), 20);
  EXPECT_EQ(spawned_at_once({.concurrency = 1, .queue_limit = huge}), 20);
}

// R-TGR-2, trap 4, trap 5
TEST(TaskGroupTest, LetsWaitingSpawnersInByTheOrderOfTheirArrival) {
  std::vector<int> order;
  weft::testing::run([&] {
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    const auto task = [&](int i) {
      return [&order, i] {
        order.push_back(i);
        weft::delay(1ms);
      };
    };
    group.spawn(task(0));
    group.spawn(task(1));
    auto spawner = [&](int first) {
      return weft::spawn([&, first] {
        for (int i = 0; i < 3; ++i) group.spawn(task(first + i));
      });
    };
    auto a = spawner(10);
    auto b = spawner(20);
    auto c = spawner(30);
    weft::await(a);
    weft::await(b);
    weft::await(c);
    weft::await(group.all());
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 10, 20, 30, 11, 21, 31, 12, 22, 32}));
}

// R-TGR-2, trap 3
TEST(TaskGroupTest, GivesNewcomersNoPlaceThatAWaiterWasWokenFor) {
  std::vector<int> order;
  weft::testing::run([&] {
    Doorbell end;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([] {});
    auto waits = weft::spawn([&] { group.spawn([&] { order.push_back(1); }); });
    weft::testing::settle();
    auto newcomer = weft::spawn([&] {
      weft::suspend();  // now the first task has ended, and the waiting spawner has not run
      group.spawn([&] { order.push_back(2); });
    });
    end.ring();
    weft::await(newcomer);
    weft::await(waits);
    weft::await(group.all());
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// R-TGR-2, trap 2
TEST(TaskGroupTest, HandsThePlaceOnWhenAWokenSpawnerIsCancelled) {
  weft::testing::run([] {
    Doorbell end;
    Doorbell end_second;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([&] { weft::await(end_second); });
    auto first = weft::spawn([&] { group.spawn([] { ADD_FAILURE(); }); });
    auto second = weft::spawn([&] { group.spawn([] {}); });
    weft::testing::settle();
    end.ring();
    weft::suspend();  // now one place is free, and the first spawner was woken for it
    first.cancel();
    EXPECT_EQ(text(error_of([&] { weft::await(first); })), "cancelled: Coroutine cancelled");
    weft::await(second);  // while the second task runs
    EXPECT_EQ(group.count(), 3U);
    end_second.ring();
    weft::await(group.all());
  });
}

// R-TGR-2
TEST(TaskGroupTest, RefusesWaitingSpawnersWhenItIsClosed) {
  weft::testing::run([] {
    Doorbell end;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([] {});
    const auto spawn_one = [&] {
      return text(error_of([&] { group.spawn([] { ADD_FAILURE(); }); }));
    };
    auto waits = weft::spawn(spawn_one);
    auto waits_too = weft::spawn(spawn_one);
    weft::testing::settle();
    group.close();
    EXPECT_EQ(weft::await(waits), "Cannot spawn tasks on a closed TaskGroup");
    EXPECT_EQ(weft::await(waits_too), "Cannot spawn tasks on a closed TaskGroup");
    EXPECT_EQ(group.count(), 2U);
    end.ring();
    group.await_completion();
  });
}

// R-TGR-2: a spawner was granted a place, but the group was closed before it ran.
TEST(TaskGroupTest, RefusesAWokenSpawnerWhenItIsClosed) {
  weft::testing::run([] {
    Doorbell end;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([&] { group.close(); });
    auto waits = weft::spawn([&] { return text(error_of([&] { group.spawn([] {}); })); });
    weft::testing::settle();
    end.ring();
    weft::suspend();
    group.close();
    EXPECT_EQ(weft::await(waits), "Cannot spawn tasks on a closed TaskGroup");
    group.await_completion();
    EXPECT_EQ(group.count(), 2U);
  });
}

// R-TGR-3
TEST(TaskGroupTest, HasKeysThatAreNumbersOrTexts) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] { return 10; });
    group.spawn_with_key("name", [] { return 11; });
    group.spawn_with_key(7, [] { return 12; });
    group.spawn([] { return 13; });
    group.spawn_with_key(-3, [] { return 14; });
    group.spawn_with_key("1", [] { return 15; });
    group.spawn_with_key(3, [] { return 16; });
    const weft::TaskResults<int> results = weft::await(group.all());
    EXPECT_EQ(results.keys(), (std::vector<TaskKey>{0, "name", 7, 8, -3, "1", 3}));
    EXPECT_EQ(results.at("name"), 11);
    EXPECT_EQ(results.at(8), 13);
    EXPECT_EQ(results.find(1), nullptr);  // 1 is not "1"
    EXPECT_EQ(text(error_of([&] { static_cast<void>(results.at("no")); })),
              "There is no result with the key \"no\"");
  });
}

// R-TGR-3
TEST(TaskGroupTest, RefusesAKeyThatIsThere) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] { return 1; });
    group.spawn_with_key("a", [] { return 2; });
    const auto again = [&](const TaskKey& key) {
      return text(error_of([&] {
        group.spawn_with_key(key, [] {
          ADD_FAILURE();
          return 0;
        });
      }));
    };
    EXPECT_EQ(again(0), "Duplicate key 0 in TaskGroup");
    EXPECT_EQ(again("a"), "Duplicate key \"a\" in TaskGroup");
    EXPECT_EQ(group.count(), 2U);
    weft::await(group.all());
    EXPECT_EQ(again("a"), "Duplicate key \"a\" in TaskGroup");  // a group keeps what has ended
    group.spawn_with_key(std::numeric_limits<std::int64_t>::max(), [] { return 3; });
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.spawn([] { return 4; }); })));
  });
}

// R-TGR-3: two spawners wait for a place with the same key.
TEST(TaskGroupTest, RefusesAKeyThatCameWhileItWaited) {
  weft::testing::run([] {
    Doorbell end;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([] {});
    const auto spawn_one = [&] {
      return text(error_of([&] { group.spawn_with_key("k", [] {}); }));
    };
    auto first = weft::spawn(spawn_one);
    auto second = weft::spawn(spawn_one);
    auto third = weft::spawn([&] { group.spawn([] {}); });
    weft::testing::settle();
    end.ring();
    EXPECT_EQ(weft::await(first), "nothing");
    EXPECT_EQ(weft::await(second), "Duplicate key \"k\" in TaskGroup");
    weft::await(third);
    weft::await(group.all());
    EXPECT_EQ(group.count(), 4U);
  });
}

// R-TGR-3
TEST(TaskGroupTest, RefusesTasksWhenItIsClosed) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] { return 1; });
    group.close();
    EXPECT_TRUE(group.is_closed());
    const std::exception_ptr error = error_of([&] { group.spawn([] { return 2; }); });
    EXPECT_TRUE(is<MisuseError>(error));
    EXPECT_EQ(text(error), "Cannot spawn tasks on a closed TaskGroup");
    EXPECT_EQ(weft::await(group.all()).size(), 1U);
    TaskSet<int> set;
    set.close();
    EXPECT_EQ(text(error_of([&] { set.spawn([] { return 2; }); })),
              "Cannot spawn tasks on a closed TaskSet");
  });
}

// R-TGR-3
TEST(TaskGroupTest, KnowsTheKeysItHasGivenWhenOneIsBrought) {
  weft::testing::run([] {
    TaskGroup<void> group;
    for (int i = 0; i < 20; ++i) group.spawn([] {});
    weft::suspend();
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.spawn_with_key(13, [] {}); })));
    group.spawn_with_key(30, [] {});
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.spawn_with_key(30, [] {}); })));
    group.spawn([] {});
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.spawn_with_key(31, [] {}); })));
    EXPECT_EQ(weft::await(group.all()).keys().back(), TaskKey{31});
  });
}

// R-COR-8
TEST(TaskGroupTest, DestroysABodyWhenItsTaskEnds) {
  weft::testing::run([] {
    Doorbell bell;
    const auto captured = std::make_shared<int>(7);
    TaskGroup<int> group{{.concurrency = 2, .queue_limit = 0}};
    group.spawn([captured] { return *captured; });
    for (int i = 0; i < 3; ++i) {
      group.spawn([captured, &bell] {
        weft::await(bell);
        return *captured;
      });
    }
    EXPECT_EQ(captured.use_count(), 5);
    EXPECT_EQ(weft::await(group.race()), 7);
    EXPECT_EQ(captured.use_count(), 4) << "the copy of the ended task is destroyed";
    group.cancel();
    EXPECT_EQ(captured.use_count(), 3) << "the copy of the task that never runs is destroyed";
    group.await_completion();
    EXPECT_EQ(captured.use_count(), 1);
  });
}

// R-TGR-4
TEST(TaskGroupTest, RacesToTheFirstInTheOrderOfSpawningNotOfEnding) {
  weft::testing::run([] {
    TaskGroup<int> group;
    for (int i = 0; i < 4; ++i) {
      group.spawn([i] {
        weft::delay((4 - i) * 1ms);
        if (i == 0) throw std::runtime_error{"the first"};
        return i;
      });
    }
    weft::delay(10ms);  // the tasks end from the last to the first
    EXPECT_TRUE(is<std::runtime_error>(error_of([&] { weft::await(group.race()); })));
    EXPECT_EQ(weft::await(group.any()), 1);
    group.suppress_errors();
  });
}

}  // namespace
