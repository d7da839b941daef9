#include "weft/extend/host_scope.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using ::testing::ElementsAre;

std::vector<weft::Scope*> children_of(weft::Scope& scope) {
  std::vector<weft::Scope*> found;
  weft::for_each_child(scope, [&](weft::Scope& child) { found.push_back(&child); });
  return found;
}

TEST(ScopeTree, IsWalkedFromAScopeToItsChildren) {
  weft::testing::run([] {
    const auto root = weft::Scope::create();
    const auto first = weft::Scope::inherit(*root);
    auto second = weft::Scope::inherit(*root);
    const auto grandchild = weft::Scope::inherit(*first);
    EXPECT_THAT(children_of(*root), ElementsAre(first.get(), second.get()));
    EXPECT_THAT(children_of(*first), ElementsAre(grandchild.get()));
    EXPECT_THAT(children_of(*grandchild), ElementsAre());
    second = nullptr;
    EXPECT_THAT(children_of(*root), ElementsAre(first.get()));
  });
}

TEST(ScopeTree, MayChangeWhileItIsWalked) {
  weft::testing::run([] {
    const auto root = weft::Scope::create();
    std::vector<weft::Ref<weft::Scope>> children;
    for (int i = 0; i < 3; ++i) children.push_back(weft::Scope::inherit(*root));
    int visited = 0;
    weft::for_each_child(*root, [&](weft::Scope&) {
      children.clear();
      ++visited;
    });
    EXPECT_EQ(visited, 3);
    EXPECT_THAT(children_of(*root), ElementsAre());
  });
}

TEST(ScopeTree, NamesTheMembersThatHaveNotEnded) {
  weft::testing::run([] {
    const auto scope = weft::Scope::create();
    const auto child = weft::Scope::inherit(*scope);
    for (const char* name : {"first", "second", "third"}) {
      scope->spawn({.name = name}, [] { weft::delay(std::chrono::hours{1}); });
    }
    child->spawn({.name = "of the child"}, [] { weft::delay(std::chrono::hours{1}); });
    scope->spawn({.name = "ended"}, [] {});
    weft::suspend();
    std::vector<std::string> names;
    weft::for_each_member(*scope, [&](weft::CoroutineBase& member) {
      names.emplace_back(member.name());
      scope->cancel();
    });
    EXPECT_THAT(names, ElementsAre("first", "second", "third"));
  });
}

}  // namespace
