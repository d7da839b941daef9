#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "waiting.hpp"

// What belongs to a scope, and how long it lives.
namespace scope_test {

using namespace std::chrono_literals;
using weft::Ref;
using weft::Scope;
using weft::testing::settle;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using weft_test::waiting;

// R-SCP-1
TEST(Scope, OwnsWhatItsCoroutinesSpawn) {
  weft::testing::run([] {
    EXPECT_FALSE(Scope::current());
    const Ref<Scope> scope = Scope::inherit();
    scope->spawn([&] {
      EXPECT_EQ(Scope::current().get(), scope.get());
      weft::spawn([&] { EXPECT_EQ(Scope::current().get(), scope.get()); });
      EXPECT_EQ(scope->size(), 2U);
    });
    weft::spawn([] { EXPECT_FALSE(Scope::current()); });
    EXPECT_EQ(scope->size(), 1U);
    settle();
    EXPECT_EQ(scope->size(), 0U);
  });
}

// A callback interrupts the running coroutine. A coroutine that it spawns does not belong to the
// scope of the interrupted one. R-SCP-1
TEST(Scope, OwnsNothingThatCallbacksAndMicrotasksSpawn) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    Log log;
    const auto spawn_in = [&](const std::string& where) {
      weft::spawn([&log, where] {
        weft::suspend();  // the end of a cancelled scope would throw here
        log.push_back(where + (Scope::current() ? " in the scope" : " in the main scope"));
      });
      EXPECT_FALSE(Scope::current()) << where;
      EXPECT_EQ(&weft::values(), &weft::root_values()) << where;
    };
    Doorbell bell;
    Call spawner{[&](weft::Event&, const weft::Outcome&) { spawn_in("callback"); }};
    bell.add_callback(spawner);
    scope->spawn([&] {
      bell.ring();
      weft::post_microtask([&] { spawn_in("microtask"); });
      weft::suspend();
      weft::current().on_finally([&] { EXPECT_TRUE(Scope::current()); });
      weft::delay(1h);
    });
    settle();
    scope->cancel();
    scope->await_after_cancellation();
    settle();
    bell.remove_callback(spawner);
    EXPECT_EQ(log, (Log{"callback in the main scope", "microtask in the main scope"}));
  });
}

// R-SCP-1
TEST(Scope, PassesArgumentsOptionsAndValuesOn) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    EXPECT_EQ(weft::await(scope->spawn([] { return 1; })), 1);
    EXPECT_EQ(weft::await(scope->spawn([](int a) { return a; }, 2)), 2);
    EXPECT_EQ(weft::await(scope->spawn([](int a, int b) { return a + b; }, 1, 2)), 3);
    EXPECT_EQ(weft::await(scope->spawn([](int a, int b, int c) { return a + b + c; }, 1, 2, 1)), 4);
    EXPECT_EQ(weft::await(scope->spawn(
                  [](int a, int b, int c, std::unique_ptr<int> d) { return a + b + c + *d; }, 1, 1,
                  1, std::make_unique<int>(2))),
              5);
    auto named = scope->spawn({.name = "named"}, [] { return 6; });
    EXPECT_EQ(named.name(), "named");
    EXPECT_EQ(named.spawn_place().line, unsigned{__LINE__} - 2U);
    EXPECT_EQ(weft::await(named), 6);
  });
}

// R-SCP-3
TEST(Scope, InheritsFromTheCurrentScopeOrTheGivenOne) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> parent = Scope::create();
    Ref<Scope> current_child;
    Ref<Scope> alone;
    parent->spawn([&] {
      current_child = Scope::inherit();
      alone = Scope::create();
    });
    settle();
    const Ref<Scope> given_child = Scope::inherit(*parent);
    const Ref<Scope> of_main = Scope::inherit();
    current_child->spawn(waiting(log, "current"));
    given_child->spawn(waiting(log, "given"));
    alone->spawn(waiting(log, "alone"));
    of_main->spawn(waiting(log, "main's"));
    settle();
    parent->cancel();
    settle();
    EXPECT_TRUE(current_child->is_cancelled());
    EXPECT_TRUE(given_child->is_cancelled());
    EXPECT_FALSE(alone->is_cancelled());
    EXPECT_FALSE(of_main->is_cancelled());
    EXPECT_EQ(log.size(), 2U);
    alone->cancel();
    of_main->cancel();
  });
}

// R-SCP-4
TEST(Scope, TakesItsToleranceOfZombiesFromItsParent) {
  weft::testing::run([] {
    const Ref<Scope> of_main = Scope::inherit();
    const Ref<Scope> alone = Scope::create();
    EXPECT_TRUE(of_main->allows_zombies());
    EXPECT_FALSE(alone->allows_zombies());
    EXPECT_TRUE(Scope::inherit(*of_main)->allows_zombies());
    EXPECT_FALSE(Scope::inherit(*alone)->allows_zombies());
    of_main->allow_zombies(false);
    alone->allow_zombies(true);
    EXPECT_FALSE(of_main->allows_zombies());
    EXPECT_TRUE(alone->allows_zombies());
    EXPECT_FALSE(Scope::inherit(*of_main)->allows_zombies());
    EXPECT_TRUE(Scope::inherit(*alone)->allows_zombies());
  });
}

// R-SCP-2, trap 22
TEST(Scope, OutlivesItsLastReferenceUntilItsCoroutinesHaveEnded) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::inherit();
    scope->on_finally([&](Scope& ended) { log.push_back(ended.size() == 0 ? "empty" : "full"); });
    scope->spawn([&] {
      weft::suspend();
      weft::suspend();
      log.emplace_back(Scope::current() ? "still in it" : "lost");
    });
    weft::suspend();  // the coroutine has started: it becomes a zombie
    scope = {};
    settle();
    EXPECT_EQ(log, (Log{"still in it", "empty"}));
  });
}

// R-SCP-8
TEST(Scope, IsFinishedWhileNothingIsActiveHereAndBelow) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    const Ref<Scope> child = Scope::inherit(*scope);
    const Ref<Scope> grandchild = Scope::inherit(*child);
    EXPECT_TRUE(scope->is_finished());
    Doorbell bell;
    grandchild->spawn([&] { weft::await(bell); });
    EXPECT_FALSE(scope->is_finished());
    EXPECT_FALSE(child->is_finished());
    EXPECT_FALSE(scope->is_closed());
    settle();
    EXPECT_FALSE(scope->is_finished());
    bell.ring();
    settle();
    EXPECT_TRUE(scope->is_finished());
    EXPECT_FALSE(scope->is_closed());
    EXPECT_FALSE(scope->is_cancelled());
    scope->spawn([] {});  // an open scope takes new coroutines
    EXPECT_FALSE(scope->is_finished());
  });
}

// R-SCP-6, R-SCP-7, R-SCP-8
TEST(Scope, RefusesToSpawnOnceItIsClosed) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    scope->cancel();
    EXPECT_TRUE(scope->is_closed());
    EXPECT_TRUE(scope->is_cancelled());
    EXPECT_TRUE(scope->is_finished());
    const std::exception_ptr error = error_of([&] { scope->spawn([] { FAIL(); }); });
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_EQ(text(error), "Cannot spawn a coroutine in a closed scope");
    EXPECT_EQ(scope->size(), 0U);
  });
}

// R-SCP-7
TEST(Scope, RefusesToSpawnOnceItIsCancelled) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::inherit();
    int spawned = 0;
    scope->spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { weft::spawn([&] { ++spawned; }); })));
      }
    });
    settle();
    scope->cancel();
    EXPECT_TRUE(scope->is_cancelled());
    EXPECT_FALSE(scope->is_closed() && scope->size() == 0);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([&] { ++spawned; }); })));
    settle();
    EXPECT_EQ(spawned, 0);
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-SCP-7
TEST(Scope, LetsACancelledCoroutineCleanUpInANewChild) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        weft::with_scope([&](Scope& inner) {
          inner.spawn([&] {
            weft::delay(1s);
            log.emplace_back("cleaned");
          });
        });
      }
    });
    settle();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(log, (Log{"cleaned"}));
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-SCP-21, trap 22
TEST(Scope, HeldByAReferenceOutlivesItsParent) {
  weft::testing::run([] {
    Ref<Scope> parent = Scope::create();
    const Ref<Scope> child = Scope::inherit(*parent);
    parent = {};
    settle();
    EXPECT_EQ(child->size(), 0U);
    (void)child->is_finished();
    (void)error_of([&] { child->spawn([] {}); });
    child->cancel();
    EXPECT_TRUE(child->is_cancelled());
  });
}

// R-SCP-21, trap 22
TEST(Scope, HeldByAReferenceOutlivesAParentWithCoroutines) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> parent = Scope::create();
    const Ref<Scope> child = Scope::inherit(*parent);
    parent->spawn(waiting(log, "parent's"));
    child->spawn(waiting(log, "child's"));
    settle();
    parent = {};
    settle();
    EXPECT_EQ(log.size(), 2U);
    EXPECT_TRUE(child->is_cancelled());
    EXPECT_TRUE(child->is_closed());
    EXPECT_EQ(child->size(), 0U);
  });
}

// trap 22
TEST(Scope, IsNotFreedByItsLastCoroutineWhileAHandleHoldsIt) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    for (int round = 0; round < 3; ++round) {
      weft::await(scope->spawn([] { weft::suspend(); }));
      EXPECT_EQ(scope->size(), 0U);
      EXPECT_FALSE(scope->is_closed());
    }
  });
}

// trap 22
TEST(Scope, MayLoseItsLastReferenceInItsOwnCoroutine) {
  Log log;
  weft::testing::run([&] {
    auto holder = std::make_unique<Ref<Scope>>(Scope::create());
    (*holder)->spawn([&] {
      holder.reset();
      log.emplace_back("goes on");
      try {
        weft::suspend();
      } catch (const weft::Cancelled& cancelled) {
        log.emplace_back(cancelled.reason());
      }
    });
    settle();
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
  EXPECT_EQ(log, (Log{"goes on", "Scope is being disposed due to object destruction"}));
}

// trap 22
TEST(Scope, MayLoseItsLastReferenceWithTheBodyOfItsOwnCoroutine) {
  weft::testing::run([] {
    Ref<Scope> scope = Scope::create();
    Scope& self = *scope;
    self.spawn([scope = std::move(scope)] { weft::suspend(); });
    settle();
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// trap 22
TEST(Scope, MayBeHeldLongerThanTheRuntime) {
  Ref<Scope> scope;
  Ref<Scope> child;
  Ref<Scope> cancelled;
  weft::testing::run([&] {
    scope = Scope::inherit();
    child = Scope::inherit(*scope);
    cancelled = Scope::inherit();
    child->spawn([] { weft::delay(1s); });
    cancelled->cancel();
  });
  EXPECT_EQ(scope->size(), 0U);
  EXPECT_TRUE(scope->is_finished());
  EXPECT_TRUE(cancelled->is_cancelled());
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([] {}); })));
  scope->cancel();
  child->dispose();
  scope = {};
  EXPECT_EQ(child->size(), 0U);
}

// trap 22
TEST(Scope, OfAnEndedRuntimeIsOfNoUseInTheNext) {
  Ref<Scope> scope;
  weft::testing::run([&] { scope = Scope::inherit(); });
  weft::testing::run([&] {
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([] {}); })));
    scope->cancel();
    scope = {};
  });
}

TEST(Scope, CannotBeMadeOutsideARuntime) {
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)Scope::create(); })));
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)Scope::inherit(); })));
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)Scope::current(); })) ||
              !error_of([] { EXPECT_FALSE(Scope::current()); }));
}

TEST(Scope, NestsAThousandDeep) {
  weft::testing::run([] {
    std::vector<Ref<Scope>> chain{Scope::create()};
    for (int depth = 0; depth < 1'000; ++depth) chain.push_back(Scope::inherit(*chain.back()));
    int cancelled = 0;
    for (const Ref<Scope>& scope : chain) {
      scope->spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          ++cancelled;
        }
      });
    }
    settle();
    EXPECT_FALSE(chain.front()->is_finished());
    chain.front()->cancel();
    settle();
    EXPECT_EQ(cancelled, 1'001);
    for (const Ref<Scope>& scope : chain) EXPECT_TRUE(scope->is_closed());
  });
}

TEST(Scope, DropsAChainOfAThousandFromTheTop) {
  weft::testing::run([] {
    std::vector<Ref<Scope>> chain{Scope::create()};
    for (int depth = 0; depth < 1'000; ++depth) chain.push_back(Scope::inherit(*chain.back()));
    chain.back()->spawn([] { weft::delay(1h); });
    settle();
    for (Ref<Scope>& scope : chain) scope = {};
    settle();
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// More levels than a stack has room for: weft walks the tree of scopes in loops, without recursion.
// R-SCP-5, R-SCP-18
TEST(Scope, NestsDeeperThanAStack) {
  weft::testing::run([] {
    std::vector<Ref<Scope>> chain{Scope::create()};
    for (int depth = 0; depth < 20'000; ++depth) chain.push_back(Scope::inherit(*chain.back()));
    Log log;
    weft::await(weft::spawn([&] {
      auto deepest = chain.back()->spawn(waiting(log, "deepest"));
      settle();
      chain.front()->cancel();
      chain.front()->await_after_cancellation();
      EXPECT_TRUE(chain.back()->is_closed());
    }));
    EXPECT_EQ(log, (Log{"deepest: Scope was cancelled"}));
  });
}

// R-SCP-18
TEST(Scope, PassesAFailureUpMoreScopesThanAStackHasRoomFor) {
  weft::testing::run([] {
    std::vector<Ref<Scope>> chain{Scope::create()};
    for (int depth = 0; depth < 4'000; ++depth) chain.push_back(Scope::inherit(*chain.back()));
    weft::await(weft::spawn([&] {
      chain.back()->spawn([] { throw std::runtime_error{"from below"}; });
      EXPECT_EQ(text(error_of([&] { chain.front()->await_completion({}); })), "from below");
    }));
  });
}

// trap 27
TEST(Scope, RemovesACoroutineInConstantTime) {
  // Last in, first out: the worst order if removal searched a list.
  constexpr int many = 100'000;
  weft::Options options;
  options.stack_size = 16 * 1024;
  weft::testing::run(
      [] {
        const Ref<Scope> scope = Scope::inherit();
        std::vector<weft::Coroutine<void>> spawned;
        spawned.reserve(many);
        for (int i = 0; i < many; ++i) spawned.push_back(scope->spawn([] {}));
        EXPECT_EQ(scope->size(), std::size_t{many});
        for (auto last = spawned.rbegin(); last != spawned.rend(); ++last) last->cancel();
        settle();
        EXPECT_EQ(scope->size(), 0U);
      },
      options);
}

// trap 31
TEST(Scope, CancelsManyWaitersInLinearTime) {
  constexpr int many = 20'000;
  weft::Options options;
  options.stack_size = 16 * 1024;
  weft::testing::run(
      [] {
        const Ref<Scope> scope = Scope::create();
        Doorbell bell;
        for (int i = 0; i < many; ++i) scope->spawn([&] { weft::await(bell); });
        settle();
        scope->cancel();
        settle();
        EXPECT_EQ(scope->size(), 0U);
        EXPECT_TRUE(scope->is_closed());
      },
      options);
}

}  // namespace scope_test
