#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "waiting.hpp"

// What runs when a scope, or a coroutine in it, has ended.
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

// R-COR-9
TEST(ScopeFinally, OfACoroutineRunsInAChildOfItsScope) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    auto one = scope->spawn(waiting(log, "body"));
    one.on_finally([&] {
      log.emplace_back("first");
      EXPECT_TRUE(Scope::current());
      EXPECT_NE(Scope::current().get(), scope.get());
      weft::await(weft::spawn([&] { log.emplace_back("spawned"); }));
      weft::delay(1s);  // the cancelled scope waits for this handler
    });
    one.on_finally([&] { log.emplace_back("second"); });
    settle();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(log, (Log{"body: Scope was cancelled", "first", "spawned", "second"}));
    EXPECT_TRUE(scope->is_closed());
  });
}

// R-COR-9, R-EXC-8
TEST(ScopeFinally, FailureOfACoroutinesHandlersGoesToItsScope) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->set_exception_handler([&](Scope&, const AnyCoroutine&, const std::exception_ptr& error) {
      log.push_back(is<weft::CompositeError>(error) ? "composite" : text(error));
    });
    auto one = scope->spawn([] { return 1; });
    one.on_finally([] { throw std::runtime_error{"alone"}; });
    EXPECT_EQ(weft::await(one), 1);
    settle();
    auto two = scope->spawn([] { return 2; });
    two.on_finally([] { throw std::runtime_error{"a"}; });
    two.on_finally([] { throw std::runtime_error{"b"}; });
    EXPECT_EQ(weft::await(two), 2);
    settle();
  });
  EXPECT_EQ(log, (Log{"alone", "composite"}));
}

// R-SCP-17
TEST(ScopeFinally, RunsOnceAfterTheScopeIsCompletedAndDisposed) {
  Log log;
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::create();
    Scope* const address = scope.get();
    scope->on_finally([&](Scope& ended) {
      EXPECT_EQ(&ended, address);
      EXPECT_TRUE(ended.is_closed());
      EXPECT_EQ(ended.size(), 0U);
      EXPECT_EQ(weft::current().base().priority(), weft::Priority::high);
      weft::delay(1ms);
      log.emplace_back("first");
    });
    scope->on_finally([&](Scope&) { log.emplace_back("second"); });
    scope->spawn([] { weft::delay(1s); });
    weft::delay(2s);
    EXPECT_TRUE(log.empty());  // completed, not disposed
    scope->dispose();
    EXPECT_TRUE(log.empty());
    weft::delay(1s);
    EXPECT_EQ(log, (Log{"first", "second"}));
    scope->on_finally([&](Scope&) { log.emplace_back("at once"); });
    EXPECT_EQ(log, (Log{"first", "second", "at once"}));
    scope = {};
    weft::delay(1s);
    EXPECT_EQ(log.size(), 3U);
  });
}

// R-SCP-17
TEST(ScopeFinally, WaitsForZombies) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::inherit();
    scope->on_finally([&](Scope&) { log.emplace_back("finally"); });
    scope->spawn([&] {
      weft::delay(1s);
      log.emplace_back("zombie");
    });
    settle();
    scope->dispose();
    weft::delay(2s);
    EXPECT_EQ(log.back(), "finally");
  });
}

// R-SCP-17, R-EXC-8
TEST(ScopeFinally, FailuresGoToTheScopeChain) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> parent = Scope::create();
    parent->set_child_exception_handler(
        [&](Scope&, const AnyCoroutine&, const std::exception_ptr& error) {
          std::string all;
          if (is<weft::CompositeError>(error)) {
            try {
              std::rethrow_exception(error);
            } catch (const weft::CompositeError& composite) {
              for (const std::exception_ptr& each : composite.errors()) all += text(each) + ";";
            }
          }
          log.push_back("parent: " + (all.empty() ? text(error) : all));
        });
    const Ref<Scope> one = Scope::inherit(*parent);
    one->on_finally([](Scope&) { throw std::runtime_error{"alone"}; });
    one->cancel();
    settle();
    EXPECT_EQ(log, (Log{"parent: alone"}));
    const Ref<Scope> two = Scope::inherit(*parent);
    two->on_finally([](Scope&) { throw std::runtime_error{"a"}; });
    two->on_finally([&](Scope&) { log.emplace_back("fine"); });
    two->on_finally([](Scope&) { throw std::runtime_error{"b"}; });
    two->cancel();
    settle();
    EXPECT_EQ(log, (Log{"parent: alone", "fine", "parent: a;b;"}));
  });
}

// R-SCP-17, R-EXC-8
TEST(ScopeFinally, UnhandledFailureEndsTheProgram) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          const Ref<Scope> scope = Scope::create();
          scope->on_finally([](Scope&) { throw std::runtime_error{"last"}; });
          scope->cancel();
        },
        quiet());
  });
  EXPECT_EQ(text(error), "last");
}

// R-SCP-17
TEST(ScopeFinally, MaySpawnWhereItRuns) {
  Log log;
  weft::testing::run([&] {
    const Ref<Scope> scope = Scope::create();
    scope->on_finally([&](Scope&) {
      weft::await(weft::spawn([&] { log.emplace_back("spawned"); }));
      weft::with_scope([&](Scope& inner) { inner.spawn([&] { log.emplace_back("inner"); }); });
    });
    scope->cancel();
    settle();
  });
  EXPECT_EQ(log, (Log{"spawned", "inner"}));
}

}  // namespace
