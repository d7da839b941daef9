#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "failures.hpp"
#include "support.hpp"

// Combinators on members that are given as separate arguments.
namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::expect_all_schedules;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

// R-AWT-1
TEST(CombinatorPack, AwaitAllTakesAnyNumber) {
  weft::testing::run([] {
    const auto handle = weft::spawn([] { return std::string{"six"}; });
    const auto values =
        weft::await_all([] { return 1; }, [] { return 2.5; }, [] {}, [] { return 'd'; },
                        [] { return std::make_unique<int>(5); }, handle, [] { return 7L; });
    static_assert(std::tuple_size_v<decltype(values)> == 7);
    EXPECT_EQ(std::get<0>(values), 1);
    EXPECT_EQ(std::get<1>(values), 2.5);
    static_assert(std::is_same_v<const std::monostate, std::tuple_element_t<2, decltype(values)>>);
    EXPECT_EQ(*std::get<4>(values), 5);
    EXPECT_EQ(std::get<5>(values), "six");
    EXPECT_EQ(std::get<6>(values), 7);
  });
}

TEST(CombinatorPack, AwaitAllOfManyThrowsTheFirstErrorAndTakesAToken) {
  weft::testing::run([] {
    const auto slow = [] { weft::delay(1h); };
    const auto error = error_of([&] {
      weft::await_all(slow, slow, slow, slow, slow, [] { throw std::runtime_error{"last"}; });
    });
    EXPECT_EQ(text(error), "last");
    const auto late =
        error_of([&] { weft::await_all(slow, slow, slow, slow, slow, slow, weft::timeout(10ms)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(late)) << text(late);
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

TEST(CombinatorPack, AwaitSettledGivesATupleOfOutcomes) {
  weft::testing::run([] {
    const auto [a, b, c] = weft::await_settled(
        [] { return 1; }, []() -> std::string { throw std::runtime_error{"b"}; },
        weft::spawn([] { weft::delay(1ms); }));
    EXPECT_EQ(a.value(), 1);
    EXPECT_EQ(text(b.error()), "b");
    EXPECT_TRUE(c.is_success());
  });
}

TEST(CombinatorPack, AwaitAnyGivesTheFirstThatEndedAndEndsTheOtherFunctions) {
  weft::testing::run([] {
    Log log;
    const auto slow = [&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        weft::protect([] { weft::delay(5ms); });
        log.push_back("cleaned up");
        throw;
      }
      return 2;
    };
    const auto handle = weft::spawn([] {
      weft::delay(1s);
      return 3;
    });
    EXPECT_EQ(weft::await_any(
                  slow, [] { return 1L; }, handle),
              1L);
    EXPECT_EQ(log, Log{"cleaned up"});
    EXPECT_FALSE(handle.is_completed());  // the coroutine of a handle runs on
    EXPECT_EQ(weft::await(handle), 3);
    EXPECT_EQ(text(error_of([&] {
                weft::await_any([] { weft::delay(1h); }, [] { throw std::runtime_error{"x"}; });
              })),
              "x");
  });
}

TEST(CombinatorPack, AwaitFirstSuccessPassesOverErrors) {
  weft::testing::run([] {
    const auto fails = []() -> int { throw std::runtime_error{"fails"}; };
    const auto slow = [] {
      weft::delay(10ms);
      return 4;
    };
    EXPECT_EQ(weft::await_first_success(fails, slow, fails), 4);
    const auto first = weft::await_first_success_with_errors(fails, slow);
    EXPECT_EQ(first.value, 4);
    ASSERT_EQ(first.errors.size(), 1U);
    EXPECT_EQ(first.errors[0].first, 0U);
    EXPECT_TRUE(
        is<weft::CompositeError>(error_of([&] { weft::await_first_success(fails, fails); })));
    weft::await_first_success([] {}, [] { weft::delay(1h); });  // only void members: returns void
  });
}

TEST(CombinatorPack, ATokenEndsTheWaitAndTheFunctions) {
  weft::testing::run([] {
    const auto slow = [] { weft::delay(1h); };
    const weft::TimePoint begin = weft::now();
    for (const auto& error :
         {error_of([&] { weft::await_settled(slow, slow, weft::timeout(10ms)); }),
          error_of([&] { weft::await_any(slow, slow, weft::timeout(10ms)); }),
          error_of([&] { weft::await_first_success(slow, slow, weft::timeout(10ms)); })}) {
      EXPECT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    }
    EXPECT_LT(weft::now() - begin, 1s);
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-EXC-9: their errors belong to the call, also if it ends without having looked at them.
TEST(CombinatorPack, AFunctionThatFailedBeforeTheWaitEndedEarlyIsThePreviousOfThat) {
  weft::testing::run([] {
    const auto fails = [] { throw std::runtime_error{"no such host"}; };
    const auto slow = [] { weft::delay(1h); };
    for (const auto& error :
         {error_of([&] { weft::await_settled(fails, slow, weft::timeout(10ms)); }),
          error_of([&] { weft::await_first_success(fails, slow, weft::timeout(10ms)); })}) {
      ASSERT_TRUE(is<weft::TimedOut>(error)) << text(error);
      const auto token = weft::previous(error);
      EXPECT_EQ(text(weft::previous(token)), "no such host") << text(token);
    }
    auto caller = weft::spawn([&] { weft::await_settled(fails, slow); });
    weft::testing::settle();
    caller.cancel();
    const auto error = error_of([&] { weft::await(caller); });
    ASSERT_TRUE(is<weft::Cancelled>(error));
    EXPECT_EQ(text(weft::previous(error)), "no such host");
  });
}

TEST(CombinatorPack, AHandleThatFailedBeforeTheWaitEndedEarlyCanStillBeAwaited) {
  const auto error = error_of([] {
    weft::testing::run([] {
      auto failed = weft::spawn([] { throw std::runtime_error{"no such host"}; });
      EXPECT_TRUE(is<weft::TimedOut>(error_of([&] {
        weft::await_settled(
            failed, [] { weft::delay(1h); }, weft::timeout(10ms));
      })));
    });
  });
  EXPECT_EQ(text(error), "no such host") << "and is not lost if it is not";
}

// The clean-up of a cancelled scope may use combinators, too.
TEST(CombinatorPack, WorkInACancelledScope) {
  weft::testing::run([] {
    const weft::Ref<weft::Scope> scope = weft::Scope::create();
    int value = 0;
    scope->spawn([&] {
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        value = weft::await_any([] { return 1; }, [] { return 1; });
        throw;
      }
    });
    weft::suspend();
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(value, 1);
  });
}

TEST(CombinatorPackExplore, AFunctionMayFailWhileTheCallerIsCancelled) {
  expect_all_schedules([] {
    const auto caller = weft::spawn([] {
      const auto fails = []() -> int {
        weft::suspend();
        throw std::runtime_error{"bad"};
      };
      try {
        (void)weft::await_any(fails, fails);
      } catch (const std::runtime_error&) {
      }
    });
    weft::await(caller);
  });
}

// trap 5: functions refer to the caller's frame and must end before it.
TEST(CombinatorPackExplore, FunctionsEndWithTheCall) {
  expect_all_schedules([] {
    weft::spawn([] {
      int frame = 0;
      (void)weft::await_any(
          [&] {
            weft::suspend();
            return ++frame;
          },
          [&] {
            weft::suspend();
            weft::suspend();
            return ++frame;
          });
      frame = -1;
    });
  });
}

}  // namespace
