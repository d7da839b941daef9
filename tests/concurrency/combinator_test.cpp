#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// await_all and its relatives on containers, handles and functions.
namespace {

using weft::Coroutine;
using weft::Future;
using weft::Promise;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;
using namespace std::chrono_literals;

Coroutine<int> after(weft::Duration duration, int value) {
  return weft::spawn([=] {
    weft::delay(duration);
    return value;
  });
}

Coroutine<int> failing_after(weft::Duration duration, const char* what) {
  return weft::spawn([=]() -> int {
    weft::delay(duration);
    throw std::runtime_error{what};
  });
}

using Ints = std::vector<int>;
using Coroutines = std::vector<Coroutine<int>>;

// R-AWT-4
TEST(CombinatorTest, AllGivesValuesInTheOrderOfTheRange) {
  weft::testing::run([] {
    EXPECT_EQ(weft::await_all(Coroutines{after(3ms, 1), after(1ms, 2), after(2ms, 3)}),
              (Ints{1, 2, 3}));
    std::list<Coroutine<int>> list{after(2ms, 1), after(1ms, 2)};
    EXPECT_EQ(weft::await_all_or_fail(list), (Ints{1, 2}));
    const std::array<Future<int>, 2> futures{Future<int>::completed(5), Future<int>::completed(6)};
    EXPECT_EQ(weft::await_all(futures), (Ints{5, 6}));
  });
}

// R-AWT-4, R-AWT-9
TEST(CombinatorTest, AllThrowsTheFirstErrorAndLeavesTheRestRunning) {
  weft::testing::run([] {
    const auto start = weft::now();
    Coroutines members{after(5ms, 1), failing_after(3ms, "second"), failing_after(2ms, "first"),
                       failing_after(9ms, "last")};
    EXPECT_EQ(text(error_of([&] { weft::await_all(members); })), "first");
    EXPECT_LT(weft::now() - start, 3ms);
    EXPECT_FALSE(members[0].is_completed());
    EXPECT_FALSE(members[0].is_cancellation_requested());
    EXPECT_EQ(weft::await(members[0]), 1);
  });
}

// R-AWT-4
TEST(CombinatorTest, SettledGivesValuesAndErrors) {
  weft::testing::run([] {
    const auto all =
        weft::await_settled(Coroutines{after(2ms, 1), failing_after(3ms, "bad"), after(1ms, 3)});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_TRUE(all[0].is_success());
    EXPECT_EQ(all[0].value(), 1);
    EXPECT_FALSE(all[1]);
    EXPECT_EQ(text(all[1].error()), "bad");
    EXPECT_EQ(text(error_of([&] { (void)all[1].value(); })), "bad");
    EXPECT_EQ(all[2].value(), 3);
  });
}

// R-AWT-4
TEST(CombinatorTest, AllTakesHandlesOfSeveralTypes) {
  weft::testing::run([] {
    Promise<std::string> promise;
    auto number = after(1ms, 4);
    auto nothing = weft::spawn([] {});
    weft::post_microtask([&] { promise.complete("text"); });
    auto [a, b, c] = weft::await_all(number, promise.future(), nothing);
    static_assert(std::is_same_v<decltype(c), std::monostate>);
    EXPECT_EQ(a, 4);
    EXPECT_EQ(b, "text");
    EXPECT_EQ(text(error_of([&] { weft::await_all(number, failing_after(1ms, "bad")); })), "bad");
  });
}

// R-AWT-4
TEST(CombinatorTest, AllRunsFunctionsConcurrently) {
  weft::testing::run([] {
    const auto start = weft::now();
    int variable = 0;
    auto [a, b, c, d] = weft::await_all(
        [] {
          weft::delay(5ms);
          return 1;
        },
        [] {
          weft::delay(5ms);
          return std::make_unique<int>(2);
        },
        [&]() -> int& { return variable; }, [] { weft::delay(4ms); });
    EXPECT_LT(weft::now() - start, 6ms);
    EXPECT_EQ(a, 1);
    EXPECT_EQ(*b, 2);
    EXPECT_EQ(&c.get(), &variable);
    EXPECT_EQ(d, std::monostate{});
  });
}

// R-AWT-3
TEST(CombinatorTest, AnyIsTheFirstThatSettles) {
  weft::testing::run([] {
    EXPECT_EQ(weft::await_any(Coroutines{after(3ms, 1), after(1ms, 2), failing_after(2ms, "x")}),
              2);
    EXPECT_EQ(text(error_of([] {
                weft::await_any(Coroutines{after(3ms, 1), failing_after(1ms, "fast")});
              })),
              "fast");
  });
}

// R-AWT-3
TEST(CombinatorTest, FirstSuccessPassesOverErrors) {
  weft::testing::run([] {
    const auto members = [] {
      return Coroutines{failing_after(2ms, "b"), after(3ms, 7), failing_after(1ms, "a"),
                        failing_after(4ms, "late")};
    };
    EXPECT_EQ(weft::await_first_success(members()), 7);
    const auto first = weft::await_first_success_with_errors(members());
    EXPECT_EQ(first.value, 7);
    ASSERT_EQ(first.errors.size(), 2U);
    EXPECT_EQ(first.errors[0].first, 2U);
    EXPECT_EQ(text(first.errors[0].second), "a");
    EXPECT_EQ(first.errors[1].first, 0U);
    EXPECT_EQ(text(first.errors[1].second), "b");
  });
}

// R-AWT-3
TEST(CombinatorTest, FirstSuccessThrowsAllErrorsIfThereIsNone) {
  weft::testing::run([] {
    const auto members = [] {
      return Coroutines{failing_after(2ms, "b"), failing_after(1ms, "a")};
    };
    const auto first = weft::await_first_success_with_errors(members());
    EXPECT_FALSE(first.value.has_value());
    EXPECT_EQ(first.errors.size(), 2U);
    try {
      weft::await_first_success(members());
      ADD_FAILURE() << "none succeeded";
    } catch (const weft::CompositeError& all) {
      ASSERT_EQ(all.errors().size(), 2U);
      EXPECT_EQ(text(all.errors()[0]), "a");
      EXPECT_EQ(text(all.errors()[1]), "b");
    }
  });
}

// R-AWT-5, R-AWT-4
TEST(CombinatorTest, AnyOfGivesTheFirstOnes) {
  weft::testing::run([] {
    const auto members = [] { return Coroutines{after(3ms, 1), after(2ms, 2), after(1ms, 3)}; };
    EXPECT_EQ(weft::await_any_of(2, members()), (Ints{2, 3}));
    EXPECT_EQ(weft::await_any_of(2, members(), {}, weft::Order::completion), (Ints{3, 2}));
    EXPECT_EQ(weft::await_any_of(9, members()), (Ints{1, 2, 3}));
    EXPECT_EQ(weft::await_any_of(0, members()), Ints{});
    EXPECT_EQ(text(error_of([] {
                weft::await_any_of(
                    2, Coroutines{after(1ms, 1), failing_after(2ms, "bad"), after(3ms, 1)});
              })),
              "bad");
  });
}

// R-AWT-5, R-AWT-4
TEST(CombinatorTest, AnyOfSettledPassesOverErrorsAndLeavesHoles) {
  weft::testing::run([] {
    const auto some = weft::await_any_of_settled(
        2, Coroutines{after(4ms, 1), failing_after(1ms, "bad"), after(2ms, 3), after(3ms, 4)});
    ASSERT_EQ(some.size(), 4U);
    EXPECT_FALSE(some[0].has_value());
    EXPECT_EQ(text(some[1]->error()), "bad");
    EXPECT_EQ(some[2]->value(), 3);
    EXPECT_EQ(some[3]->value(), 4);
  });
}

// R-AWT-6
TEST(CombinatorTest, EmptyInputReturnsAtOnce) {
  weft::testing::run([] {
    weft_test::Doorbell fired;
    fired.ring_and_close();
    const auto switches = weft::stats().switches;
    EXPECT_EQ(weft::await_all(Coroutines{}), Ints{});
    EXPECT_EQ(weft::await_all(Coroutines{}, fired), Ints{});
    EXPECT_TRUE(weft::await_settled(Coroutines{}).empty());
    EXPECT_EQ(weft::await_any_of(3, Coroutines{}), Ints{});
    EXPECT_TRUE(weft::await_any_of_settled(3, Coroutines{}).empty());
    EXPECT_FALSE(weft::await_first_success_with_errors(Coroutines{}).value.has_value());
    EXPECT_TRUE(
        is<weft::CompositeError>(error_of([] { weft::await_first_success(Coroutines{}); })));
    EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::await_any(Coroutines{}); })));
    EXPECT_EQ(weft::stats().switches, switches);
  });
}

// R-AWT-6, trap 9
TEST(CombinatorTest, DuplicatesGiveAValueEach) {
  weft::testing::run([] {
    auto one = after(1ms, 1);
    auto two = after(2ms, 2);
    EXPECT_EQ(weft::await_all(Coroutines{one, two, one, two}), (Ints{1, 2, 1, 2}));
    auto slow = after(1ms, 3);
    auto slower = after(2ms, 4);
    EXPECT_EQ(weft::await_any_of(2, Coroutines{slow, slower, slow}), (Ints{3, 3}));
    EXPECT_EQ(weft::await(slower), 4);
  });
}

// The cost of a wait does not grow with the number of members: quadratic cost would take hours.
// trap 9, trap 31
TEST(CombinatorTest, CostsTheSameForEachMember) {
  weft::testing::run([] {
    Promise<int> promise;
    const std::vector<Future<int>> many(1'000'000, promise.future());
    weft::post_microtask([&] { promise.complete(1); });
    EXPECT_EQ(weft::await_all(many).size(), many.size());
    Promise<int> pending;
    const std::vector<Future<int>> waiting(1'000'000, pending.future());
    EXPECT_TRUE(is<weft::OperationCancelled>(
        error_of([&] { weft::await_any(waiting, weft::timeout(1ms)); })));
    pending.complete(1);
  });
}

// R-AWT-8, trap 9
TEST(CombinatorTest, MembersThatHaveEndedCountAtEveryPosition) {
  weft::testing::run([] {
    auto done = after(0ms, 1);
    auto failed = failing_after(0ms, "bad");
    weft::await(done);
    error_of([&] { weft::await(failed); });
    for (std::size_t position = 0; position < 3; ++position) {
      Coroutines members{after(1ms, 5), after(2ms, 6)};
      members.insert(members.begin() + static_cast<std::ptrdiff_t>(position), done);
      const auto switches = weft::stats().switches;
      EXPECT_EQ(weft::await_any(members), 1);
      EXPECT_EQ(weft::await_first_success(members), 1);
      EXPECT_EQ(weft::await_any_of(1, members), Ints{1});
      EXPECT_EQ(weft::stats().switches, switches);
      EXPECT_EQ(weft::await_all(members).size(), 3U);
      EXPECT_EQ(weft::await_settled(members).size(), 3U);
      members.insert(members.begin() + static_cast<std::ptrdiff_t>(position), failed);
      EXPECT_EQ(text(error_of([&] { weft::await_all(members); })), "bad");
      EXPECT_EQ(weft::await_first_success(members) != 0, true);
    }
    EXPECT_EQ(weft::await_all(Coroutines{done, done}), (Ints{1, 1}));
    auto [a, b] = weft::await_all(done, done);
    EXPECT_EQ(a + b, 2);
  });
}

// R-AWT-9
TEST(CombinatorTest, LosersOfARaceRunOnAndTheirErrorsAreNotReported) {
  int ran = 0;
  weft::testing::run([&] {
    std::vector<Coroutine<int>> members{after(1ms, 1)};
    members.push_back(weft::spawn([&]() -> int {
      weft::delay(2ms);
      ++ran;
      throw std::runtime_error{"too late"};
    }));
    EXPECT_EQ(weft::await_any(members), 1);
    members.clear();
    EXPECT_EQ(ran, 0);
  });
  EXPECT_EQ(ran, 1);
}

// A wait that ends early has not read the errors of its members: other code must.
// trap 8
TEST(CombinatorTest, AWaitThatEndsEarlyHasNotSeenTheErrors) {
  const auto error = error_of([] {
    weft::testing::run([] {
      Coroutines members{failing_after(1ms, "unseen"), after(1h, 1)};
      EXPECT_TRUE(is<weft::OperationCancelled>(
          error_of([&] { weft::await_settled(members, weft::timeout(2ms)); })));
    });
  });
  EXPECT_EQ(text(error), "unseen");
}

// R-AWT-10
TEST(CombinatorTest, ATokenThatHasFiredThrows) {
  weft::testing::run([] {
    auto token = Future<void>::failed(std::make_exception_ptr(std::runtime_error{"stop"}));
    Coroutines members{after(0ms, 1)};
    weft::await(members[0]);
    const auto expect = [](const std::exception_ptr& error) {
      EXPECT_TRUE(is<weft::OperationCancelled>(error));
      EXPECT_EQ(text(weft::previous(error)), "stop");
    };
    expect(error_of([&] { weft::await_all(members, token); }));
    expect(error_of([&] { weft::await_settled(members, token); }));
    expect(error_of([&] { weft::await_any(members, token); }));
    expect(error_of([&] { weft::await_any_of(1, members, token); }));
    expect(error_of([&] { weft::await_any_of_settled(1, members, token); }));
    expect(error_of([&] { weft::await_first_success(members, token); }));
    expect(error_of([&] { weft::await_first_success_with_errors(members, token); }));
    expect(error_of([&] { weft::await_all(members[0], members[0], weft::Token{token}); }));
  });
}

// R-AWT-2, R-AWT-10
TEST(CombinatorTest, ATokenThatFiresEndsTheWait) {
  weft::testing::run([] {
    Coroutines members{after(5ms, 1), after(6ms, 2)};
    const auto expect = [](const std::exception_ptr& error) {
      EXPECT_TRUE(is<weft::OperationCancelled>(error));
      EXPECT_TRUE(is<weft::TimedOut>(weft::previous(error)));
    };
    expect(error_of([&] { weft::await_all(members, weft::timeout(1ms)); }));
    expect(error_of([&] { weft::await_any(members, weft::timeout(1ms)); }));
    expect(error_of([&] { weft::await_all(members[0], members[1], weft::timeout(1ms)); }));
    EXPECT_EQ(weft::await_all(members), (Ints{1, 2}));  // the members were not cancelled
  });
}

TEST(CombinatorTest, TakesVoidReferencesAndWhatCannotBeCopied) {
  weft::testing::run([] {
    std::vector<Coroutine<void>> nothing{weft::spawn([] {}), weft::spawn([] {})};
    static_assert(std::is_void_v<decltype(weft::await_all(nothing))>);
    weft::await_all(nothing);
    weft::await_any(nothing);
    weft::await_first_success(nothing);
    EXPECT_EQ(weft::await_settled(nothing).size(), 2U);
    EXPECT_EQ(weft::await_any_of(1, nothing).size(), 1U);

    int variable = 0;
    std::vector<Coroutine<int&>> references{weft::spawn([&]() -> int& { return variable; })};
    EXPECT_EQ(&weft::await_all(references)[0].get(), &variable);
    EXPECT_EQ(&weft::await_any(references), &variable);
    EXPECT_EQ(&weft::await_first_success(references), &variable);
    EXPECT_EQ(&weft::await_settled(references)[0].value(), &variable);

    const auto single = [] {
      std::vector<Coroutine<std::unique_ptr<int>>> members;
      members.push_back(weft::spawn([] { return std::make_unique<int>(1); }));
      return members;
    };
    EXPECT_EQ(*weft::await_all(single())[0], 1);
    EXPECT_EQ(*weft::await_any(single()), 1);
    EXPECT_EQ(*weft::await_first_success(single()), 1);
    EXPECT_EQ(*weft::await_any_of(1, single())[0], 1);
    EXPECT_EQ(*weft::await_settled(single())[0].value(), 1);
  });
}

// The combinator holds the handles: the container may change meanwhile.
TEST(CombinatorTest, TheContainerMayChangeMeanwhile) {
  weft::testing::run([] {
    auto members = std::make_unique<Coroutines>();
    members->push_back(after(2ms, 1));
    members->push_back(after(3ms, 2));
    auto waiter = weft::spawn([&] { return weft::await_all(*members); });
    weft::testing::settle();
    members.reset();
    EXPECT_EQ(weft::await(waiter), (Ints{1, 2}));
  });
}

// R-OBS-3
TEST(CombinatorTest, SaysWhereAndForWhatItWaits) {
  weft::testing::run([] {
    unsigned line = 0;
    auto waiter = weft::spawn([&] {
      Coroutines members{after(0ms, 1), after(1ms, 2)};
      weft::await(members[0]);
      line = __LINE__ + 1;
      return weft::await_all(members);
    });
    weft::delay(500us);
    EXPECT_EQ(waiter.awaiting(), (std::vector<std::string>{"Gathering(settled=1/2)"}));
    EXPECT_EQ(waiter.suspend_place().line, line);
    weft::await(waiter);
  });
}

// R-AWT-4
TEST(AwaitAllTest, CancelsAndOutwaitsItsFunctionsAfterAnError) {
  weft::testing::run([] {
    bool ended = false;
    {
      int of_the_frame = 1;
      EXPECT_THROW(weft::await_all(
                       [&]() -> int {
                         weft::suspend();
                         throw std::runtime_error{"failed"};
                       },
                       [&] {
                         try {
                           weft::delay(std::chrono::hours{1});
                         } catch (const weft::Cancelled&) {
                           weft::suspend();
                           ended = ++of_the_frame == 2;
                           throw;
                         }
                       }),
                   std::runtime_error);
      EXPECT_TRUE(ended);
    }
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-AWT-9
TEST(AwaitAllTest, CancelsItsFunctionsWithItself) {
  weft::testing::run([] {
    int cancelled = 0;
    const auto wait = [&] {
      try {
        weft::delay(std::chrono::hours{1});
      } catch (const weft::Cancelled&) {
        ++cancelled;
        throw;
      }
    };
    auto caller = weft::spawn([&] { weft::await_all(wait, wait); });
    weft::testing::settle();
    caller.cancel();
    EXPECT_THROW(weft::await(caller), weft::Cancelled);
    EXPECT_EQ(cancelled, 2);
  });
}

}  // namespace
