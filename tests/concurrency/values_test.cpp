#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Values that belong to scopes and coroutines.
namespace values_test {

using namespace std::chrono_literals;
using weft::coroutine_values;
using weft::Ref;
using weft::root_values;
using weft::Scope;
using weft::ValueKey;
using weft::Values;
using weft::values;
using weft::ValuesError;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;

const ValueKey<std::string> user;
const ValueKey<std::string> other_user;
const ValueKey<int> number;

// R-CTX-1
TEST(Values, HaveStringsOrObjectsAsKeys) {
  weft::testing::run([] {
    values().set(user, "ann").set(number, 3);
    values().set<std::string>("user", "by string");
    EXPECT_EQ(values().get(user), "ann");
    EXPECT_EQ(values().get(number), 3);
    EXPECT_EQ(values().get<std::string>("user"), "by string");
    EXPECT_EQ(values().get<std::string>(std::string{"us"} + "er"), "by string");
    EXPECT_FALSE(values().has(other_user));  // a key is identified by its address, not by its type
    EXPECT_FALSE(values().has("User"));
    values().set<int>("", 1);
    EXPECT_EQ(*values().find<int>(""), 1);
  });
}

// R-CTX-1
TEST(Values, OfAnotherTypeAreNotFound) {
  weft::testing::run([] {
    values().set<int>("n", 1);
    EXPECT_EQ(values().find<std::string>("n"), nullptr);
    EXPECT_TRUE(is<ValuesError>(error_of([] { (void)values().get<long>("n"); })));
    EXPECT_TRUE(values().has("n"));
    EXPECT_TRUE(is<ValuesError>(error_of([] { values().set<long>("n", 2); })));
    values().replace<long>("n", 2);
    EXPECT_EQ(values().get<long>("n"), 2);
    EXPECT_EQ(values().find<int>("n"), nullptr);
  });
}

// R-CTX-1
TEST(Values, KeepWhatCanOnlyBeMovedAndDestroyItWithTheirScope) {
  const ValueKey<std::shared_ptr<int>> key;
  const ValueKey<std::unique_ptr<int>> moved;
  const auto value = std::make_shared<int>(1);
  weft::testing::run([&] {
    Ref<Scope> scope = Scope::create();
    weft::await(scope->spawn([&] {
      values().set(key, value);
      values().set(moved, std::make_unique<int>(2));
      coroutine_values().set(key, value);
      EXPECT_EQ(*values().get(moved).get(), 2);
      EXPECT_EQ(value.use_count(), 3);
    }));
    EXPECT_EQ(value.use_count(), 2);  // the copy of the coroutine was destroyed with it
    scope = {};
    EXPECT_EQ(value.use_count(), 1);
    root_values().set(key, value);
  });
  EXPECT_EQ(value.use_count(), 1);
}

// R-CTX-2
TEST(Values, OfACoroutineAreItsOwn) {
  weft::testing::run([] {
    coroutine_values().set(user, "private");
    EXPECT_EQ(coroutine_values().get(user), "private");
    EXPECT_FALSE(values().has(user));
    weft::await(weft::spawn([] {
      EXPECT_FALSE(coroutine_values().has(user));
      EXPECT_FALSE(values().has(user));
      coroutine_values().set(user, "another");
    }));
    EXPECT_EQ(coroutine_values().get(user), "private");
    weft::suspend();
    EXPECT_EQ(coroutine_values().get(user), "private");
  });
}

// R-CTX-2
TEST(Values, OfAScopeAreSeenByAllItsCoroutines) {
  weft::testing::run([] {
    const Ref<Scope> scope = Scope::create();
    weft::await(scope->spawn([] { values().set(user, "ann"); }));
    weft::await(scope->spawn([] {
      EXPECT_EQ(values().get(user), "ann");
      weft::await(weft::spawn([] { EXPECT_EQ(values().get(user), "ann"); }));
    }));
    EXPECT_FALSE(values().has(user));
  });
}

// R-CTX-3
TEST(Values, AreLookedForUpward) {
  weft::testing::run([] {
    values().set(user, "root");
    const Ref<Scope> parent = Scope::inherit();
    const Ref<Scope> empty = Scope::inherit(*parent);  // a scope without values is skipped
    const Ref<Scope> child = Scope::inherit(*empty);
    weft::await(parent->spawn([] { values().set(number, 5); }));
    weft::await(child->spawn([] {
      EXPECT_EQ(values().get(user), "root");
      EXPECT_EQ(values().get(number), 5);
      EXPECT_TRUE(values().has(number));
      EXPECT_FALSE(values().has_local(number));
      EXPECT_EQ(values().find_local(number), nullptr);
      values().set(number, 6);  // the value of the outer scope does not prevent it
      EXPECT_EQ(values().get(number), 6);
      EXPECT_TRUE(values().has_local(number));
      EXPECT_EQ(root_values().get(user), "root");
      EXPECT_FALSE(root_values().has(number));
    }));
    weft::await(parent->spawn([] { EXPECT_EQ(values().get(number), 5); }));
    EXPECT_FALSE(values().has(number));  // values of inner scopes are not found
  });
}

// R-CTX-3
TEST(Values, AreNotLookedForAboveAScopeWithoutParent) {
  weft::testing::run([] {
    values().set(user, "root");
    const Ref<Scope> alone = Scope::create();
    const Ref<Scope> child = Scope::inherit(*alone);
    weft::await(child->spawn([] {
      EXPECT_EQ(values().find(user), nullptr);
      EXPECT_EQ(root_values().get(user), "root");
    }));
  });
}

// R-CTX-3
TEST(Values, ByStringAreLookedForUpwardToo) {
  weft::testing::run([] {
    values().set<int>("n", 1);
    const Ref<Scope> child = Scope::inherit();
    weft::await(child->spawn([] {
      EXPECT_EQ(values().get<int>("n"), 1);
      EXPECT_TRUE(values().has("n"));
      EXPECT_FALSE(values().has_local("n"));
      EXPECT_EQ(values().find_local<int>("n"), nullptr);
    }));
  });
}

// R-CTX-4
TEST(Values, MissingAreNotFoundOrThrow) {
  weft::testing::run([] {
    EXPECT_EQ(values().find(user), nullptr);
    EXPECT_EQ(values().find<int>("nothing"), nullptr);
    EXPECT_TRUE(is<ValuesError>(error_of([] { (void)values().get(user); })));
    EXPECT_TRUE(is<ValuesError>(error_of([] { (void)values().get<int>("nothing"); })));
    EXPECT_TRUE(is<ValuesError>(error_of([] { (void)coroutine_values().get(user); })));
  });
}

// R-CTX-4
TEST(Values, AreSetOnceUnlessReplaced) {
  weft::testing::run([] {
    Values& here = values();
    EXPECT_EQ(&here.set(user, "ann"), &here);
    EXPECT_TRUE(is<ValuesError>(error_of([&] { here.set(user, "bob"); })));
    EXPECT_EQ(here.get(user), "ann");
    EXPECT_EQ(&here.replace(user, "bob"), &here);
    EXPECT_EQ(here.get(user), "bob");
    here.replace(number, 1);  // also sets a value that did not exist
    EXPECT_EQ(here.get(number), 1);
    EXPECT_EQ(&here.unset(user), &here);
    EXPECT_FALSE(here.has(user));
    here.unset(user);
    here.set(user, "again");
    EXPECT_EQ(values().get(user), "again");
    here.set<int>("n", 1).unset("n");
    EXPECT_FALSE(here.has("n"));
    EXPECT_EQ(here.get(number), 1);
  });
}

// R-CTX-4
TEST(Values, UnsetHereUncoverTheOneAbove) {
  weft::testing::run([] {
    values().set(number, 1);
    const Ref<Scope> child = Scope::inherit();
    weft::await(child->spawn([] {
      values().set(number, 2);
      values().unset(number);
      EXPECT_EQ(values().get(number), 1);
      values().unset(number);
      EXPECT_EQ(values().get(number), 1);
    }));
  });
}

// R-CTX-4
TEST(Values, StayWhereTheyAreWhileOthersAreAdded) {
  weft::testing::run([] {
    values().set(user, "stays");
    const std::string* const found = values().find(user);
    for (int i = 0; i < 1'000; ++i) values().set<int>(std::to_string(i), i);
    EXPECT_EQ(values().find(user), found);
    EXPECT_EQ(*found, "stays");
    EXPECT_EQ(values().get<int>("999"), 999);
  });
}

// R-CTX-5
TEST(Values, AtTopLevelAreThoseOfTheRoot) {
  weft::testing::run([] {
    EXPECT_EQ(&values(), &root_values());
    weft::await(weft::spawn([] { EXPECT_EQ(&values(), &root_values()); }));
    const Ref<Scope> scope = Scope::inherit();
    weft::await(scope->spawn([] { EXPECT_NE(&values(), &root_values()); }));
  });
}

TEST(Values, CannotBeHadOutsideARuntime) {
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)values(); })));
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)coroutine_values(); })));
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { (void)root_values(); })));
}

/// Reads the values in its destructor.
struct Curious {
  explicit Curious(bool& to) : saw{to} {}
  Curious(const Curious&) = delete;
  Curious& operator=(const Curious&) = delete;
  ~Curious() { saw = !values().has(number); }
  bool& saw;
};

// R-CTX-4
TEST(Values, MayBeLookedAtFromADestructorOfAValue) {
  weft::testing::run([] {
    bool saw = false;
    const ValueKey<std::shared_ptr<Curious>> key;
    values().set(key, std::make_shared<Curious>(saw));
    values().unset(key);
    EXPECT_TRUE(saw);
    saw = false;
    values().set(key, std::make_shared<Curious>(saw));
    values().replace(key, std::make_shared<Curious>(saw));
    EXPECT_TRUE(saw);
    values().unset(key);
  });
}

/// Sets values in its destructor.
struct Busy {
  Busy() = default;
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    for (int i = 0; i < 100; ++i) values().replace<int>(std::to_string(i), i);
  }
};

// R-CTX-4
TEST(Values, MayBeAddedFromADestructorOfAValue) {
  weft::testing::run([] {
    const ValueKey<std::shared_ptr<Busy>> key;
    values().set(key, std::make_shared<Busy>());
    values().set(user, "after it");
    values().replace(key, nullptr);
    EXPECT_EQ(values().get<int>("99"), 99);
    EXPECT_EQ(values().get(user), "after it");
    values().replace(key, std::make_shared<Busy>());
    for (int i = 0; i < 100; ++i) values().unset(std::to_string(i));
    values().unset(key);
    EXPECT_EQ(values().get<int>("99"), 99);
    EXPECT_EQ(values().get(user), "after it");
  });
}

}  // namespace values_test
