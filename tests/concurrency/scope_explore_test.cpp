#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support.hpp"

// Scopes and deadlines under every schedule, with a cancellation at every point. The explorer fails
// a run whose counters do not return to zero.
namespace {

using namespace std::chrono_literals;
using weft::Ref;
using weft::Scope;
using weft::with_scope;
using weft::with_timeout;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;

void check(bool holds, const char* text) {
  if (!holds) throw std::logic_error{text};
}

/// Counts the bodies that have begun and not ended.
struct Census {
  int inside = 0;
  struct Member {
    explicit Member(Census& of) : census{of} { ++census.inside; }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    ~Member() { --census.inside; }
    Census& census;
  };
};

void expect_ok(const std::function<void()>& scenario, bool cancelling) {
  ExploreOptions options;
  options.max_runs = 300'000;
  const Report plain = explore(weft::Function<void()>{[&] { scenario(); }}, options);
  EXPECT_TRUE(plain.ok()) << plain.first_failure();
  EXPECT_TRUE(plain.complete());
  if (!cancelling) return;
  options.cancel = weft::testing::every_point;
  const Report cancelled = explore(weft::Function<void()>{[&] { scenario(); }}, options);
  EXPECT_TRUE(cancelled.ok()) << cancelled.first_failure();
  EXPECT_TRUE(cancelled.complete());
  EXPECT_GT(cancelled.schedules(), plain.schedules());
}

/// Checks that a block leaves no coroutine and no timer.
void check_nothing_left(const Census& census) {
  check(census.inside == 0, "a coroutine is still inside");
  check(weft::stats().armed_timers == 0, "a timer is still armed");
  check(weft::stats().active_events == 0, "an event is still active");
  check(weft::stats().coroutines == 1, "a coroutine is still there");
}

/// Runs `block` in a coroutine that the explorer may cancel, and then check_nothing_left().
void in_a_caller(Census& census, const std::function<void()>& block) {
  auto caller = weft::spawn([&] {
    try {
      block();
    } catch (...) {
      check(census.inside == 0, "the block left before its coroutines");
      throw;
    }
    check(census.inside == 0, "the block left before its coroutines");
  });
  try {
    weft::protect([&] {
      try {
        weft::await(caller);
      } catch (const weft::Cancelled&) {
      } catch (const std::runtime_error&) {
      }
    });
  } catch (const weft::Cancelled&) {
  }
  check_nothing_left(census);
}

// R-SCP-18, R-SCP-20, trap 8
TEST(ScopeExplore, WithScopeWithAFailingChildNeverLeavesACoroutineBehind) {
  expect_ok(
      [] {
        Census census;
        in_a_caller(census, [&] {
          with_scope([&](Scope& scope) {
            scope.spawn([&] {
              const Census::Member member{census};
              weft::suspend();
            });
            scope.spawn([&] {
              const Census::Member member{census};
              weft::suspend();
              throw std::runtime_error{"child"};
            });
          });
        });
      },
      true);
}

// R-SCP-18, R-SCP-20
TEST(ScopeExplore, WithScopeOfThreeAgainstARivalThatCancelsTheCaller) {
  expect_ok(
      [] {
        Census census;
        auto caller = weft::spawn([&] {
          try {
            with_scope([&](Scope& scope) {
              for (const bool fails : {false, true, false}) {
                scope.spawn([&census, fails] {
                  const Census::Member member{census};
                  weft::suspend();
                  if (fails) throw std::runtime_error{"child"};
                });
              }
              weft::delay(1ms);
            });
          } catch (const std::runtime_error&) {
          }
          check(census.inside == 0, "the block left before its coroutines");
        });
        auto rival = weft::spawn([&] {
          weft::suspend();
          caller.cancel();
        });
        weft::protect([&] {
          try {
            weft::await(caller);
          } catch (const weft::Cancelled&) {
          }
          weft::await(rival);
        });
        check_nothing_left(census);
      },
      false);
}

// R-SCP-18, R-SCP-20
TEST(ScopeExplore, WithScopeThrowsTheChildsFailureUnderEverySchedule) {
  expect_ok(
      [] {
        bool failed = false;
        try {
          with_scope([&](Scope& scope) {
            scope.spawn([] { weft::delay(1h); });
            scope.spawn([] {
              weft::suspend();
              throw std::runtime_error{"child"};
            });
            weft::delay(1h);
          });
        } catch (const std::runtime_error&) {
          failed = true;
        }
        check(failed, "the failure was lost");
        check_nothing_left({});
      },
      false);
}

// R-SCP-18
TEST(ScopeExplore, WithScopeWhoseBodyWaitsIsCancelledAnywhere) {
  expect_ok(
      [] {
        Census census;
        in_a_caller(census, [&] {
          with_scope([&](Scope& scope) {
            auto value = scope.spawn([&] {
              const Census::Member member{census};
              weft::delay(1ms);
              return 1;
            });
            scope.spawn([&] {
              const Census::Member member{census};
              try {
                weft::delay(2ms);
              } catch (const weft::Cancelled&) {
                weft::suspend();  // a clean-up that suspends
                throw;
              }
            });
            check(weft::await(value) == 1, "a wrong value");
          });
        });
      },
      true);
}

// R-SCP-20
TEST(ScopeExplore, NestedWithScopesAreCancelledAnywhere) {
  expect_ok(
      [] {
        Census census;
        in_a_caller(census, [&] {
          with_scope([&](Scope& outer) {
            outer.spawn([&] {
              const Census::Member member{census};
              with_scope([&](Scope& inner) {
                inner.spawn([&] {
                  const Census::Member below{census};
                  weft::suspend();
                  throw std::runtime_error{"deep"};
                });
              });
            });
            outer.spawn([&] {
              const Census::Member member{census};
              weft::delay(1ms);
            });
          });
        });
      },
      true);
}

TEST(ScopeExplore, NestedDeadlinesAreCancelledAnywhere) {
  expect_ok(
      [] {
        Census census;
        in_a_caller(census, [&] {
          with_timeout(2ms, [&] {
            try {
              with_timeout(1ms, [] { weft::delay(5ms); });
              check(false, "no timeout");
            } catch (const weft::TimedOut&) {
            }
            weft::delay(5ms);
            check(false, "no outer timeout");
          });
        });
      },
      true);
}

TEST(ScopeExplore, DeadlinesOfTheSameMomentAreCancelledAnywhere) {
  expect_ok(
      [] {
        Census census;
        in_a_caller(census, [&] {
          with_timeout(1ms, [&] {
            with_scope([&](Scope& scope) {
              scope.spawn([&] {
                const Census::Member member{census};
                with_timeout(1ms, [] { weft::delay(1ms); });
              });
            });
          });
        });
      },
      true);
}

// R-SCP-5, R-SCP-6
TEST(ScopeExplore, AScopeCancelledFromOutsideClosesUnderEverySchedule) {
  expect_ok(
      [] {
        Census census;
        int finals = 0;
        {
          const Ref<Scope> scope = Scope::create();
          const Ref<Scope> child = Scope::inherit(*scope);
          scope->on_finally([&](Scope& ended) {
            check(ended.is_closed() && ended.size() == 0, "finally too early");
            ++finals;
          });
          scope->spawn([&] {
            const Census::Member member{census};
            weft::suspend();
          });
          child->spawn([&] {
            const Census::Member member{census};
            weft::delay(1ms);
          });
          weft::protect([&] {
            weft::suspend();
            scope->cancel();
            scope->await_after_cancellation();
          });
          check(scope->is_closed() && child->is_closed(), "not closed");
        }
        check(finals == 1, "finally handlers run once");
        check_nothing_left(census);
      },
      false);
}

// R-SCP-5, R-SCP-15
TEST(ScopeExplore, AWaiterOfACancelledScopeMayBeCancelledAnywhere) {
  expect_ok(
      [] {
        const Ref<Scope> scope = Scope::create();
        scope->spawn([] {
          try {
            weft::delay(1ms);
          } catch (const weft::Cancelled&) {
            weft::suspend();
            throw;
          }
        });
        weft::spawn([&scope = *scope, keep = scope] {
          weft::suspend();
          scope.cancel();
          scope.await_after_cancellation();
          check(scope.is_closed(), "not closed");
        });
      },
      true);
}

// R-SCP-11
TEST(ScopeExplore, AScopeCancelledFromInsideClosesUnderEverySchedule) {
  expect_ok(
      [] {
        const Ref<Scope> scope = Scope::create();
        scope->spawn([&scope = *scope] {
          weft::suspend();
          scope.cancel();
          weft::suspend();
          weft::testing::fail("went on after the cancellation");
        });
        scope->spawn([] { weft::delay(1ms); });
        weft::protect([&] {
          try {
            scope->await_completion({});
          } catch (const weft::Cancelled&) {
          }
          if (scope->is_cancelled()) scope->await_after_cancellation();
        });
        check(scope->size() == 0, "a coroutine is left");
      },
      true);
}

// R-SCP-9, R-SCP-12, trap 22
TEST(ScopeExplore, AScopeDisposedWithZombiesGoesWithTheLastOfThem) {
  expect_ok(
      [] {
        Census census;
        Ref<Scope> scope = Scope::inherit();
        for (int i = 0; i < 2; ++i) {
          scope->spawn([&census] {
            const Census::Member member{census};
            weft::suspend();
          });
        }
        weft::protect([&] {
          weft::suspend();
          scope->dispose();
          check(scope->is_finished(), "zombies count");
          scope->await_after_cancellation();
        });
        check(scope->is_closed(), "not closed");
        scope = {};
        check(census.inside == 0, "a coroutine is left");
      },
      true);
}

// R-SCP-10, trap 22
TEST(ScopeExplore, AScopeMayBeDroppedAnywhere) {
  expect_ok(
      [] {
        Ref<Scope> scope = Scope::create();
        scope->spawn([] { weft::suspend(); });
        scope->spawn([&scope] {
          weft::suspend();
          scope = {};
        });
        weft::protect([&] {
          weft::suspend();
          weft::suspend();
          weft::delay(1ms);
        });
        scope = {};
      },
      true);
}

// R-SCP-18, R-EXC-7
TEST(ScopeExplore, AHandlerGetsEachFailureOnce) {
  expect_ok(
      [] {
        const Ref<Scope> scope = Scope::create();
        int handled = 0;
        scope->set_exception_handler(
            [&](Scope&, const weft::AnyCoroutine&, const std::exception_ptr&) {
              weft::suspend();
              ++handled;
            });
        for (int i = 0; i < 2; ++i) {
          scope->spawn([] {
            weft::suspend();
            throw std::runtime_error{"x"};
          });
        }
        scope->await_completion({});
        check(handled == 2, "a failure was lost or told twice");
        check(!scope->is_cancelled(), "a handled failure cancels nothing");
      },
      false);
}

}  // namespace
