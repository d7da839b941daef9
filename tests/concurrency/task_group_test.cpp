#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Groups of tasks: how tasks come in, run, and end.
namespace {

using weft::CompositeError;
using weft::MisuseError;
using weft::TaskErrors;
using weft::TaskGroup;
using weft::TaskKey;
using weft::TaskSet;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

static_assert(!std::is_copy_constructible_v<TaskGroup<int>>);
static_assert(!std::is_move_constructible_v<TaskGroup<int>>);
static_assert(!std::is_move_assignable_v<TaskSet<int>>);

[[noreturn]] void fail(const char* what) { throw std::runtime_error{what}; }

std::vector<std::string> texts(const std::exception_ptr& error) {
  std::vector<std::string> all;
  try {
    std::rethrow_exception(error);
  } catch (const CompositeError& composite) {
    for (const std::exception_ptr& each : composite.errors()) all.push_back(text(each));
  } catch (...) {
    all.push_back("no composite: " + text(error));
  }
  return all;
}
using Texts = std::vector<std::string>;

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
      EXPECT_TRUE(order.empty());  // spawn() runs nothing at once
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

/// How many spawns return before one has to wait.
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
TEST(TaskGroupTest, QueuesTwiceTheConcurrencyUnlessToldOtherwise) {
  EXPECT_EQ(spawned_at_once({.concurrency = 1}), 3);
  EXPECT_EQ(spawned_at_once({.concurrency = 4}), 12);
  EXPECT_EQ(spawned_at_once({.concurrency = 2, .queue_limit = 1}), 3);
  EXPECT_EQ(spawned_at_once({.concurrency = 2, .queue_limit = 0}), 20);
  EXPECT_EQ(spawned_at_once({}), 20);
  EXPECT_EQ(spawned_at_once({.queue_limit = 1}), 20);  // without a limit nothing queues
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
TEST(TaskGroupTest, GivesNewcomersNoPlaceThatSomebodyWasWokenFor) {
  std::vector<int> order;
  weft::testing::run([&] {
    Doorbell end;
    TaskGroup<void> group{{.concurrency = 1, .queue_limit = 1}};
    group.spawn([&] { weft::await(end); });
    group.spawn([] {});
    auto waits = weft::spawn([&] { group.spawn([&] { order.push_back(1); }); });
    weft::testing::settle();
    auto newcomer = weft::spawn([&] {
      weft::suspend();  // the first task has ended now, and the one that waits has not run
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
    weft::suspend();  // one place is free now, and the first was woken for it
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

// R-TGR-2: its place is there, but the group was closed before it ran.
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

// R-TGR-3: two wait for a place with the same key.
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

// R-TGR-4
TEST(TaskGroupTest, GivesAllErrorsTogetherUnlessTheyAreIgnored) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] {
      weft::delay(5ms);
      fail("slow");
      return 0;
    });
    group.spawn([] { return 1; });
    group.spawn([]() -> int { fail("quick"); });
    const auto all = group.all();
    EXPECT_EQ(texts(error_of([&] { weft::await(all); })), (Texts{"slow", "quick"}));
    EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })), (Texts{"slow", "quick"}));
    const weft::TaskResults<int> some = weft::await(group.all(TaskErrors::ignore));
    EXPECT_EQ(some.keys(), (std::vector<TaskKey>{1}));
    EXPECT_EQ(some.values(), (std::vector<int>{1}));
  });
}

// R-TGR-4, trap 9
TEST(TaskGroupTest, AnswersAtOnceWhenAllHasEnded) {
  weft::testing::run([] {
    TaskGroup<int> group;
    EXPECT_TRUE(weft::await(group.all()).is_empty());
    group.spawn([]() -> int { fail("first"); });
    group.spawn([] { return 1; });
    group.spawn([] { return 2; });
    weft::testing::settle();
    const auto all = group.all(TaskErrors::ignore);
    const auto race = group.race();
    const auto any = group.any();
    EXPECT_TRUE(all.is_completed());
    EXPECT_TRUE(race.is_completed());
    EXPECT_TRUE(any.is_completed());
    EXPECT_EQ(weft::await(all).values(), (std::vector<int>{1, 2}));
    EXPECT_EQ(text(error_of([&] { weft::await(race); })), "first");
    EXPECT_EQ(weft::await(any), 1);
    EXPECT_EQ(weft::await(group.any()), 1);  // again the same
  });
}

// R-TGR-4
TEST(TaskGroupTest, RacesInTheOrderOfSpawningWhenSeveralHaveEnded) {
  weft::testing::run([] {
    Doorbell end;
    TaskGroup<int> group;
    for (int i = 0; i < 4; ++i) {
      group.spawn([&end, i] {
        if (i == 0) weft::await(end);
        weft::delay(std::chrono::milliseconds{10 - i});  // the last one ends first
        return i;
      });
    }
    auto before = group.race();
    EXPECT_EQ(weft::await(before), 3);
    weft::delay(20ms);
    EXPECT_EQ(weft::await(group.race()), 1);
    EXPECT_EQ(weft::await(group.any()), 1);
    end.ring();
    weft::await(group.all());
    EXPECT_EQ(weft::await(group.race()), 0);
  });
}

// R-TGR-4
TEST(TaskGroupTest, GivesTheFirstSuccessOrAllErrors) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([]() -> int { fail("a"); });
    group.spawn([]() -> int {
      weft::delay(1ms);
      fail("b");
    });
    const auto none = group.any();
    EXPECT_EQ(texts(error_of([&] { weft::await(none); })), (Texts{"a", "b"}));
    group.spawn([] {
      weft::delay(1ms);
      return 7;
    });
    EXPECT_EQ(weft::await(group.any()), 7);
  });
}

// R-TGR-4
TEST(TaskGroupTest, CannotRaceWithNobody) {
  weft::testing::run([] {
    TaskGroup<int> group;
    EXPECT_EQ(text(error_of([&] { group.race().ignore(); })), "Cannot race on an empty TaskGroup");
    EXPECT_EQ(text(error_of([&] { group.any().ignore(); })),
              "Cannot call any() on an empty TaskGroup");
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.race().ignore(); })));
  });
}

// R-TGR-4
TEST(TaskGroupTest, WorksForVoidAndForWhatCannotBeCopied) {
  weft::testing::run([] {
    TaskGroup<void> nothing;
    int ran = 0;
    nothing.spawn([&] { ++ran; });
    nothing.spawn([&] { ++ran; });
    EXPECT_EQ(weft::await(nothing.all()).size(), 2U);
    weft::await(nothing.race());
    weft::await(nothing.any());
    EXPECT_EQ(ran, 2);

    TaskGroup<std::unique_ptr<int>> pointers;
    pointers.spawn([] { return std::make_unique<int>(1); });
    pointers.spawn([] { return std::make_unique<int>(2); });
    std::vector<std::unique_ptr<int>> values = weft::await(pointers.all());
    EXPECT_EQ(*values.at(0) + *values.at(1), 3);
    EXPECT_TRUE(is<MisuseError>(error_of([&] { weft::await(pointers.race()); })));  // given away
  });
}

// R-TGR-5
TEST(TaskGroupTest, GoesOnWithWhatIsThereWhenItIsClosed) {
  weft::testing::run([] {
    TaskGroup<int> group{{.concurrency = 1}};
    for (int i = 0; i < 3; ++i) {
      group.spawn([i] {
        weft::delay(1ms);
        return i;
      });
    }
    weft::suspend();
    group.close();
    group.close();
    EXPECT_EQ(weft::await(group.all()).values(), (std::vector<int>{0, 1, 2}));
  });
}

// R-TGR-5
TEST(TaskGroupTest, CancelsThoseThatRunAndNeverStartsTheQueuedOnes) {
  for (const bool given : {false, true}) {
    weft::testing::run([given] {
      Log log;
      const auto scope = weft::Scope::inherit();
      auto bystander = scope->spawn([] { weft::delay(1ms); });
      TaskGroup<void> group{{.concurrency = 1, .scope = given ? scope : nullptr}};
      group.spawn([] { fail("before"); });
      group.spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled& cancelled) {
          log.push_back(cancelled.reason());
          weft::protect([] { weft::delay(1ms); });
          fail("while it was cancelled");
        }
      });
      group.spawn([&] { log.push_back("never"); });
      weft::testing::settle();
      group.cancel();
      EXPECT_TRUE(group.is_closed());
      EXPECT_FALSE(group.is_finished());  // until the cancelled one has really ended
      group.await_completion();
      EXPECT_EQ(log, (Log{"TaskGroup cancelled"}));
      EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })),
                (Texts{"before", "while it was cancelled", "cancelled: TaskGroup cancelled"}));
      weft::await(bystander);  // a given scope goes on
    });
  }  // no error reaches run(): they count as handled
}

// R-TGR-5, R-TGR-9
TEST(TaskGroupTest, TakesErrorsAsHandledWhenItIsCancelled) {
  weft::testing::run([] {
    TaskGroup<void> group;
    group.spawn([] { fail("before"); });
    group.spawn([] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        fail("because of it");
      }
    });
    weft::testing::settle();
    group.cancel();
    group.await_completion();
  });
}

// R-TGR-5
TEST(TaskGroupTest, TellsThoseThatWaitWhenItIsCancelled) {
  weft::testing::run([] {
    TaskGroup<int> group{{.concurrency = 1}};
    group.spawn([] {
      weft::delay(1h);
      return 1;
    });
    group.spawn([] { return 2; });
    auto all = group.all();
    auto race = group.race();
    auto any = group.any();
    group.cancel("enough");
    EXPECT_EQ(text(error_of([&] { weft::await(race); })), "cancelled: enough");
    EXPECT_EQ(texts(error_of([&] { weft::await(all); })),
              (Texts{"cancelled: enough", "cancelled: enough"}));
    EXPECT_EQ(texts(error_of([&] { weft::await(any); })),
              (Texts{"cancelled: enough", "cancelled: enough"}));
  });
}

// R-TGR-5
TEST(TaskGroupTest, CancelsTheWholeScopeWhenItIsDisposed) {
  weft::testing::run([] {
    const auto scope = weft::Scope::inherit();
    auto bystander = scope->spawn([] { weft::delay(1h); });
    TaskGroup<void> group{{.concurrency = 1, .scope = scope}};
    group.spawn([] { weft::delay(1h); });
    group.spawn([] { ADD_FAILURE(); });
    weft::testing::settle();
    group.dispose();
    EXPECT_TRUE(scope->is_cancelled());
    EXPECT_TRUE(group.is_closed());
    group.await_completion();
    const std::string reason = "cancelled: Scope is being disposed due to TaskGroup disposal";
    EXPECT_EQ(text(error_of([&] { weft::await(bystander); })), reason);
    EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })), (Texts{reason, reason}));
  });
}

// R-TGR-5, trap 22
TEST(TaskGroupTest, DropsTheQueuedOnesWhenItsScopeIsCancelled) {
  weft::testing::run([] {
    const auto scope = weft::Scope::inherit();
    TaskGroup<void> group{{.concurrency = 1, .scope = scope}};
    group.spawn([] { weft::delay(1h); });
    group.spawn([] { ADD_FAILURE(); });
    group.spawn([] { ADD_FAILURE(); });
    weft::testing::settle();
    scope->cancel();
    EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })).size(), 3U);
    EXPECT_TRUE(group.is_finished());
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.spawn([] {}); })));
    EXPECT_EQ(group.count(), 3U);
  });
}

// R-TGR-6
TEST(TaskGroupTest, IsFinishedWhileNothingRunsOrIsQueued) {
  weft::testing::run([] {
    TaskGroup<void> group{{.concurrency = 1}};
    EXPECT_TRUE(group.is_finished());
    EXPECT_EQ(group.count(), 0U);
    group.spawn([] { weft::delay(1ms); });
    group.spawn([] {});
    EXPECT_FALSE(group.is_finished());
    EXPECT_EQ(group.count(), 2U);
    EXPECT_EQ(group.info(), "TaskGroup(total=2, active=1)");
    weft::await(group.all());
    EXPECT_TRUE(group.is_finished());
    group.spawn([] {});  // it was temporary
    EXPECT_FALSE(group.is_finished());
    weft::await(group.all());
    EXPECT_EQ(group.count(), 3U);  // all that ever were
  });
}

// R-TGR-7
TEST(TaskGroupTest, AwaitsItsCompletionWhenItIsClosedAndThrowsNoErrors) {
  Log log;
  weft::testing::run([&] {
    TaskGroup<void> group{{.concurrency = 1}};
    group.spawn([&] {
      weft::delay(1ms);
      log.push_back("one");
      fail("broke");
    });
    group.spawn([&] { log.push_back("two"); });
    EXPECT_EQ(text(error_of([&] { group.await_completion(); })),
              "TaskGroup must be closed before calling await_completion()");
    group.close();
    group.await_completion();
    log.push_back("done");
    group.await_completion();
    group.suppress_errors();
  });
  EXPECT_EQ(log, (Log{"one", "two", "done"}));
}

// R-TGR-7
TEST(TaskGroupTest, RunsFinallyHandlersOnceWhenClosedAndDone) {
  Log log;
  weft::testing::run([&] {
    TaskGroup<void> group;
    group.on_finally([&] {
      weft::delay(1ms);  // it may suspend
      log.push_back("first");
    });
    group.on_finally([&] { log.push_back("second"); });
    group.spawn([] {});
    weft::await(group.all());
    weft::delay(5ms);
    EXPECT_TRUE(log.empty());  // it is open
    group.spawn([&] { weft::delay(1ms); });
    group.close();
    weft::testing::settle();
    EXPECT_TRUE(log.empty());  // one runs
    weft::delay(10ms);
    EXPECT_EQ(log, (Log{"first", "second"}));
    group.on_finally([&] { log.push_back("at once"); });
    EXPECT_EQ(log.size(), 3U);
    group.cancel();
    group.dispose();
    weft::delay(10ms);
  });
  EXPECT_EQ(log, (Log{"first", "second", "at once"}));
}

// R-TGR-8
TEST(TaskGroupTest, IsIteratedInTheOrderOfSpawning) {
  Log log;
  weft::testing::run([&] {
    TaskGroup<int> group;
    group.spawn([] {
      weft::delay(10ms);
      return 1;
    });
    group.spawn_with_key("bad", []() -> int { fail("broke"); });
    auto producer = weft::spawn([&] {
      weft::delay(20ms);
      group.spawn([] { return 3; });
      weft::delay(5ms);
      group.close();
    });
    for (auto [key, outcome] : group) {
      log.push_back(key.text() + "=" +
                    (outcome ? std::to_string(outcome.value()) : text(outcome.error())));
    }
    for (auto [key, outcome] : group) log.push_back(key.text());  // a group can be read again
  });  // the error was handled: nothing is thrown
  EXPECT_EQ(log, (Log{"0=1", "\"bad\"=broke", "1=3", "0", "\"bad\"", "1"}));
}

// R-TGR-9
TEST(TaskGroupTest, ReportsErrorsNobodyHandledWhenItDies) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      TaskGroup<void> group;
      group.spawn([] { fail("a"); });
      group.spawn([] {});
      group.spawn([] { fail("b"); });
      weft::testing::settle();  // nothing is reported before
    });
  });
  EXPECT_EQ(texts(error), (Texts{"a", "b"}));
}

// R-TGR-9
TEST(TaskGroupTest, ReportsErrorsToItsScope) {
  weft::testing::run([] {
    const auto scope = weft::Scope::inherit();
    std::vector<Texts> reported;
    scope->set_exception_handler(
        [&](weft::Scope&, const weft::AnyCoroutine&, std::exception_ptr error) {
          reported.push_back(texts(error));
        });
    {
      TaskGroup<void> group{{.scope = scope}};
      group.spawn([] { fail("given"); });
      weft::testing::settle();
      EXPECT_TRUE(reported.empty());
    }
    weft::testing::settle();
    EXPECT_EQ(reported, (std::vector<Texts>{{"given"}}));
    scope->set_child_exception_handler(
        [&](weft::Scope&, const weft::AnyCoroutine&, std::exception_ptr error) {
          reported.push_back({"child"});
          reported.push_back(texts(error));
        });
    auto member = scope->spawn([] {
      TaskGroup<void> group;
      group.spawn([] { fail("own"); });
      weft::testing::settle();
    });
    weft::await(member);
    weft::testing::settle();
    EXPECT_EQ(reported, (std::vector<Texts>{{"given"}, {"child"}, {"own"}}));
  });
}

// R-TGR-9, trap 8, trap 10
TEST(TaskGroupTest, ReportsAnErrorThatCameAfterTheOthersWereHandled) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      TaskGroup<void> group;
      group.spawn([] { fail("old"); });
      EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })), (Texts{"old"}));
      group.spawn([] { fail("new"); });
      weft::testing::settle();
    });
  });
  EXPECT_EQ(texts(error), (Texts{"new"}));
}

// R-TGR-9, trap 8: each way to look at errors counts as handling them.
TEST(TaskGroupTest, ReportsNothingThatWasHandled) {
  const std::vector<std::function<void(TaskGroup<int>&)>> ways = {
      [](auto& group) { error_of([&] { weft::await(group.all()); }); },
      [](auto& group) { weft::await(group.all(TaskErrors::ignore)); },
      [](auto& group) { error_of([&] { weft::await(group.race()); }); },
      [](auto& group) { weft::await(group.any()); },
      [](auto& group) { group.cancel(); },
      [](auto& group) { group.suppress_errors(); },
      [](auto& group) {
        group.close();
        for (auto each : group) static_cast<void>(each);
      },
      [](auto& group) { weft::await(group.all().map([](const auto&) {}).recover([](auto) {})); },
  };
  for (const auto& way : ways) {
    weft::testing::run([&] {
      TaskGroup<int> group;
      group.spawn([]() -> int { fail("handled"); });
      group.spawn([] { return 1; });
      weft::testing::settle();
      way(group);
    });
  }
}

// R-TGR-9, trap 8: given to a future that nobody read.
TEST(TaskGroupTest, ReportsAnErrorWhoseFutureWasDropped) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [] {
          TaskGroup<void> group;
          group.spawn([] { fail("unread"); });
          {
            auto unread = group.all();
            weft::testing::settle();
            EXPECT_TRUE(unread.is_completed());
          }
        },
        weft_test::collecting(warnings));
  });
  EXPECT_EQ(texts(error), (Texts{"unread"}));
  EXPECT_TRUE(warnings.empty());  // told once
}

// R-TGR-5, trap 22
TEST(TaskGroupTest, CancelsAndAwaitsItsTasksWhenItDies) {
  Log log;
  weft::testing::run([&] {
    auto owner = weft::spawn([&] {
      std::string local = "alive";
      TaskGroup<void> group{{.concurrency = 2}};
      group.spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled& cancelled) {
          log.push_back(cancelled.reason());
          weft::protect([] { weft::delay(5ms); });
          log.push_back("task sees " + local);
          throw;
        }
      });
      group.spawn([&] {
        weft::spawn([&] {
          try {
            weft::delay(1h);
          } catch (...) {
            weft::protect([] { weft::delay(6ms); });
            log.push_back("below sees " + local);
            throw;
          }
        });
      });
      group.spawn([&] { weft::delay(1h); });
      group.spawn([&] { log.push_back("never"); });
      weft::delay(1ms);
    });
    weft::delay(2ms);
    owner.cancel();  // also while it is being destroyed
    error_of([&] { weft::await(owner); });
    log.push_back("gone");
  });
  EXPECT_EQ(log, (Log{"Scope is being disposed due to TaskGroup destruction", "task sees alive",
                      "below sees alive", "gone"}));
}

// R-TGR-9, trap 22
TEST(TaskGroupTest, MayBeDestroyedByItsOwnTask) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      auto group = std::make_unique<TaskGroup<void>>();
      group->on_finally([&] { log.push_back("finally"); });
      group->spawn([&] {
        group.reset();
        log.push_back("went on");
        fail("last words");
      });
      weft::delay(1ms);
    });
  });
  EXPECT_EQ(log, (Log{"went on", "finally"}));
  EXPECT_EQ(texts(error), (Texts{"last words"}));
}

// R-TGR-4, trap 21
TEST(TaskGroupTest, ForgetsAFutureThatWasDropped) {
  weft::testing::run(
      [] {
        TaskGroup<int> group;
        group.spawn([] {
          weft::delay(1ms);
          return 1;
        });
        group.all().ignore();
        group.race().ignore();
        auto cancelled = group.any();
        cancelled.cancel();
        EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(cancelled); })));
        EXPECT_EQ(weft::await(group.all()).values(), (std::vector<int>{1}));
      },
      weft_test::quiet());
}

// R-TGR-4, trap 21
TEST(TaskGroupTest, AnswersFuturesThatOutliveIt) {
  weft::testing::run([] {
    weft::Future<weft::TaskResults<int>> done;
    weft::Future<int> never;
    {
      TaskGroup<int> group;
      group.spawn([] { return 4; });
      done = group.all();
      weft::testing::settle();
      TaskGroup<int> slow;
      slow.spawn([] {
        weft::delay(1h);
        return 5;
      });
      never = slow.race();
    }
    EXPECT_EQ(weft::await(done).at(0), 4);
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(never); })));
  });
}

// R-TGR-9, trap 8, trap 21
TEST(TaskGroupTest, LeavesTheErrorToAFutureThatOutlivesIt) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        weft::Future<weft::TaskResults<int>> unread;
        {
          TaskGroup<int> group;
          group.spawn([]() -> int { fail("broke"); });
          unread = group.all();
          weft::testing::settle();
        }
      },
      weft_test::collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings.front().find("broke"), std::string::npos) << warnings.front();
}

/// Whose copies may be made to throw.
struct Touchy {
  static inline bool throws = false;
  int value = 0;
  explicit Touchy(int v) : value{v} {}
  Touchy(const Touchy& other) : value{other.value} {
    if (throws) fail("no copy");
  }
  Touchy& operator=(const Touchy&) = default;
};

// R-TGR-4, R-TGR-10
TEST(TaskGroupTest, LosesNoValueThatCannotBeCopiedNow) {
  weft::testing::run([] {
    TaskSet<Touchy> set;
    set.spawn([] { return Touchy{3}; });
    weft::testing::settle();
    Touchy::throws = true;
    EXPECT_EQ(text(error_of([&] { weft::await(set.join_next()); })), "no copy");
    EXPECT_EQ(text(error_of([&] { weft::await(set.join_all()); })), "no copy");
    EXPECT_EQ(text(error_of([&] { static_cast<void>(set.begin()); })), "no copy");
    Touchy::throws = false;
    EXPECT_EQ(set.count(), 1U);
    EXPECT_EQ(weft::await(set.join_next()).value, 3);
    EXPECT_EQ(set.count(), 0U);
  });
}

}  // namespace
