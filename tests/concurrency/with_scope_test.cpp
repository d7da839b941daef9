#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "waiting.hpp"

// A block that waits for its coroutines.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft::Ref;
using weft::Scope;
using weft::with_scope;
using weft::testing::settle;
using weft_test::collecting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;
using weft_test::waiting;

TEST(WithScope, ReturnsAfterEveryCoroutineHasEnded) {
  Log log;
  weft::testing::run([&] {
    with_scope([&](Scope& scope) {
      scope.spawn([&] {
        weft::delay(2s);
        log.emplace_back("slow");
      });
      scope.spawn([&] {
        log.emplace_back("quick");
        weft::spawn([&] {
          weft::delay(3s);
          log.emplace_back("grandchild");
        });
      });
      log.emplace_back("body");
    });
    log.emplace_back("after");
  });
  EXPECT_EQ(log, (Log{"body", "quick", "slow", "grandchild", "after"}));
}

TEST(WithScope, ReturnsWhatTheBodyReturns) {
  weft::testing::run([] {
    EXPECT_EQ(with_scope([](Scope&) { return 3; }), 3);
    const auto moved = with_scope([](Scope& scope) {
      scope.spawn([] { weft::delay(1s); });
      return std::make_unique<int>(4);
    });
    EXPECT_EQ(*moved, 4);
  });
}

TEST(WithScope, ReturnsAReference) {
  weft::testing::run([] {
    int value = 1;
    int& same = with_scope([&](Scope&) -> int& { return value; });
    EXPECT_EQ(&same, &value);
  });
}

// R-SCP-20
TEST(WithScope, ThrowsTheFirstFailureOfACoroutineAndCancelsTheRest) {
  Log log;
  weft::testing::run([&] {
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& scope) {
        scope.spawn(waiting(log, "sibling"));
        scope.spawn([] {
          weft::delay(1s);
          throw std::runtime_error{"first"};
        });
      });
    });
    EXPECT_EQ(text(error), "first");
    EXPECT_EQ(log, (Log{"sibling: Scope was cancelled"}));
    weft::delay(1ms);  // the caller is not cancelled
  });
}

// R-SCP-20
TEST(WithScope, CountsAFailureEvenIfItsHandleIsHeld) {
  Log log;
  weft::testing::run([&] {
    weft::Coroutine<void> held;
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& scope) {
        scope.spawn(waiting(log, "sibling"));
        held = scope.spawn([] {
          weft::suspend();
          throw std::runtime_error{"held"};
        });
      });
    });
    EXPECT_EQ(text(error), "held");
    EXPECT_EQ(text(held.exception()), "held");
    EXPECT_EQ(log.size(), 1U);
  });
}

TEST(WithScope, IsNotFailedByAnErrorThatTheBodyHasAwaited) {
  weft::testing::run([] {
    const int value = with_scope([](Scope& scope) {
      auto bad = scope.spawn([] {
        weft::suspend();
        throw std::runtime_error{"read"};
      });
      EXPECT_EQ(text(error_of([&] { weft::await(bad); })), "read");
      EXPECT_FALSE(scope.is_cancelled());
      return 5;
    });
    EXPECT_EQ(value, 5);
  });
}

TEST(WithScope, WakesABodyThatWaitsWhenACoroutineFails) {
  Log log;
  weft::testing::run([&] {
    const weft::TimePoint begin = weft::now();
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& scope) {
        scope.spawn([] {
          weft::delay(1s);
          throw std::runtime_error{"child"};
        });
        waiting(log, "body")();
      });
    });
    EXPECT_EQ(text(error), "child");
    EXPECT_EQ(log.size(), 1U);
    EXPECT_LT(weft::now() - begin, 2s);
    EXPECT_FALSE(weft::current().is_cancellation_requested());
    weft::delay(1s);
  });
}

TEST(WithScope, ThrowsTheFailureEvenIfTheBodySwallowsItsCancellation) {
  weft::testing::run([] {
    const std::exception_ptr error = error_of([] {
      (void)with_scope([](Scope& scope) {
        scope.spawn([] { throw std::runtime_error{"child"}; });
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
        }
        return 1;
      });
    });
    EXPECT_EQ(text(error), "child");
  });
}

TEST(WithScope, ThrowsTheFirstFailureAlsoIfTheBodyFailsAfterwards) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        const std::exception_ptr error = error_of([] {
          with_scope([](Scope& scope) {
            scope.spawn([] { throw std::runtime_error{"child"}; });
            try {
              weft::delay(1h);
            } catch (const weft::Cancelled&) {
              throw std::runtime_error{"body"};
            }
          });
        });
        EXPECT_EQ(text(error), "child");
      },
      collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("body"));
}

TEST(WithScope, ACancellationOfTheCallerIsNotLostBehindAFailure) {
  weft::testing::run([] {
    auto caller = weft::spawn([] {
      with_scope([](Scope& scope) {
        scope.spawn([] {
          weft::delay(1ms);
          throw std::runtime_error{"child"};
        });
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
        }
        weft::delay(1h);  // cancelled here, after the failure
      });
    });
    weft::delay(1s);
    caller.cancel("go home");
    const std::exception_ptr error = error_of([&] { weft::await(caller); });
    EXPECT_EQ(text(error), "cancelled: go home");
    EXPECT_EQ(text(weft::previous(error)), "child");
  });
}

TEST(WithScope, RunsFinallyHandlersOfItsScopeInsideTheBlock) {
  Log log;
  weft::testing::run([&] {
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& scope) {
        scope.on_finally([&](Scope&) {
          weft::delay(1s);
          log.emplace_back("finally");
          throw std::runtime_error{"finally"};
        });
        scope.spawn([&] { log.emplace_back("child"); });
      });
    });
    EXPECT_EQ(text(error), "finally");
    EXPECT_EQ(log, (Log{"child", "finally"}));
  });
}

TEST(WithScope, WarnsOfASecondFailure) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        const std::exception_ptr error = error_of([] {
          with_scope([](Scope& scope) {
            scope.spawn([] {
              try {
                weft::delay(1h);
              } catch (const weft::Cancelled&) {
                throw std::runtime_error{"second"};
              }
            });
            scope.spawn([] { throw std::runtime_error{"first"}; });
          });
        });
        EXPECT_EQ(text(error), "first");
      },
      collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("second"));
}

TEST(WithScope, ThrowsTheFailureOfItsBodyAfterTheCancelledHaveEnded) {
  Log log;
  weft::testing::run([&] {
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& scope) {
        scope.spawn([&] {
          try {
            weft::delay(1h);
          } catch (const weft::Cancelled&) {
            weft::delay(1s);
            log.emplace_back("cleaned");
          }
        });
        weft::suspend();
        throw std::runtime_error{"body"};
      });
    });
    EXPECT_EQ(text(error), "body");
    EXPECT_EQ(log, (Log{"cleaned"}));
  });
}

TEST(WithScope, CancelsItsCoroutinesWhenItsCallerIsCancelled) {
  Log log;
  weft::testing::run([&] {
    for (const bool in_body : {true, false}) {
      log.clear();
      auto caller = weft::spawn([&] {
        with_scope([&](Scope& scope) {
          scope.spawn(waiting(log, "a"));
          scope.spawn(waiting(log, "b"));
          if (in_body) weft::delay(1h);
        });
      });
      settle();
      caller.cancel("go home");
      EXPECT_EQ(text(error_of([&] { weft::await(caller); })), "cancelled: go home");
      EXPECT_EQ(log, (Log{"a: Scope was cancelled", "b: Scope was cancelled"}));
    }
  });
}

TEST(WithScope, ACancelledCallerWaitsForCleanUp) {
  Log log;
  weft::testing::run([&] {
    auto caller = weft::spawn([&] {
      try {
        with_scope([&](Scope& scope) {
          scope.spawn([&] {
            try {
              weft::delay(1h);
            } catch (const weft::Cancelled&) {
              weft::delay(1s);
              log.emplace_back("cleaned");
            }
          });
        });
      } catch (const weft::Cancelled&) {
        log.emplace_back("caller");
        throw;
      }
    });
    settle();
    caller.cancel();
    weft::delay(500ms);
    EXPECT_TRUE(log.empty());
    caller.cancel("again");
    weft::delay(1s);
    EXPECT_EQ(log, (Log{"cleaned", "caller"}));
  });
}

TEST(WithScope, MayBeCancelledByItsBody) {
  Log log;
  weft::testing::run([&] {
    const int value = with_scope([&](Scope& scope) {
      scope.spawn(waiting(log, "a"));
      settle();
      scope.cancel("enough");
      EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope.spawn([] {}); })));
      return 6;
    });
    EXPECT_EQ(value, 6);
    EXPECT_EQ(log, (Log{"a: enough"}));
  });
}

TEST(WithScope, MayBeCancelledByACoroutineOfIts) {
  Log log;
  weft::testing::run([&] {
    with_scope([&](Scope& scope) {
      scope.spawn(waiting(log, "a"));
      scope.spawn([&scope] {
        weft::delay(1s);
        scope.cancel("from inside");
      });
    });
    EXPECT_EQ(log, (Log{"a: from inside"}));
  });
}

TEST(WithScope, DoesNotAllowZombies) {
  weft::testing::run([] {
    with_scope([](Scope& scope) {
      EXPECT_FALSE(scope.allows_zombies());
      EXPECT_FALSE(Scope::inherit(scope)->allows_zombies());
    });
  });
}

TEST(WithScope, WaitsForZombiesAllTheSame) {
  Log log;
  weft::testing::run([&] {
    with_scope([&](Scope& scope) {
      scope.spawn([&] {
        weft::delay(1s);
        log.emplace_back("zombie");
      });
      weft::suspend();
      scope.dispose_safely();
    });
    EXPECT_EQ(log, (Log{"zombie"}));
  });
}

TEST(WithScope, IsTheScopeOfItsCoroutinesNotOfItsBody) {
  weft::testing::run([] {
    with_scope([](Scope& scope) {
      EXPECT_FALSE(Scope::current());
      scope.spawn([&scope] { EXPECT_EQ(Scope::current().get(), &scope); });
    });
  });
}

TEST(WithScope, CancelsWithItsParent) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> parent = Scope::create();
    parent->spawn([&] { with_scope([&](Scope& scope) { scope.spawn(waiting(log, "a")); }); });
    settle();
    parent->cancel("all of you");
    parent->await_after_cancellation();
  });
  EXPECT_EQ(log, (Log{"a: all of you"}));
}

TEST(WithScope, PassesAFailureUpLevelByLevel) {
  Log log;
  weft::testing::run([&] {
    const std::exception_ptr error = error_of([&] {
      with_scope([&](Scope& outer) {
        outer.spawn(waiting(log, "outer sibling"));
        outer.spawn([&] {
          with_scope([&](Scope& inner) {
            inner.spawn(waiting(log, "inner sibling"));
            inner.spawn([] { throw std::runtime_error{"deep"}; });
          });
        });
      });
    });
    EXPECT_EQ(text(error), "deep");
    EXPECT_EQ(log,
              (Log{"inner sibling: Scope was cancelled", "outer sibling: Scope was cancelled"}));
  });
}

TEST(WithScope, OfAHandlerKeepsFailuresFromTheBlock) {
  Log log;
  weft::testing::run([&] {
    with_scope([&](Scope& scope) {
      scope.set_exception_handler(
          [&](Scope&, const weft::AnyCoroutine&, const std::exception_ptr& error) {
            log.push_back(text(error));
          });
      scope.spawn([] { throw std::runtime_error{"handled"}; });
      scope.spawn([&] {
        weft::delay(1s);
        log.emplace_back("sibling ended");
      });
    });
  });
  EXPECT_EQ(log, (Log{"handled", "sibling ended"}));
}

TEST(WithScope, MayBeHeldLongerThanItsBlock) {
  weft::testing::run([] {
    Ref<Scope> kept;
    with_scope([&](Scope& scope) {
      kept = Ref<Scope>{&scope};
      scope.spawn([] { weft::delay(1s); });
    });
    EXPECT_EQ(kept->size(), 0U);
    // The scope is closed: no block would wait for a later coroutine.
    EXPECT_TRUE(kept->is_closed());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { kept->spawn([] {}); })));
  });
}

TEST(WithScope, CannotBeUsedOutsideARuntime) {
  bool called = false;
  const std::exception_ptr error = error_of([&] { with_scope([&](Scope&) { called = true; }); });
  EXPECT_TRUE(is<weft::MisuseError>(error)) << text(error);
  EXPECT_FALSE(called);
}

TEST(WithScope, NestsDeeply) {
  weft::testing::run([] {
    int deepest = 0;
    struct Nest {
      static void down(int depth, int& reached) {
        reached = depth;
        if (depth == 100) throw std::runtime_error{"bottom"};
        with_scope([&](Scope& scope) { scope.spawn([&, depth] { down(depth + 1, reached); }); });
      }
    };
    EXPECT_EQ(text(error_of([&] { Nest::down(0, deepest); })), "bottom");
    EXPECT_EQ(deepest, 100);
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// trap 11
TEST(WithScope, InADestructorDuringUnwindingLetsTheExceptionFly) {
  Log log;
  weft::testing::run([&] {
    struct Cleanup {
      explicit Cleanup(Log& to) : log{to} {}
      Cleanup(const Cleanup&) = delete;
      Cleanup& operator=(const Cleanup&) = delete;
      ~Cleanup() {
        with_scope([this](Scope& scope) {
          scope.spawn([this] {
            weft::delay(1s);
            log.emplace_back("cleaned");
          });
        });
      }
      Log& log;
    };
    auto flying = weft::spawn([&] {
      const Cleanup cleanup{log};
      weft::delay(1h);
    });
    settle();
    flying.cancel("fly");
    EXPECT_EQ(text(error_of([&] { weft::await(flying); })), "cancelled: fly");
    EXPECT_EQ(log, (Log{"cleaned"}));
  });
}

TEST(WithScope, EndsWithAShutdown) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] {
      with_scope([&](Scope& scope) {
        scope.spawn([&] { waiting(log, "a")(); });
        weft::protect([] { weft::delay(1h); });
      });
    });
    settle();
    weft::shutdown("closing time");
  });
  EXPECT_EQ(log, (Log{"a: closing time"}));
}

}  // namespace
