#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "waiting.hpp"

// How scopes are cancelled and disposed, and what zombies are.
namespace {

using namespace std::chrono_literals;
using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using weft_test::waiting;

// R-SCP-5, R-CAN-9
TEST(ScopeCancel, GoesDownAndLeavesParentAndSiblingsAlone) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> parent = Scope::create();
    const Ref<Scope> middle = Scope::inherit(*parent);
    const Ref<Scope> sibling = Scope::inherit(*parent);
    const Ref<Scope> child = Scope::inherit(*middle);
    parent->spawn(waiting(log, "parent"));
    sibling->spawn(waiting(log, "sibling"));
    middle->spawn(waiting(log, "middle"));
    child->spawn(waiting(log, "child"));
    settle();
    middle->cancel();
    settle();
    EXPECT_EQ(log, (Log{"child: Scope was cancelled", "middle: Scope was cancelled"}));
    EXPECT_FALSE(parent->is_cancelled());
    EXPECT_FALSE(sibling->is_cancelled());
    EXPECT_TRUE(child->is_cancelled());
    EXPECT_TRUE(child->is_closed());
    EXPECT_TRUE(middle->is_closed());
    parent->cancel();
  });
}

// R-SCP-5
TEST(ScopeCancel, PassesItsReasonDown) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    const Ref<Scope> child = Scope::inherit(*scope);
    scope->spawn(waiting(log, "own"));
    child->spawn(waiting(log, "child's"));
    settle();
    scope->cancel("enough");
    scope->cancel("too late");
    settle();
  });
  EXPECT_EQ(log, (Log{"child's: enough", "own: enough"}));
}

// R-SCP-6
TEST(ScopeCancel, ClosesAnEmptyScopeAtOnceAndRunsItsFinallyHandlers) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->on_finally([&](Scope& ended) {
      EXPECT_EQ(&ended, scope.get());
      log.emplace_back("finally");
    });
    settle();
    EXPECT_TRUE(log.empty());
    scope->cancel();
    EXPECT_TRUE(scope->is_closed());
    settle();
    EXPECT_EQ(log, (Log{"finally"}));
    scope->cancel();
    scope->dispose();
    scope->dispose_safely();
    settle();
    EXPECT_EQ(log, (Log{"finally"}));
  });
}

// R-SCP-6
TEST(ScopeCancel, ClosesWhenTheLastCoroutineHasEnded) {
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
    scope->spawn([] { weft::delay(1h); });
    settle();
    bool cleaned = false;
    scope->on_finally([&](Scope&) { cleaned = true; });
    scope->cancel();
    EXPECT_TRUE(scope->is_cancelled());
    EXPECT_TRUE(scope->is_finished());
    settle();
    EXPECT_EQ(scope->size(), 1U);
    EXPECT_FALSE(cleaned);
    bell.ring();
    settle();
    EXPECT_EQ(scope->size(), 0U);
    EXPECT_TRUE(scope->is_closed());
    EXPECT_TRUE(cleaned);
  });
}

// R-SCP-6
TEST(ScopeCancel, OfOneThatHasNotStartedDropsItsBody) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();  // a scope that allows zombies
    auto never = scope->spawn([] { FAIL(); });
    scope->cancel("not you");
    EXPECT_EQ(text(error_of([&] { weft::await(never); })), "cancelled: not you");
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-SCP-5, R-SCP-12
TEST(ScopeCancel, CancelsStartedOnesEvenWhereZombiesAreAllowed) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    ASSERT_TRUE(scope->allows_zombies());
    scope->spawn(waiting(log, "a"));
    settle();
    scope->cancel();
    settle();
  });
  EXPECT_EQ(log, (Log{"a: Scope was cancelled"}));
}

// R-SCP-11
TEST(ScopeCancel, FromInsideTakesEffectAtTheNextSuspension) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    auto inside = scope->spawn([&] {
      scope->cancel("my own");
      log.emplace_back("goes on");
      try {
        weft::suspend();
      } catch (const weft::Cancelled& cancelled) {
        log.emplace_back(cancelled.reason());
        throw;
      }
    });
    EXPECT_EQ(text(error_of([&] { weft::await(inside); })), "cancelled: my own");
    EXPECT_TRUE(inside.is_cancelled());
    EXPECT_TRUE(scope->is_closed());
  });
  EXPECT_EQ(log, (Log{"goes on", "my own"}));
}

// R-SCP-11
TEST(ScopeCancel, FromInsideIsTheOutcomeWithoutASuspensionToo) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    auto inside = scope->spawn([&] {
      scope->cancel();
      return 7;
    });
    EXPECT_EQ(text(error_of([&] { weft::await(inside); })), "cancelled: Scope was cancelled");
    EXPECT_FALSE(inside.result().has_value());
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-SCP-9
TEST(ScopeDispose, CancelsWhereZombiesAreNotAllowed) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(waiting(log, "a"));
    settle();
    scope->dispose();
    EXPECT_TRUE(scope->is_cancelled());
    settle();
    EXPECT_EQ(log.size(), 1U);
    EXPECT_EQ(scope->size(), 0U);
  });
}

// R-SCP-9, R-SCP-12, R-CAN-14
TEST(ScopeDispose, MakesZombiesOfStartedOnesWhereTheyAreAllowed) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    const std::size_t active = weft::stats().active_coroutines;
    auto started = scope->spawn([&] {
      weft::delay(10ms);
      log.emplace_back("zombie ended");
      return 5;
    });
    settle();
    auto fresh = scope->spawn([] { FAIL(); });
    EXPECT_EQ(weft::stats().active_coroutines, active + 2);
    scope->dispose();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(fresh); })));
    EXPECT_EQ(scope->size(), 1U);
    EXPECT_TRUE(scope->is_finished());
    EXPECT_EQ(weft::stats().active_coroutines, active);
    EXPECT_EQ(weft::stats().coroutines, active + 1);
    EXPECT_FALSE(started.is_cancellation_requested());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([] {}); })));
    EXPECT_EQ(weft::await(started), 5);
    EXPECT_EQ(scope->size(), 0U);
    EXPECT_TRUE(scope->is_closed());
  });
  EXPECT_EQ(log, (Log{"zombie ended"}));
}

// R-SCP-9, R-CAN-14
TEST(ScopeDispose, SafelyNeverCancelsAStartedOne) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();  // a scope that allows no zombies
    const Ref<Scope> child = Scope::inherit(*scope);
    for (Scope* each : {scope.get(), child.get()}) {
      each->spawn([&] {
        weft::delay(10ms);
        log.emplace_back("ended");
      });
    }
    settle();
    auto fresh = child->spawn([] { FAIL(); });
    scope->dispose_safely();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(fresh); })));
    EXPECT_TRUE(scope->is_finished());
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
    weft::delay(1min);
    EXPECT_EQ(log, (Log{"ended", "ended"}));
    EXPECT_TRUE(scope->is_closed());
    EXPECT_TRUE(child->is_closed());
  });
}

// R-SCP-12
TEST(ScopeDispose, LeavesZombiesToTheProgramWhichRunsThemToTheirEnd) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    scope->spawn([&] {
      weft::delay(1h);
      log.emplace_back("ended");
    });
    settle();
    scope->dispose();
  });
  EXPECT_EQ(log, (Log{"ended"}));
}

// R-SCP-12
TEST(ScopeDispose, ReportsTheDeadlockOfAZombie) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          static Doorbell bell;
          const Ref<Scope> scope = Scope::inherit();
          scope->spawn([] { weft::await(bell); });
          settle();
          scope->dispose();
        },
        weft_test::quiet());
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
}

// R-SCP-12
TEST(ScopeDispose, CancelsAZombieAfterAll) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    auto zombie = scope->spawn(waiting(log, "zombie"));
    settle();
    scope->dispose();
    settle();
    EXPECT_TRUE(log.empty());
    zombie.cancel("really");
    settle();
    EXPECT_EQ(log, (Log{"zombie: really"}));
    EXPECT_TRUE(scope->is_closed());
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
  });
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, CancelsWithAReasonOfItsOwn) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(waiting(log, "a"));
    const weft::TimePoint begin = weft::now();
    scope->dispose_after_timeout(50ms);
    weft::delay(49ms);
    EXPECT_FALSE(scope->is_cancelled());
    weft::delay(2ms);
    EXPECT_TRUE(scope->is_cancelled());
    EXPECT_LT(weft::now() - begin, 60ms);
    EXPECT_EQ(log, (Log{"a: Scope has been disposed due to timeout"}));
  });
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, LeavesStartedOnesWhereZombiesAreAllowed) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    scope->spawn([&] {
      weft::delay(100ms);
      log.emplace_back("ended");
    });
    scope->dispose_after_timeout(50ms);
    weft::delay(60ms);
    EXPECT_TRUE(scope->is_finished());
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([] {}); })));
    EXPECT_EQ(scope->size(), 1U);
    weft::delay(60ms);
    EXPECT_EQ(log, (Log{"ended"}));
  });
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, DoesNothingToAnEmptyOrClosedScope) {
  weft::testing::run([] {
    const Ref<Scope> empty = Scope::create();
    empty->dispose_after_timeout(1ms);
    const Ref<Scope> closed = Scope::create();
    closed->cancel();
    closed->dispose_after_timeout(1ms);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    weft::delay(10ms);
    EXPECT_FALSE(empty->is_cancelled());
    EXPECT_FALSE(empty->is_closed());
  });
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, CountsOnlyWhileACoroutineIsInAScopeThatIsHeld) {
  Ref<Scope> scope;
  weft::testing::run([&] {
    scope = Scope::inherit();
    scope->spawn([] { weft::delay(1ms); });
    scope->dispose_after_timeout(1h);
    weft::delay(2ms);
    EXPECT_EQ(weft::stats().active_events, 0U);
    scope->spawn([] { weft::delay(1ms); });
    EXPECT_EQ(weft::stats().active_events, 1U);
    weft::delay(2ms);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  scope = nullptr;
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, DoesNotKeepTheProgramAliveOnceTheScopeIsEmpty) {
  weft::TimePoint begin{};
  weft::TimePoint end{};
  weft::testing::run([&] {
    begin = weft::now();
    weft::current().on_finally([&] { end = weft::now(); });
    Ref<Scope> scope = Scope::create();
    scope->spawn([] { weft::delay(1ms); });
    scope->dispose_after_timeout(1h);
    weft::delay(2ms);
    scope = {};
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  EXPECT_LT(end - begin, 1s);
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, RefusesDurationsThatAreNotAboveZero) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([] {});
    EXPECT_TRUE(is<weft::ValueError>(error_of([&] { scope->dispose_after_timeout(0ms); })));
    EXPECT_TRUE(is<weft::ValueError>(error_of([&] { scope->dispose_after_timeout(-1ms); })));
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, ClosesAScopeThatHasBecomeEmpty) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->on_finally([&](Scope&) { log.emplace_back("finally"); });
    scope->spawn([] {});
    scope->dispose_after_timeout(10ms);
    weft::delay(20ms);
    EXPECT_TRUE(scope->is_closed());
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
  EXPECT_EQ(log, (Log{"finally"}));
}

// R-SCP-9
TEST(ScopeDisposeAfterTimeout, AskedTwiceHappensOnce) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn(waiting(log, "a"));
    scope->dispose_after_timeout(50ms);
    scope->dispose_after_timeout(10ms);
    weft::delay(100ms);
    EXPECT_EQ(log.size(), 1U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// R-SCP-10, trap 22
TEST(ScopeDestruction, CancelsWhatIsLeft) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::create();
    const Ref<Scope> child = Scope::inherit(*scope);
    scope->spawn(waiting(log, "a"));
    child->spawn(waiting(log, "b"));
    settle();
    Ref<Scope> other = scope;
    scope = {};
    settle();
    EXPECT_TRUE(log.empty());  // `other` still holds the scope
    other = {};
    settle();
    EXPECT_TRUE(child->is_cancelled());
  });
  EXPECT_EQ(log, (Log{"b: Scope is being disposed due to object destruction",
                      "a: Scope is being disposed due to object destruction"}));
}

// R-SCP-10, R-CAN-14
TEST(ScopeDestruction, MakesZombiesWhereTheyAreAllowed) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::inherit();
    scope->spawn([&] {
      weft::delay(1s);
      log.emplace_back("ended");
    });
    settle();
    auto fresh = scope->spawn([] { FAIL(); });
    scope = {};
    EXPECT_EQ(text(error_of([&] { weft::await(fresh); })),
              "cancelled: Scope is being disposed due to object destruction");
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
  });
  EXPECT_EQ(log, (Log{"ended"}));
}

// R-SCP-10
TEST(ScopeDestruction, OfAnEmptyScopeRunsItsFinallyHandlers) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::create();
    scope->on_finally([&](Scope&) { log.emplace_back("finally"); });
    scope = {};
    settle();
  });
  EXPECT_EQ(log, (Log{"finally"}));
}

/// Suspends in its destructor.
struct Sluggish {
  Sluggish(Log& to, std::string says) : log{&to}, text{std::move(says)} {}
  Sluggish(Sluggish&& other) noexcept : log{std::exchange(other.log, nullptr)}, text{other.text} {}
  Sluggish(const Sluggish&) = delete;
  Sluggish& operator=(const Sluggish&) = delete;
  ~Sluggish() {
    if (log == nullptr) return;
    try {
      weft::delay(10ms);
      log->push_back(text);
    } catch (...) {
      log->push_back(text + " threw");
    }
  }
  Log* log;
  std::string text;
};

TEST(ScopeCancel, WaitsForDestructorsThatSuspend) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([&] {
      const Sluggish local{log, "local"};
      weft::delay(1h);
    });
    scope->spawn([captured = Sluggish{log, "captured"}] { weft::delay(1h); });
    settle();
    scope->spawn([captured = Sluggish{log, "never started"}] { FAIL(); });
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(scope->size(), 0U);
    EXPECT_TRUE(scope->is_closed());
  });
  std::sort(log.begin(), log.end());
  EXPECT_EQ(log, (Log{"captured", "local", "never started"}));
}

}  // namespace
