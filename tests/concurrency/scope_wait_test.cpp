#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Waiting for a scope.
namespace {

using namespace std::chrono_literals;
using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

// R-SCP-13
TEST(ScopeCompletion, WaitsForAllHereAndBelowAndThoseSpawnedMeanwhile) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    const Ref<Scope> child = Scope::inherit(*scope);
    scope->spawn([&] {
      weft::delay(1s);
      log.emplace_back("own");
      child->spawn([&] {
        weft::delay(3s);
        log.emplace_back("spawned meanwhile");
      });
    });
    child->spawn([&] {
      weft::delay(2s);
      log.emplace_back("below");
    });
    const weft::TimePoint begin = weft::now();
    scope->await_completion({});
    EXPECT_GE(weft::now() - begin, 4s);
    EXPECT_LT(weft::now() - begin, 5s);
    EXPECT_EQ(log, (Log{"own", "below", "spawned meanwhile"}));
    EXPECT_FALSE(scope->is_closed());
    scope->spawn([] {});
    scope->await_completion({});
  });
}

// R-SCP-13
TEST(ScopeCompletion, EndsWithOperationCancelledWhenItsTokenFires) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto slow = scope->spawn([] {
      weft::delay(1s);
      return 4;
    });
    const std::exception_ptr error =
        error_of([&] { scope->await_completion(weft::timeout(50ms)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_TRUE(is<weft::TimedOut>(error));
    EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    EXPECT_FALSE(scope->is_cancelled());
    EXPECT_EQ(weft::await(slow), 4);
    scope->await_completion({});
  });
}

// R-SCP-13, R-SCP-12
TEST(ScopeCompletion, DoesNotWaitForZombies) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    auto zombie = scope->spawn([] { weft::delay(1h); });
    auto waiter = weft::spawn([&] { (void)error_of([&] { scope->await_completion({}); }); });
    settle();
    EXPECT_FALSE(waiter.is_completed());
    const weft::TimePoint begin = weft::now();
    scope->dispose();
    weft::await(waiter);
    EXPECT_LT(weft::now() - begin, 1s);
    EXPECT_FALSE(zombie.is_completed());
  });
}

// R-SCP-14
TEST(ScopeCompletion, ReturnsAtOnceOnAFinishedScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    const std::uint64_t before = weft::stats().suspensions;
    scope->await_completion({});
    scope->await_completion({});
    EXPECT_EQ(weft::stats().suspensions, before);
  });
}

// R-SCP-14: a wait for a cancelled scope throws even if its last coroutine has ended.
TEST(ScopeCompletion, ThrowsOnACancelledScopeInWhichNothingIsLeft) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([] { weft::delay(1h); });
    settle();
    scope->cancel();
    const std::string expected = "cancelled: The scope has been cancelled";
    EXPECT_EQ(text(error_of([&] { scope->await_completion({}); })), expected);
    scope->await_after_cancellation();
    ASSERT_TRUE(scope->is_closed());
    EXPECT_EQ(text(error_of([&] { scope->await_completion({}); })), expected);
    const Ref<Scope> disposed = Scope::create();
    disposed->dispose();
    EXPECT_EQ(text(error_of([&] { disposed->await_completion({}); })), expected);
  });
}

// R-SCP-14
TEST(ScopeCompletion, ThrowsOnACancelledScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    Doorbell bell;
    scope->spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
      }
      weft::await(bell);
    });
    settle();
    std::string seen;
    weft::spawn([&] { seen = text(error_of([&] { scope->await_completion({}); })); });
    settle();
    scope->cancel();
    EXPECT_EQ(text(error_of([&] { scope->await_completion({}); })),
              "cancelled: The scope has been cancelled");
    bell.ring();
    settle();
    bell.ring();
    settle();
    EXPECT_EQ(seen, "cancelled: The scope has been cancelled");  // an earlier wait throws, too
  });
}

// R-SCP-14
TEST(ScopeCompletion, RefusesCoroutinesOfTheScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    const Ref<Scope> child = Scope::inherit(*scope);
    int refused = 0;
    for (Scope* where : {scope.get(), child.get()}) {
      where->spawn([&] {
        const std::exception_ptr error = error_of([&] { scope->await_completion({}); });
        EXPECT_TRUE(is<weft::MisuseError>(error));
        EXPECT_EQ(text(error),
                  "Cannot await completion of scope from a coroutine that belongs to the same "
                  "scope or its children");
        ++refused;
      });
    }
    auto upper = scope->spawn([&] { child->await_completion({}); });  // a child is allowed
    settle();
    EXPECT_EQ(refused, 2);
    weft::await(upper);
  });
}

// R-SCP-14
TEST(ScopeCompletion, RefusesCoroutinesOfTheScopeEvenInsideWithScope) {
  weft::testing::run([] {
    weft::with_scope([](Scope& outer) {
      outer.spawn([&outer] {
        weft::with_scope([&outer](Scope& inner) {
          inner.spawn([&outer] {
            EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { outer.await_completion({}); })));
          });
        });
      });
    });
  });
}

// R-SCP-13, R-SCP-18
TEST(ScopeCompletion, ThrowsTheFailureOfTheScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto sibling = scope->spawn([] { weft::delay(1h); });
    scope->spawn([] {
      weft::delay(1s);
      throw std::runtime_error{"x"};
    });
    EXPECT_EQ(text(error_of([&] { scope->await_completion({}); })), "x");
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(sibling); })));
  });
}

// R-SCP-13
TEST(ScopeCompletion, OfACancelledWaiterLeavesTheScopeAlone) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto slow = scope->spawn([] { weft::delay(1s); });
    auto one = weft::spawn([&] { scope->await_completion({}); });
    auto two = weft::spawn([&] { scope->await_completion({}); });
    settle();
    one.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(one); })));
    weft::await(two);
    EXPECT_TRUE(slow.is_completed());
    EXPECT_FALSE(scope->is_cancelled());
  });
}

// R-SCP-13
TEST(ScopeCompletion, MayLoseTheLastReferenceMeanwhile) {
  weft::testing::run([] {
    Ref<Scope> scope = Scope::create();
    scope->spawn([&] {
      weft::suspend();
      scope = {};
    });
    Scope& watched = *scope;
    (void)error_of([&] { watched.await_completion({}); });
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, RequiresACancelledScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    const std::exception_ptr error = error_of([&] { scope->await_after_cancellation(); });
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_EQ(text(error), "Attempt to await a Scope that has not been cancelled");
    scope->cancel();
    scope->await_after_cancellation();
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, WaitsForZombiesToo) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    auto zombie = scope->spawn([] { weft::delay(1s); });
    settle();
    scope->dispose();
    scope->await_after_cancellation();
    EXPECT_TRUE(zombie.is_completed());
    EXPECT_EQ(scope->size(), 0U);
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, PassesEachErrorToTheHandler) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    for (const char* name : {"a", "b", "c"}) {
      scope->spawn([name] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
        }
        weft::suspend();
        throw std::runtime_error{name};
      });
    }
    settle();
    scope->cancel();
    scope->await_after_cancellation([&](const std::exception_ptr& error, Scope& from) {
      EXPECT_EQ(&from, scope.get());
      weft::suspend();  // other errors may arrive meanwhile
      log.push_back(text(error));
    });
    EXPECT_EQ(log, (Log{"a", "b", "c"}));
    EXPECT_EQ(scope->size(), 0U);
  });
}

/// Fails some time after its cancellation.
auto failing_late(const char* text, weft::Duration after) {
  return [text, after] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
    }
    weft::delay(after);
    throw std::runtime_error{text};
  };
}

// R-SCP-15
TEST(ScopeAfterCancellation, ThrowsTheErrorWithoutAHandler) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(failing_late("late", 1ms));
    settle();
    scope->cancel();
    EXPECT_EQ(text(error_of([&] { scope->await_after_cancellation(); })), "late");
    scope->await_after_cancellation();
    EXPECT_EQ(scope->size(), 0U);
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, ThrowsWhatTheHandlerThrows) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(failing_late("late", 1ms));
    settle();
    scope->cancel();
    const std::exception_ptr error = error_of([&] {
      scope->await_after_cancellation(
          [](const std::exception_ptr&, Scope&) { throw std::logic_error{"handler"}; });
    });
    EXPECT_EQ(text(error), "handler");
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, EndsWithOperationCancelledWhenItsTokenFires) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    auto zombie = scope->spawn([] { weft::delay(1s); });
    settle();
    scope->dispose();
    const std::exception_ptr error =
        error_of([&] { scope->await_after_cancellation({}, weft::timeout(50ms)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    EXPECT_FALSE(zombie.is_completed());
    scope->await_after_cancellation();
    EXPECT_TRUE(zombie.is_completed());
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, CannotBeAwaitedFromInside) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    bool refused = false;
    scope->spawn([&] {
      scope->cancel();
      refused = is<weft::MisuseError>(error_of([&] { scope->await_after_cancellation(); }));
    });
    settle();
    EXPECT_TRUE(refused);
  });
}

// R-SCP-15
TEST(ScopeAfterCancellation, LosesNoErrorWhoseWaiterIsCancelledBeforeItRuns) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          const Ref<Scope> scope = Scope::create();
          weft::Coroutine<void> waiter;
          scope->spawn([&] {
            try {
              weft::delay(1h);
            } catch (const weft::Cancelled&) {
            }
            weft::suspend();
            waiter.cancel();
            throw std::runtime_error{"kept"};
          });
          settle();
          scope->cancel();
          waiter = weft::spawn([&] { scope->await_after_cancellation(); });
          settle();
        },
        quiet());
  });
  EXPECT_EQ(text(error), "kept");
}

// R-SCP-15
TEST(ScopeAfterCancellation, HandsAnErrorOnToTheNextWaiter) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(failing_late("a", 1ms));
    scope->spawn(failing_late("b", 1ms));
    scope->spawn(failing_late("c", 1s));
    settle();
    scope->cancel();
    for (int i = 0; i < 3; ++i) {
      weft::spawn(
          [&] { log.push_back(text(error_of([&] { scope->await_after_cancellation(); }))); });
    }
    weft::delay(2s);
  });
  EXPECT_EQ(log, (Log{"a", "b", "c"}));
}

// R-SCP-16
TEST(ScopeCompletion, BothWaitsMarkTheirTokenAsUsed) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    Doorbell first;
    EXPECT_FALSE(first.has(weft::Event::result_used_flag));
    scope->await_completion(first);
    EXPECT_TRUE(first.has(weft::Event::result_used_flag));
    scope->cancel();
    Doorbell second;
    scope->await_after_cancellation({}, second);
    EXPECT_TRUE(second.has(weft::Event::result_used_flag));
  });
}

}  // namespace
