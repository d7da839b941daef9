#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

// R-EVT-14, R-EVT-15
TEST(Replay, CopiesTheResultOfACoroutineIntoTheOutcome) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { return 7; });
    weft::await(coroutine);
    weft::Event& event = coroutine;
    weft::Outcome outcome;
    EXPECT_TRUE(event.replay(outcome));
    EXPECT_FALSE(outcome.error());
    const int* value = outcome.value<int>();
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(*value, 7);
  });
}

// R-EVT-14, R-EVT-15
TEST(Replay, CopiesTheErrorOfACoroutineIntoTheOutcome) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([]() -> int { throw std::runtime_error{"broken"}; });
    EXPECT_THROW(weft::await(coroutine), std::runtime_error);
    weft::Event& event = coroutine;
    weft::Outcome outcome;
    EXPECT_TRUE(event.replay(outcome));
    EXPECT_EQ(weft::describe(outcome.error()), "broken");
    EXPECT_EQ(outcome.value<int>(), nullptr);
  });
}

// R-EVT-14
TEST(Replay, WorksForACoroutineWithoutAResult) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {});
    weft::await(coroutine);
    weft::Outcome outcome;
    EXPECT_TRUE(coroutine.base().replay(outcome));
    EXPECT_FALSE(outcome.error());
  });
}

// R-EVT-14, R-EVT-15: a future keeps its outcome as a coroutine does.
TEST(Replay, GivesTheValueAndTheErrorOfAFuture) {
  weft::testing::run([] {
    weft::Promise<int> good;
    weft::Promise<int> bad;
    const weft::Future<int> value = good.future();
    const weft::Future<int> error = bad.future();
    good.complete(7);
    bad.fail(std::make_exception_ptr(std::runtime_error{"broken"}));
    Log log;
    Call call{[&](weft::Event&, const weft::Outcome& outcome) {
      const int* number = outcome.value<int>();
      log.push_back(number != nullptr ? std::to_string(*number) : weft::describe(outcome.error()));
    }};
    for (const auto& future : {value, error}) {
      weft::Event& event = future;
      EXPECT_TRUE(event.replay(call));
      weft::Outcome outcome;
      EXPECT_TRUE(event.replay(outcome));
      call.on_notify(event, outcome);
      future.ignore();
    }
    EXPECT_EQ(log, (Log{"7", "7", "broken", "broken"}));
  });
}

// R-EVT-15
TEST(Replay, CallsACallbackAtOnceWithTheStoredOutcome) {
  Log log;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([] { return 7; });
    weft::await(coroutine);
    weft::Event& event = coroutine;
    Call call{[&](weft::Event& from, const weft::Outcome& outcome) {
      EXPECT_EQ(&from, &event);
      const int* value = outcome.value<int>();
      log.push_back(value != nullptr ? "called with " + std::to_string(*value) : "called");
    }};
    log.push_back("before");
    EXPECT_TRUE(event.replay(call));
    log.push_back("after");
    EXPECT_FALSE(call.is_subscribed());
  });
  EXPECT_EQ(log, (Log{"before", "called with 7", "after"}));
}

// R-EVT-15, R-COR-10
TEST(Replay, CanBeRepeated) {
  int called = 0;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([]() -> int { throw std::runtime_error{"broken"}; });
    EXPECT_THROW(weft::await(coroutine), std::runtime_error);
    Call call{[&](weft::Event&, const weft::Outcome& outcome) {
      EXPECT_EQ(weft::describe(outcome.error()), "broken");
      ++called;
    }};
    EXPECT_TRUE(coroutine.base().replay(call));
    EXPECT_TRUE(coroutine.base().replay(call));
  });
  EXPECT_EQ(called, 2);
}

// R-EVT-16
TEST(Replay, WithoutASlotForTheErrorThrowsIt) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([]() -> int { throw std::runtime_error{"broken"}; });
    EXPECT_THROW(weft::await(coroutine), std::runtime_error);
    // In C++, the form that returns no error throws it.
    EXPECT_THROW(coroutine.base().throw_outcome(), std::runtime_error);
    EXPECT_THROW(coroutine.typed().take(), std::runtime_error);
  });
}

// R-EVT-16
TEST(Replay, DoesNothingOnAnEventThatHasNotCompleted) {
  int called = 0;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([] { return 7; });
    Call call{[&](weft::Event&, const weft::Outcome&) { ++called; }};
    const int untouched = 1;
    weft::Outcome outcome = weft::Outcome::of(untouched);
    EXPECT_FALSE(coroutine.base().replay(call));
    EXPECT_FALSE(coroutine.base().replay(outcome));
    EXPECT_EQ(outcome.value<int>(), &untouched);
    EXPECT_FALSE(call.is_subscribed());
    EXPECT_EQ(weft::await(coroutine), 7);
  });
  EXPECT_EQ(called, 0);
}

// R-EVT-16
TEST(Replay, IsFalseForAKindThatKeepsNoOutcome) {
  Doorbell bell;
  int called = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++called; }};
  weft::Outcome outcome;
  bell.ring_and_close();
  EXPECT_FALSE(bell.replay(call));
  EXPECT_FALSE(bell.replay(outcome));
  EXPECT_EQ(called, 0);
}

// R-EVT-14, R-COR-8
TEST(Replay, GivesALateSubscriberWhatAnEarlyOneGot) {
  std::vector<int> values;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([] { return 7; });
    Call early{[&](weft::Event& event, const weft::Outcome& outcome) {
      const int* value = outcome.value<int>();
      values.push_back(value != nullptr ? *value : -1);
      event.remove_callback(early);
    }};
    coroutine.base().add_callback(early);
    weft::await(coroutine);
    Call late{[&](weft::Event&, const weft::Outcome& outcome) {
      const int* value = outcome.value<int>();
      values.push_back(value != nullptr ? *value : -1);
    }};
    EXPECT_FALSE(coroutine.base().add_callback(late)) << "a closed event takes no subscriber";
    coroutine.base().replay(late);
  });
  EXPECT_EQ(values, (std::vector<int>{7, 7}));
}

// R-EVT-17
TEST(Replay, AwaitOfAClosedEventThatKeepsNothingWarnsAndReturns) {
  std::vector<std::string> warnings;
  bool returned = false;
  weft::testing::run(
      [&] {
        Doorbell bell;
        bell.close();
        const auto before = weft::stats().switches;
        weft::await(bell);
        EXPECT_EQ(weft::stats().switches, before);
        returned = true;
      },
      weft_test::collecting(warnings));
  EXPECT_TRUE(returned);
  EXPECT_EQ(warnings.size(), 1U);
}

// R-EVT-17
TEST(Replay, AwaitOfATimerThatHasFiredWarnsAndReturns) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        weft::Timer timer{10ms};
        weft::await(timer);
        EXPECT_TRUE(warnings.empty());
        const auto before = weft::now();
        weft::await(timer);
        EXPECT_EQ(weft::now(), before);
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), 1U);
}

// R-EVT-17: an event that keeps its outcome is replayed without a warning.
TEST(Replay, AwaitOfAFinishedCoroutineAnswersWithoutAWarning) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        auto coroutine = weft::spawn([] { return 7; });
        EXPECT_EQ(weft::await(coroutine), 7);
        EXPECT_EQ(weft::await(coroutine), 7);
        weft::await(static_cast<weft::Event&>(coroutine));
      },
      weft_test::collecting(warnings));
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
