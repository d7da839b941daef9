#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

std::exception_ptr failure(const char* what) {
  return std::make_exception_ptr(std::runtime_error{what});
}

// R-EXC-1
TEST(Exception, ThatLeavesTheBodyBecomesTheOutcome) {
  weft::testing::run([] {
    auto failing = weft::spawn([]() -> int { throw std::out_of_range{"too far"}; });
    EXPECT_EQ(failing.exception(), nullptr);
    const std::exception_ptr error = error_of([&] { weft::await(failing); });
    EXPECT_TRUE(is<std::out_of_range>(error)) << text(error);
    EXPECT_EQ(text(failing.exception()), "too far");
    EXPECT_FALSE(failing.result().has_value());
    EXPECT_TRUE(failing.is_completed());
    EXPECT_FALSE(failing.is_cancelled());
  });
}

// R-EXC-1
TEST(Exception, MayHaveAnyType) {
  weft::testing::run([] {
    auto number = weft::spawn([] { throw 42; });
    EXPECT_TRUE(is<int>(error_of([&] { weft::await(number); })));
    auto letters = weft::spawn([] { throw "letters"; });
    EXPECT_TRUE(is<const char*>(error_of([&] { weft::await(letters); })));
  });
}

// R-EXC-1
TEST(Exception, IsTheSameObjectForEveryAwaiter) {
  weft::testing::run([] {
    auto failing = weft::spawn([] {
      weft::delay(1ms);
      throw std::runtime_error{"shared"};
    });
    std::vector<std::exception_ptr> seen(3);
    std::vector<weft::Coroutine<void>> awaiters;
    for (std::exception_ptr& slot : seen) {
      awaiters.push_back(weft::spawn([&] { slot = error_of([&] { weft::await(failing); }); }));
    }
    for (const auto& awaiter : awaiters) weft::await(awaiter);
    for (const std::exception_ptr& error : seen) EXPECT_EQ(error, failing.exception());
  });
}

// R-EXC-2
TEST(Exception, IsHandledByAnAwaiterWhoseHandleIsTheLastOne) {
  Log log;
  weft::testing::run([&] {
    log.push_back(text(error_of([] {
      weft::await(weft::spawn([] {
        weft::delay(1ms);
        throw std::runtime_error{"offered"};
      }));
    })));
    weft::delay(1ms);  // not cancelled: no shutdown has begun
  });
  EXPECT_EQ(log, (Log{"offered"}));
}

// R-EXC-2
TEST(Exception, IsHandledByAnAwaiterThatHoldsNoHandle) {
  Log log;
  weft::testing::run([&] {
    weft::Ref<weft::Event> ending;
    {
      auto failing = weft::spawn([] {
        weft::delay(1ms);
        throw std::runtime_error{"offered"};
      });
      ending = weft::Ref<weft::Event>{&failing.base()};
    }
    log.push_back(text(error_of([&] { weft::await(*ending); })));
    weft::delay(1ms);
  });
  EXPECT_EQ(log, (Log{"offered"}));
}

/// Spawns a coroutine that fails while no handle refers to it, with one subscriber that may claim
/// the error.
std::exception_ptr exit_error_with_subscriber(bool claims, int& calls) {
  weft::Ref<Call> subscriber;
  subscriber = weft::make_ref<Call>([&](weft::Event& event, const weft::Outcome& outcome) {
    ++calls;
    EXPECT_EQ(text(outcome.error()), "offered");
    if (claims) event.claim_error();
    event.remove_callback(*subscriber);
  });
  return error_of([&] {
    weft::testing::run(
        [&] {
          auto failing = weft::spawn([] { throw std::runtime_error{"offered"}; });
          failing.base().add_callback(*subscriber);
        },
        quiet());
  });
}

// R-EXC-2, trap 10
TEST(Exception, IsHandledByACallbackThatClaimsIt) {
  int calls = 0;
  EXPECT_EQ(text(exit_error_with_subscriber(true, calls)), "nothing");
  EXPECT_EQ(calls, 1);
}

// R-EXC-2, R-EXC-3
TEST(Exception, IsUnhandledIfTheOnlyCallbackDoesNotClaimIt) {
  int calls = 0;
  EXPECT_EQ(text(exit_error_with_subscriber(false, calls)), "offered");
  EXPECT_EQ(calls, 1);
}

// R-EXC-9, R-WAK-14
TEST(Exception, ThatMeetsAnotherGetsItAsPrevious) {
  std::exception_ptr error;
  weft::testing::run([&] {
    Doorbell bell;
    auto waiter = weft::spawn([&] { error = error_of([&] { weft::await(bell); }); });
    weft::suspend();
    weft::resume(waiter.base(), failure("earlier"));
    weft::resume(waiter.base(), failure("later"));
    weft::await(waiter);
    EXPECT_EQ(text(error), "later");
    EXPECT_EQ(text(weft::previous(error)), "earlier");
    EXPECT_EQ(weft::previous(weft::previous(error)), nullptr);
  });
}

// R-EXC-9
TEST(Exception, OfTheLibraryCarriesThePreviousOneItself) {
  weft::testing::run([&] {
    Doorbell bell;
    Doorbell token;
    auto waiter = weft::spawn([&] { weft::await(bell, token); });
    weft::suspend();
    token.ring(weft::Outcome{failure("token failed")});
    const std::exception_ptr error = error_of([&] { weft::await(waiter); });
    ASSERT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    EXPECT_EQ(text(weft::previous(error)), "token failed");
  });
}

// R-EXC-9, R-CAN-6
TEST(Exception, IsThePreviousOfACancellationThatCameLater) {
  std::exception_ptr error;
  weft::testing::run([&] {
    Doorbell bell;
    auto waiter = weft::spawn([&] { error = error_of([&] { weft::await(bell); }); });
    weft::suspend();
    bell.ring(weft::Outcome{failure("earlier")});
    waiter.cancel("later");
    weft::await(waiter);
  });
  EXPECT_EQ(text(error), "cancelled: later");
  EXPECT_EQ(text(weft::previous(error)), "earlier");
}

// R-EXC-9
TEST(Exception, HasACancellationThatCameEarlierAsPrevious) {
  std::exception_ptr error;
  weft::testing::run([&] {
    Doorbell bell;
    auto waiter = weft::spawn([&] { error = error_of([&] { weft::await(bell); }); });
    weft::suspend();
    waiter.cancel("earlier");
    weft::resume(waiter.base(), failure("later"));
    weft::await(waiter);
    EXPECT_EQ(text(error), "later");
    EXPECT_EQ(text(weft::previous(error)), "cancelled: earlier");
  });
}

// R-EXC-9
TEST(Exception, WithoutAPreviousOneHasNone) {
  EXPECT_EQ(weft::previous(nullptr), nullptr);
  EXPECT_EQ(weft::previous(failure("alone")), nullptr);
  EXPECT_EQ(weft::previous(std::make_exception_ptr(42)), nullptr);
  EXPECT_EQ(weft::previous(std::make_exception_ptr(weft::Cancelled{})), nullptr);
}

// R-EXC-1
TEST(Exception, IsDescribedWhateverItsType) {
  EXPECT_THAT(weft::describe(failure("plain words")), ::testing::HasSubstr("plain words"));
  EXPECT_THAT(weft::describe(std::make_exception_ptr(weft::Cancelled{"why"})),
              ::testing::HasSubstr("why"));
  EXPECT_FALSE(weft::describe(std::make_exception_ptr(42)).empty());
  EXPECT_TRUE(weft::is_cancellation(std::make_exception_ptr(weft::Cancelled{})));
  EXPECT_FALSE(weft::is_cancellation(failure("no")));
  EXPECT_FALSE(weft::is_cancellation(nullptr));
}

}  // namespace
