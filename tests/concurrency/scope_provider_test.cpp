#include "weft/scope_provider.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft::AnyCoroutine;
using weft::Ref;
using weft::Scope;
using weft::spawn_with;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

class Given final : public weft::ScopeProvider {
 public:
  explicit Given(Ref<Scope> scope) : scope_{std::move(scope)} {}
  [[nodiscard]] Ref<Scope> scope() override { return scope_; }

 private:
  Ref<Scope> scope_;
};

class Failing final : public weft::ScopeProvider {
  [[nodiscard]] Ref<Scope> scope() override { throw std::runtime_error{"no scope"}; }
};

/// A strategy that logs its calls, and can refuse a spawn.
class Noting final : public weft::SpawnStrategy {
 public:
  explicit Noting(Ref<Scope> scope) : scope_{std::move(scope)} {}
  [[nodiscard]] Ref<Scope> scope() override {
    log.emplace_back("scope");
    return scope_;
  }
  void before_enqueue(Scope* scope) override {
    EXPECT_EQ(scope, scope_.get());
    log.push_back("before " + std::to_string(weft::stats().queued));
    if (refuses) throw std::runtime_error{"refused"};
  }
  void after_enqueue(const AnyCoroutine& coroutine, Scope* scope) override {
    EXPECT_EQ(scope, scope_.get());
    EXPECT_FALSE(coroutine.is_started());
    log.push_back("after " + std::to_string(weft::stats().queued) + " " +
                  std::string{coroutine.name()});
  }
  Log log;
  bool refuses = false;

 private:
  Ref<Scope> scope_;
};

// R-SCP-22
TEST(ScopeProvider, DecidesTheScopeOfASpawn) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    Given given{scope};
    auto in_it = spawn_with(given, [] {
      EXPECT_TRUE(Scope::current());
      return 1;
    });
    EXPECT_EQ(in_it.spawn_place().line, unsigned{__LINE__} - 4U);
    EXPECT_EQ(scope->size(), 1U);
    EXPECT_EQ(weft::await(in_it), 1);
  });
}

// R-SCP-22
TEST(ScopeProvider, WithoutAScopeMeansTheCurrentOne) {
  weft::testing::run([] {
    Given none{{}};
    weft::await(spawn_with(none, [] { EXPECT_FALSE(Scope::current()); }));
    const Ref<Scope> scope = Scope::create();
    weft::await(scope->spawn([&] {
      weft::await(spawn_with(none, [&] { EXPECT_EQ(Scope::current().get(), scope.get()); }));
    }));
  });
}

// R-SCP-22
TEST(ScopeProvider, PassesItsErrorsAndThoseOfTheScopeOn) {
  weft::testing::run([] {
    Failing failing;
    EXPECT_EQ(text(error_of([&] { spawn_with(failing, [] { FAIL(); }); })), "no scope");
    const Ref<Scope> scope = Scope::create();
    scope->cancel();
    Given closed{scope};
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { spawn_with(closed, [] { FAIL(); }); })));
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-SCP-22
TEST(SpawnStrategy, IsCalledBeforeAndAfterTheCoroutineIsEnqueued) {
  weft::testing::run([] {
    Noting noting{Scope::create()};
    bool ran = false;
    weft::await(spawn_with(noting, {.name = "told"}, [&] { ran = true; }));
    EXPECT_TRUE(ran);
    EXPECT_EQ(noting.log, (Log{"scope", "before 0", "after 1 told"}));
  });
}

// R-SCP-22
TEST(SpawnStrategy, MayRefuse) {
  weft::testing::run([] {
    Noting noting{Scope::create()};
    noting.refuses = true;
    EXPECT_EQ(text(error_of([&] { spawn_with(noting, [] { FAIL(); }); })), "refused");
    EXPECT_EQ(noting.log, (Log{"scope", "before 0"}));
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

}  // namespace
