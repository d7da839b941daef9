#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "tasks.hpp"

// How a group is closed, cancelled and destroyed, and read to its end.
namespace {

using weft::MisuseError;
using weft::TaskErrors;
using weft::TaskGroup;
using weft_test::error_of;
using weft_test::fail;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using weft_test::Texts;
using weft_test::texts;
using namespace std::chrono_literals;

// R-TGR-5
TEST(TaskGroupEndTest, GoesOnWithWhatIsThereWhenItIsClosed) {
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
TEST(TaskGroupEndTest, CancelsThoseThatRunAndNeverStartsTheQueuedOnes) {
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
      EXPECT_FALSE(group.is_finished());  // the cancelled task has not ended yet
      group.await_completion();
      EXPECT_EQ(log, (Log{"TaskGroup cancelled"}));
      EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })),
                (Texts{"before", "while it was cancelled", "cancelled: TaskGroup cancelled"}));
      weft::await(bystander);  // other coroutines of a given scope are not cancelled
    });
  }  // no error reaches run(): cancellations count as handled
}

// R-TGR-5
TEST(TaskGroupEndTest, GivesTheErrorItWasCancelledWithToThoseThatRunAndToTheQueuedOnes) {
  weft::testing::run([] {
    const auto cause = std::make_exception_ptr(weft::Cancelled{"enough"});
    TaskGroup<void> group{{.concurrency = 1}};
    group.spawn([] { weft::delay(1h); });
    group.spawn([] { fail("never started"); });
    weft::testing::settle();
    group.cancel(cause);
    EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })),
              (Texts{"cancelled: enough", "cancelled: enough"}));
  });
}

// R-TGR-5, R-TGR-9
TEST(TaskGroupEndTest, TakesErrorsAsHandledWhenItIsCancelled) {
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
TEST(TaskGroupEndTest, WakesItsWaitersWhenItIsCancelled) {
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
TEST(TaskGroupEndTest, CancelsTheWholeScopeWhenItIsDisposed) {
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
TEST(TaskGroupEndTest, DropsTheQueuedOnesWhenItsScopeIsCancelled) {
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
TEST(TaskGroupEndTest, IsFinishedWhileNothingRunsOrIsQueued) {
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
    group.spawn([] {});  // an open group takes new tasks
    EXPECT_FALSE(group.is_finished());
    weft::await(group.all());
    EXPECT_EQ(group.count(), 3U);  // ended tasks count
  });
}

// R-TGR-7
TEST(TaskGroupEndTest, AwaitsItsCompletionWhenItIsClosedAndThrowsNoErrors) {
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
TEST(TaskGroupEndTest, RunsFinallyHandlersOnceWhenClosedAndDone) {
  Log log;
  weft::testing::run([&] {
    TaskGroup<void> group;
    group.on_finally([&] {
      weft::delay(1ms);  // a finally handler may suspend
      log.push_back("first");
    });
    group.on_finally([&] { log.push_back("second"); });
    group.spawn([] {});
    weft::await(group.all());
    weft::delay(5ms);
    EXPECT_TRUE(log.empty());  // the group is open
    group.spawn([&] { weft::delay(1ms); });
    group.close();
    weft::testing::settle();
    EXPECT_TRUE(log.empty());  // a task runs
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
TEST(TaskGroupEndTest, IsIteratedInTheOrderOfSpawning) {
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
TEST(TaskGroupEndTest, ReportsUnhandledErrorsWhenItDies) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      TaskGroup<void> group;
      group.spawn([] { fail("a"); });
      group.spawn([] {});
      group.spawn([] { fail("b"); });
      weft::testing::settle();  // nothing is reported before the end of the group
    });
  });
  EXPECT_EQ(texts(error), (Texts{"a", "b"}));
}

// R-TGR-9
TEST(TaskGroupEndTest, ReportsErrorsToItsScope) {
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
TEST(TaskGroupEndTest, ReportsAnErrorThatCameAfterTheOthersWereHandled) {
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

// R-TGR-9, trap 8: an error that was read in any way counts as handled.
TEST(TaskGroupEndTest, ReportsNothingThatWasHandled) {
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

// R-TGR-9, trap 8: an error that was delivered to a future which was not read.
TEST(TaskGroupEndTest, ReportsAnErrorWhoseFutureWasDropped) {
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
  EXPECT_TRUE(warnings.empty());  // the error was reported once, by the exception
}

// R-TGR-5, trap 22
TEST(TaskGroupEndTest, CancelsAndAwaitsItsTasksWhenItDies) {
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
    owner.cancel();  // while the group is being destroyed
    error_of([&] { weft::await(owner); });
    log.push_back("gone");
  });
  EXPECT_EQ(log, (Log{"Scope is being disposed due to TaskGroup destruction", "task sees alive",
                      "below sees alive", "gone"}));
}

// R-TGR-9, trap 22
TEST(TaskGroupEndTest, MayBeDestroyedByItsOwnTask) {
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

// R-TGR-5: the destructor waits for the tasks, and the exception in flight is kept.
TEST(TaskGroupEndTest, MayDieWhileAnExceptionFlies) {
  weft::testing::run([] {
    Log log;
    const std::exception_ptr error = error_of([&] {
      TaskGroup<void> group;
      group.spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          weft::suspend();
          log.push_back("task ended");
          throw;
        }
      });
      group.spawn([] { fail("lost with the group"); });
      weft::suspend();
      group.suppress_errors();
      throw std::runtime_error{"in flight"};
    });
    EXPECT_EQ(text(error), "in flight");
    EXPECT_EQ(log, (Log{"task ended"}));
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-TGR-5: a callback cannot wait for the tasks; they are cancelled and end later.
TEST(TaskGroupEndTest, MayBeFilledAndDieInACallback) {
  weft::testing::run([] {
    Log log;
    auto group = std::make_unique<TaskGroup<int>>();
    weft::Future<int> race;
    weft_test::Doorbell bell;
    weft_test::Call fill{[&](weft::Event&, const weft::Outcome&) {
      group->spawn([&] {
        log.push_back("ran");
        return 7;
      });
      race = group->race();
    }};
    bell.add_callback(fill);
    bell.ring();
    bell.remove_callback(fill);
    EXPECT_TRUE(log.empty()) << "not inside the callback";
    EXPECT_EQ(weft::await(race), 7);
    group->spawn([&]() -> int {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        log.push_back("cancelled");
      }
      return 0;
    });
    weft::suspend();
    weft_test::Call end{[&](weft::Event&, const weft::Outcome&) { group = nullptr; }};
    bell.add_callback(end);
    bell.ring();
    bell.remove_callback(end);
    weft::testing::settle();
    EXPECT_EQ(log, (Log{"ran", "cancelled"}));
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-TGR-1, R-TGR-9: the errors of an inner group are the error of the task that owns it.
TEST(TaskGroupEndTest, MayStandInsideATask) {
  weft::testing::run([] {
    TaskGroup<int> outer;
    for (int i = 0; i < 3; ++i) {
      outer.spawn([i] {
        TaskGroup<int> inner;
        for (int k = 0; k < 3; ++k) {
          inner.spawn([i, k]() -> int {
            weft::suspend();
            if (i == 1 && k == 1) fail("inner");
            return 10 * i + k;
          });
        }
        int sum = 0;
        for (const int value : weft::await(inner.all()).values()) sum += value;
        return sum;
      });
    }
    const auto results = weft::await(outer.all(weft::TaskErrors::ignore));
    EXPECT_EQ(results.values(), (std::vector<int>{3, 63}));
    EXPECT_EQ(texts(error_of([&] { weft::await(outer.all()); })).size(), 1U);
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-TGR-8: the loop over a group also delivers tasks that it spawns.
TEST(TaskGroupEndTest, IsIteratedWhileTasksAreAdded) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] { return 0; });
    std::vector<int> seen;
    for (auto [key, outcome] : group) {
      seen.push_back(outcome.stored().value());
      if (seen.size() == 4) {
        group.close();
      } else {
        group.spawn([next = seen.back() + 1] {
          weft::suspend();
          return next;
        });
      }
    }
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3}));
  });
}

}  // namespace
