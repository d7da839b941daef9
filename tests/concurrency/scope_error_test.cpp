#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "waiting.hpp"

// What becomes of a failure inside a scope.
namespace {

using namespace std::chrono_literals;
using weft::AnyCoroutine;
using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;
using weft_test::waiting;

auto failing(std::string what) {
  return [what = std::move(what)] { throw std::runtime_error{what}; };
}

/// An exception handler that logs the failure.
auto noting(Log& log, std::string name) {
  return [&log, name = std::move(name)](Scope&, const AnyCoroutine&, const std::exception_ptr& e) {
    log.push_back(name + ": " + text(e));
  };
}

// R-SCP-18, R-SCP-20, R-EXC-3
TEST(ScopeError, CancelsTheRestAndGoesUpUnhandled) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          const Ref<Scope> scope = Scope::create();
          const Ref<Scope> child = Scope::inherit(*scope);
          scope->spawn(waiting(log, "sibling"));
          child->spawn(waiting(log, "nephew"));
          settle();
          scope->spawn(failing("broken"));
          weft::suspend();
          EXPECT_TRUE(scope->is_cancelled());
          EXPECT_TRUE(child->is_cancelled());
        },
        quiet());
  });
  EXPECT_EQ(text(error), "broken");
  // The others get a cancellation, not the failure.
  EXPECT_EQ(log, (Log{"nephew: Scope was cancelled", "sibling: Scope was cancelled"}));
}

// R-SCP-19, R-SCP-20, R-EXC-3
TEST(ScopeError, GoesToTheHandlerAndTheOthersGoOn) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    std::uint64_t failed = 0;
    scope->set_exception_handler(
        [&](Scope& from, const AnyCoroutine& who, const std::exception_ptr& error) {
          EXPECT_EQ(&from, scope.get());
          EXPECT_TRUE(who.is_completed());
          EXPECT_EQ(who.id(), failed);
          EXPECT_EQ(who.name(), "bad");
          log.push_back(text(error));
        });
    scope->spawn([&] {
      weft::delay(1s);
      log.emplace_back("sibling ended");
    });
    scope->spawn({.name = "bad"}, [&] {
      failed = weft::current().id();
      throw std::runtime_error{"one"};
    });
    weft::delay(2s);
    EXPECT_FALSE(scope->is_cancelled());
    scope->spawn({.name = "bad"}, [&] {
      failed = weft::current().id();
      throw std::runtime_error{"two"};
    });
    settle();
    EXPECT_FALSE(scope->is_cancelled());
  });
  EXPECT_EQ(log, (Log{"one", "sibling ended", "two"}));
}

// R-SCP-19
TEST(ScopeError, HandlerReplacesTheOneBefore) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    const Ref<Scope> child = Scope::inherit(*scope);
    scope->set_exception_handler(noting(log, "first"));
    scope->set_exception_handler(noting(log, "second"));
    scope->set_child_exception_handler(noting(log, "child first"));
    scope->set_child_exception_handler(noting(log, "child second"));
    scope->spawn(failing("own"));
    child->spawn(failing("below"));
    settle();
  });
  EXPECT_EQ(log, (Log{"second: own", "child second: below"}));
}

// R-SCP-19
TEST(ScopeError, HandlerMayReplaceItself) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler([&log, kept = std::string(100, 'k')](
                                     Scope& self, const AnyCoroutine&, const std::exception_ptr&) {
      self.set_exception_handler(noting(log, "second"));
      weft::suspend();
      log.push_back(kept.substr(0, 2));
    });
    scope->spawn(failing("a"));
    settle();
    scope->spawn(failing("b"));
    settle();
  });
  EXPECT_EQ(log, (Log{"kk", "second: b"}));
}

// R-SCP-18
TEST(ScopeError, OfAChildGoesToTheChildHandlerFirst) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> parent = Scope::create();
    parent->set_exception_handler(noting(log, "own handler"));
    parent->set_child_exception_handler(noting(log, "child handler"));
    const Ref<Scope> child = Scope::inherit(*parent);
    child->spawn(waiting(log, "sibling"));
    parent->spawn(waiting(log, "uncle"));
    settle();
    child->spawn(failing("below"));
    settle();
    EXPECT_TRUE(child->is_cancelled());  // `child` had no handler
    EXPECT_FALSE(parent->is_cancelled());
    EXPECT_EQ(log, (Log{"child handler: below", "sibling: Scope was cancelled"}));
    parent->spawn(failing("own"));
    settle();
    EXPECT_EQ(log.back(), "own handler: own");
    parent->cancel();
  });
}

// R-SCP-18
TEST(ScopeError, OfAChildGoesToTheOtherHandlerIfThereIsNoneOrItFails) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> plain = Scope::create();
    plain->set_exception_handler(noting(log, "plain"));
    Scope::inherit(*plain)->spawn(failing("x"));
    // The only reference to the scope was dropped, so the coroutine is cancelled before it starts.
    settle();
    EXPECT_TRUE(log.empty());
    const Ref<Scope> child = Scope::inherit(*plain);
    child->spawn(failing("x"));
    settle();
    EXPECT_EQ(log, (Log{"plain: x"}));

    const Ref<Scope> both = Scope::create();
    both->set_child_exception_handler([](Scope&, const AnyCoroutine&, const std::exception_ptr&) {
      throw std::logic_error{"handler"};
    });
    both->set_exception_handler([&](Scope&, const AnyCoroutine&, const std::exception_ptr& error) {
      log.push_back("both: " + text(error) + " after " + text(weft::previous(error)));
    });
    const Ref<Scope> other = Scope::inherit(*both);
    other->spawn(failing("y"));
    settle();
    EXPECT_EQ(log.back(), "both: handler after y");
    EXPECT_FALSE(both->is_cancelled());
  });
}

// R-SCP-18
TEST(ScopeError, ClimbsFromScopeToScope) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> top = Scope::create();
    top->set_exception_handler(noting(log, "top"));
    const Ref<Scope> middle = Scope::inherit(*top);
    const Ref<Scope> bottom = Scope::inherit(*middle);
    bottom->spawn(failing("deep"));
    settle();
    EXPECT_EQ(log, (Log{"top: deep"}));
    EXPECT_TRUE(bottom->is_cancelled());
    EXPECT_TRUE(middle->is_cancelled());
    EXPECT_FALSE(top->is_cancelled());
  });
}

// R-SCP-18
TEST(ScopeError, OfAHandlerCancelsTheScopeAndGoesUp) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          const Ref<Scope> scope = Scope::create();
          scope->set_exception_handler([](Scope&, const AnyCoroutine&, const std::exception_ptr&) {
            throw std::logic_error{"handler"};
          });
          scope->spawn(waiting(log, "sibling"));
          settle();
          scope->spawn(failing("first"));
          weft::delay(1s);
        },
        quiet());
  });
  EXPECT_EQ(text(error), "handler");
  EXPECT_EQ(text(weft::previous(error)), "first");
  EXPECT_EQ(log, (Log{"sibling: Scope was cancelled"}));
}

// R-SCP-18
TEST(ScopeError, ThrownAgainByAHandlerGoesUpAsItIs) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          const Ref<Scope> scope = Scope::create();
          scope->set_exception_handler(
              [](Scope&, const AnyCoroutine&, const std::exception_ptr& given) {
                std::rethrow_exception(given);
              });
          scope->spawn(failing("again"));
          weft::delay(1s);
        },
        quiet());
  });
  EXPECT_EQ(text(error), "again");
  EXPECT_EQ(weft::previous(error), nullptr);
}

// R-SCP-18
TEST(ScopeError, HandlerMaySuspendAndTheScopeWaitsForIt) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler([&](Scope&, const AnyCoroutine&, const std::exception_ptr&) {
      weft::delay(1s);
      log.emplace_back("handled");
    });
    scope->spawn(failing("x"));
    scope->await_completion({});
    EXPECT_EQ(log, (Log{"handled"}));
  });
}

// If a handler is cancelled, the failure is unhandled; the cancellation is no failure.
// R-CAN-15, R-SCP-18
TEST(ScopeError, WhoseHandlerIsCancelledGoesUpAsItIs) {
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(
        [](Scope&, const AnyCoroutine&, const std::exception_ptr&) { weft::delay(1h); });
    scope->spawn(failing("unhandled"));
    settle();
    scope->cancel();
    const std::exception_ptr error = error_of([&] { scope->await_after_cancellation(); });
    EXPECT_EQ(text(error), "unhandled");
  });
}

// R-CAN-15, R-SCP-18
TEST(ScopeError, ACancellationIsNone) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(noting(log, "handler"));
    scope->spawn([] { throw weft::Cancelled{"by itself"}; });
    auto sibling = scope->spawn([] {
      weft::delay(1ms);
      return 3;
    });
    auto cancelled = scope->spawn([] { weft::delay(1h); });
    settle();
    cancelled.cancel();
    EXPECT_EQ(weft::await(sibling), 3);
    EXPECT_FALSE(scope->is_cancelled());
  });
  EXPECT_TRUE(log.empty());
}

// R-EXC-7
TEST(ScopeError, HandlerRunsInACoroutineOfTheScope) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    bool called = false;
    scope->set_exception_handler([&](Scope&, const AnyCoroutine& who, const std::exception_ptr&) {
      EXPECT_EQ(Scope::current().get(), scope.get());
      EXPECT_FALSE(weft::current() == who);
      EXPECT_EQ(weft::await(weft::spawn([] { return 1; })), 1);
      called = true;
    });
    scope->spawn(failing("x"));
    settle();
    EXPECT_TRUE(called);
  });
}

// R-EXC-7
TEST(ScopeError, HandlerOfACancelledScopeRunsInAChildOfIt) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    Log log;
    scope->set_exception_handler([&](Scope&, const AnyCoroutine&, const std::exception_ptr& e) {
      EXPECT_NE(Scope::current().get(), scope.get());
      weft::await(weft::spawn([&] { log.emplace_back("can spawn"); }));
      weft::suspend();
      log.push_back(text(e));
    });
    scope->spawn([] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
      }
      throw std::runtime_error{"late"};
    });
    settle();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(log, (Log{"can spawn", "late"}));
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-EXC-3, trap 8
TEST(ScopeError, HeldByAHandleWaitsForItsReader) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(noting(log, "handler"));
    auto held = scope->spawn(failing("held"));
    settle();
    EXPECT_TRUE(log.empty());
    EXPECT_FALSE(scope->is_cancelled());
    EXPECT_EQ(text(error_of([&] { weft::await(held); })), "held");
    held = {};
    weft::delay(1ms);
    EXPECT_TRUE(log.empty());  // read by the await, so not reported again
  });
}

// R-EXC-3, trap 8
TEST(ScopeError, OfAHandleDroppedUnreadReachesTheScopeOnce) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(noting(log, "handler"));
    {
      auto held = scope->spawn(failing("dropped"));
      const auto copy = held;
      settle();
      held = {};
      settle();
      EXPECT_TRUE(log.empty());
    }
    weft::delay(1ms);
    EXPECT_EQ(log, (Log{"handler: dropped"}));
  });
  EXPECT_EQ(log, (Log{"handler: dropped"}));
}

// R-EXC-3, trap 8, trap 22
TEST(ScopeError, OfAHandleReachesAScopeThatIsNotHeldAnyMore) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(noting(log, "handler"));
    auto held = scope->spawn(failing("late"));
    settle();
    scope = {};
    settle();
    held = {};
    weft::delay(1ms);
    EXPECT_EQ(log, (Log{"handler: late"}));
  });
}

// trap 10
TEST(ScopeError, ReadByAnAwaiterThatRunsLaterIsHandled) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler(noting(log, "handler"));
    auto bad = scope->spawn([] {
      weft::suspend();
      throw std::runtime_error{"x"};
    });
    scope->spawn([bad = std::move(bad), &log] {
      try {
        weft::await(bad);
      } catch (const std::runtime_error&) {
        weft::suspend();
        log.emplace_back("awaiter");
      }
    });
    settle();
    EXPECT_FALSE(scope->is_cancelled());
  });
  EXPECT_EQ(log, (Log{"awaiter"}));
}

// trap 10
TEST(ScopeError, ReadInAFinallyHandlerIsHandled) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    auto sibling = scope->spawn(waiting(log, "sibling"));
    auto bad = std::make_unique<weft::Coroutine<void>>(scope->spawn(failing("x")));
    bad->on_finally([&](const AnyCoroutine&) {
      log.push_back("finally: " + text(error_of([&] { weft::await(*bad); })));
      bad.reset();
    });
    settle();
    EXPECT_EQ(log, (Log{"finally: x"}));
    EXPECT_FALSE(scope->is_cancelled());
    scope->cancel();
  });
}

// trap 11
TEST(ScopeError, InFlightSurvivesAScopeCancelledMeanwhile) {
  weft::testing::run([] {
    struct Cleanup {
      Cleanup() = default;
      Cleanup(const Cleanup&) = delete;
      Cleanup& operator=(const Cleanup&) = delete;
      ~Cleanup() {
        const Ref<Scope> scope = Scope::create();
        scope->set_exception_handler([](Scope&, const AnyCoroutine&, const std::exception_ptr&) {});
        scope->spawn(failing("inner"));
        scope->spawn([] { weft::delay(1h); });
        weft::suspend();
        weft::suspend();
        scope->cancel();
        scope->await_after_cancellation();
      }
    };
    std::string caught;
    try {
      const Cleanup cleanup;
      throw std::runtime_error{"outer"};
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "outer");
    EXPECT_EQ(std::current_exception(), nullptr);
  });
}

// R-SCP-18, trap 12
TEST(ScopeError, ReachesEveryWaiterEvenIfTheFirstEndsEverything) {
  Log log;
  weft::testing::run([&] {
    auto scope = std::make_unique<Ref<Scope>>(Scope::create());
    Scope& watched = **scope;
    watched.spawn([] {
      weft::delay(1s);
      throw std::runtime_error{"to all"};
    });
    for (int i = 0; i < 3; ++i) {
      weft::spawn([&, i] {
        const std::string seen = text(error_of([&] { watched.await_completion({}); }));
        scope.reset();  // the first waiter drops the last reference
        weft::suspend();
        log.push_back(std::to_string(i) + ": " + seen);
      });
    }
    weft::delay(2s);
  });
  EXPECT_EQ(log, (Log{"0: to all", "1: to all", "2: to all"}));
}

}  // namespace
