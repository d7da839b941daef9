#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support.hpp"

// Which calls of spawn() are valid, and what is wrong with the others. What the compiler says is
// tested in tests/compile_fail.
namespace {

using weft::Place;
using weft::SpawnOptions;
using weft::detail::spawn_mistake;
using weft::detail::SpawnMistake;

using Plain = void (*)();
using TakesInt = void (*)(int);
using TakesReference = void (*)(int&);
using TakesRvalue = void (*)(std::string&&);
struct Immovable {
  std::atomic<int> count = 0;
  void operator()() const {}
};
struct MoveOnly {
  std::unique_ptr<int> owned;
  void operator()() const {}
};
struct Generic {
  template <class T>
  void operator()(T /*value*/) const {}
};
struct Final final {
  void operator()(int /*value*/) const {}
};

TEST(SpawnCall, TakesABodyWithOptionsArgumentsAndAPlace) {
  constexpr auto none = SpawnMistake::none;
  static_assert(spawn_mistake<Plain> == none);
  static_assert(spawn_mistake<Plain&, Place> == none);
  static_assert(spawn_mistake<void (&)()> == none);
  static_assert(spawn_mistake<SpawnOptions, Plain> == none);
  static_assert(spawn_mistake<const SpawnOptions&, Plain, Place&> == none);
  static_assert(spawn_mistake<TakesInt, int&> == none);
  static_assert(spawn_mistake<SpawnOptions&, TakesInt, int, Place> == none);
  static_assert(spawn_mistake<TakesReference, std::reference_wrapper<int>> == none);
  static_assert(spawn_mistake<TakesRvalue, std::string&> == none, "it gets a copy of its own");
  static_assert(spawn_mistake<Generic, int> == none);
  static_assert(spawn_mistake<MoveOnly> == none);
}

TEST(SpawnCall, KnowsWhatIsWrongWithAnother) {
  static_assert(spawn_mistake<int> == SpawnMistake::not_callable);
  static_assert(spawn_mistake<std::string, int> == SpawnMistake::not_callable);
  static_assert(spawn_mistake<SpawnOptions> == SpawnMistake::not_callable);
  static_assert(spawn_mistake<TakesInt> == SpawnMistake::argument_missing);
  static_assert(spawn_mistake<Generic> == SpawnMistake::argument_missing);
  static_assert(spawn_mistake<Final> == SpawnMistake::argument_missing);
  static_assert(spawn_mistake<SpawnOptions, TakesInt> == SpawnMistake::argument_missing);
  static_assert(spawn_mistake<Plain, int> == SpawnMistake::wrong_arguments);
  static_assert(spawn_mistake<TakesInt, std::string> == SpawnMistake::wrong_arguments);
  static_assert(spawn_mistake<TakesReference, int&> == SpawnMistake::wrong_arguments);
  static_assert(spawn_mistake<MoveOnly&> == SpawnMistake::cannot_be_copied);
  static_assert(spawn_mistake<Immovable> == SpawnMistake::cannot_be_moved);
  static_assert(spawn_mistake<Plain, int, int, int, int, int> == SpawnMistake::too_many_arguments);
}

TEST(SpawnCall, GivesTheBodyCopiesOfItsArguments) {
  weft::testing::run([] {
    std::string text = "warp";
    int count = 1;
    auto taken = weft::spawn([](std::string&& own) { return std::move(own) + "!"; }, text);
    auto counted = weft::spawn([](int& number) { ++number; }, std::ref(count));
    EXPECT_EQ(weft::await(taken), "warp!");
    EXPECT_EQ(text, "warp");
    weft::await(counted);
    EXPECT_EQ(count, 2);
  });
}

}  // namespace
