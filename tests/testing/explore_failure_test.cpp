#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/assert.hpp"
#include "support.hpp"

// What counts as a failure, and how it is reported.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::Report;
using weft_test::Doorbell;

/// Expects a failure whose text starts with `beginning`.
void expect_failure(const Report& report, const std::string& beginning) {
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.failures(), 1U);
  EXPECT_THAT(report.first_failure(), StartsWith(beginning));
  EXPECT_THAT(report.first_failure(), HasSubstr("replay(\"" + report.replay_line() + "\")"));
}

TEST(ExploreFailure, IsAnExceptionThatLeavesTheScenario) {
  expect_failure(explore([] { throw std::runtime_error{"left main"}; }), "error: left main");
  expect_failure(explore([] { throw 5; }), "error: an exception of an unknown type");
}

TEST(ExploreFailure, IsAnUnhandledError) {
  expect_failure(explore([] { weft::spawn([] { throw std::runtime_error{"left a worker"}; }); }),
                 "error: left a worker");
}

TEST(ExploreFailure, IsADeadlock) {
  expect_failure(explore([] {
                   Doorbell bell;
                   weft::await(bell);
                 }),
                 "error: Deadlock detected: no active coroutines, 1 coroutines in waiting");
}

/// Waits for a bell that may have rung already.
void forget_the_early_ring() {
  auto bell = weft::make_ref<Doorbell>();
  weft::spawn([bell] { weft::await(*bell); });
  weft::spawn([bell] { bell->ring(); });
}

TEST(ExploreFailure, MayNeedAnotherOrderThanTheUsual) {
  EXPECT_TRUE(explore(forget_the_early_ring, {.schedules = weft::testing::fifo}).ok());
  const Report report = explore(forget_the_early_ring, {.keep_going = true});
  EXPECT_EQ(report.schedules(), 2U);
  expect_failure(report, "error: Deadlock detected");
}

// An exploration runs in a child process, so an assertion is a finding.
TEST(ExploreFailure, IsAFailedAssertion) {
  ::testing::internal::CaptureStderr();
  const Report report = explore([] {
    std::string order;
    auto first = weft::spawn([&] { order += "1"; });
    auto second = weft::spawn([&] { order += "2"; });
    weft::await(first);
    weft::await(second);
    WEFT_ASSERT(order == "12", "the first comes first");
  });
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("the first comes first"));
  expect_failure(report, "the process died: Aborted");
  EXPECT_GT(report.schedules(), 1U);
}

TEST(ExploreFailure, IsACrash) {
  const Report report = explore([] {
    volatile int* nowhere = nullptr;
    *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference)
  });
  // A sanitizer reports the fault and exits instead.
  EXPECT_THAT(report.first_failure(), ::testing::AnyOf(StartsWith("the process died: Segmentation"),
                                                       StartsWith("the process exited")));
}

TEST(ExploreFailure, IsAProcessThatLeaves) {
  expect_failure(explore([] { ::_exit(3); }), "the process exited in the middle of a run");
}

TEST(ExploreFailure, IsALivelock) {
  const Report report = explore(
      [] {
        for (;;) weft::suspend();
      },
      {.max_suspensions = 50});
  expect_failure(report, "livelock: more than 50 suspensions in one run");
  EXPECT_EQ(report.schedules(), 1U);
}

TEST(ExploreFailure, IsNotASuspensionLessThanTheLimit) {
  const auto suspend_fifty_times = [] {
    for (int i = 0; i < 50; ++i) weft::suspend();
  };
  EXPECT_TRUE(explore(suspend_fifty_times, {.max_suspensions = 50}).ok());
  EXPECT_FALSE(explore(suspend_fifty_times, {.max_suspensions = 49}).ok());
}

TEST(ExploreFailure, IsAScenarioTooLargeToEnumerate) {
  const Report report = explore(
      [] {
        for (int i = 0; i < 4; ++i) weft::spawn([] {});
      },
      {.max_runs = 10});
  expect_failure(report, "more than max_runs schedules");
  EXPECT_EQ(report.schedules(), 10U);
}

void await_what_is_over() {
  auto bell = weft::make_ref<Doorbell>();
  bell->close();
  weft::await(*bell);
}

TEST(ExploreFailure, IsAWarningOnlyIfAsked) {
  EXPECT_TRUE(explore(await_what_is_over).ok());
  expect_failure(explore(await_what_is_over, {.fail_on_warning = true}),
                 "warning: await() of a closed event that keeps no outcome");
}

TEST(ExploreFailure, IsNotThatMainWasTheVictim) {
  const auto sleep = [] { weft::delay(1h); };
  const Report report = explore(sleep, {.cancel = every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_EQ(report.schedules(), 2U);
}

TEST(ExploreFailure, IsWhatMainMakesOfBeingTheVictim) {
  const Report report = explore(
      [] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          throw std::runtime_error{"could not bear it"};
        }
      },
      {.cancel = every_point});
  expect_failure(report, "error: could not bear it");
  EXPECT_THAT(report.first_failure(), HasSubstr("replay(\"c1\")"));
}

TEST(ExploreFailure, SaysNothingOfCancellationWhereThereWasNone) {
  const Report report = explore([] { throw std::runtime_error{"left main"}; });
  EXPECT_THAT(report.first_failure(), Not(HasSubstr("every_point")));
}

TEST(ExploreFailure, LeavesNothingToReplayWhenAllIsWell) {
  const Report report = explore([] {});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.failures(), 0U);
  EXPECT_EQ(report.first_failure(), "");
  EXPECT_EQ(report.replay_line(), "");
}

TEST(ExploreFailure, IsNotAnEnumerationThatJustFits) {
  const Report report = explore(
      [] {
        for (int i = 0; i < 3; ++i) weft::spawn([] {});
      },
      {.max_runs = 6});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_EQ(report.schedules(), 6U);
}

TEST(ExploreFailure, IsAProcessThatLeavesWithSuccess) {
  expect_failure(explore([] { ::_exit(0); }), "the process exited in the middle of a run");
}

/// Has six orders: one throws, and a later one aborts the process.
void throw_then_die() {
  std::string order;
  for (const char letter : {'a', 'b', 'c'}) {
    weft::spawn([&order, letter] { order += letter; });
  }
  weft::delay(1ms);
  if (order == "acb") throw std::runtime_error{"acb"};
  WEFT_ASSERT(order != "cba", "cba");
}

TEST(ExploreFailure, IsReportedWholeIfTheProcessDiesLater) {
  const Report report = explore(throw_then_die, {.keep_going = true});
  EXPECT_EQ(report.failures(), 2U);
  EXPECT_THAT(report.first_failure(), StartsWith("error: acb"));
  const Report again =
      explore(throw_then_die, {.schedules = weft::testing::replay(report.replay_line())});
  expect_failure(again, "error: acb");
}

TEST(ExploreFailure, IsAScenarioThatIsNotDeterministic) {
  int runs = 0;
  const Report report = explore(
      [&] {
        ++runs;
        for (int i = 0; i < 2 + runs % 2; ++i) weft::spawn([] {});
      },
      {.in_child = false});
  EXPECT_FALSE(report.ok());
}

/// Two coroutines that yield `turns` times each.
void two_take_turns(int turns) {
  for (int i = 0; i < 2; ++i) {
    weft::spawn([turns] {
      for (int turn = 0; turn < turns; ++turn) weft::suspend();
    });
  }
}

TEST(ExploreFailure, IsARunWithMoreDecisionsThanCanBeRecorded) {
  for (const weft::testing::Schedules& schedules :
       {weft::testing::all, weft::testing::random(5), weft::testing::replay("1")}) {
    const Report report = explore([] { two_take_turns(40'000); },
                                  {.schedules = schedules, .max_runs = 50, .keep_going = true});
    expect_failure(report, "more than 65536 decisions in one run");
    EXPECT_EQ(report.schedules(), 1U);
  }
}

TEST(ExploreFailure, IsACancellationPointThatCannotBeRecorded) {
  const auto yield_often = [] {
    for (int i = 0; i < 66'000; ++i) weft::suspend();
  };
  expect_failure(
      explore(yield_often, {.schedules = weft::testing::random(5), .cancel = every_point}),
      "more than 65536 decisions in one run");
}

TEST(ExploreFailure, IsNotARunWhoseDecisionsJustFit) {
  const Report report =
      explore([] { two_take_turns(32'000); }, {.schedules = weft::testing::random(2)});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_EQ(report.schedules(), 2U);
}

TEST(ExploreFailure, IsAQuestionWithMoreAnswersThanCanBeRecorded) {
  const auto crowd = [] {
    for (int i = 0; i < 32'768; ++i) weft::spawn([] {});
  };
  expect_failure(explore(crowd, {.schedules = weft::testing::random(2)}),
                 "more than 32767 answers to one question");
}

TEST(ExploreFailure, HasAWholeLineHoweverManyDecisionsThereWere) {
  const auto fail_late = [] {
    two_take_turns(32'000);
    weft::delay(1h);
    throw std::runtime_error{"late"};
  };
  const Report found = explore(fail_late, {.schedules = weft::testing::random(1)});
  expect_failure(found, "error: late");
  EXPECT_GT(found.replay_line().size(), 120'000U);
  const Report again =
      explore(fail_late, {.schedules = weft::testing::replay(found.replay_line())});
  expect_failure(again, "error: late");
  EXPECT_EQ(again.replay_line(), found.replay_line());
}

TEST(ExploreFailure, IsACancelledWithoutARequest) {
  const auto throw_it = [] {
    weft::suspend();
    throw weft::Cancelled{};
  };
  expect_failure(explore(throw_it), "error: a Cancelled left the scenario");
  const Report report = explore(throw_it, {.cancel = every_point, .keep_going = true});
  EXPECT_EQ(report.schedules(), 2U);
  EXPECT_EQ(report.failures(), 1U);  // a run in which main is cancelled does not fail
}

TEST(ExploreFailure, IsNotThatTheScenarioEndsItself) {
  const auto shut_down = [] {
    weft::shutdown();
    weft::suspend();
  };
  const auto cancel_main = [] {
    weft::spawn([main = weft::current()] { main.cancel(); });
    weft::delay(1h);
  };
  for (const Report& report : {explore(shut_down), explore(cancel_main)}) {
    EXPECT_TRUE(report.ok()) << report.first_failure();
  }
}

/// Starts a timer that is never stopped and keeps the program alive, unless the second coroutine
/// runs first.
void leave_a_timer_running() {
  static weft::Ref<weft::Timer> forgotten;
  forgotten = weft::make_ref<weft::Timer>(1ms, weft::Timer::Kind::periodic);
  auto stop = std::make_shared<bool>(false);
  weft::spawn([stop] {
    if (!*stop) forgotten->start();
  });
  weft::spawn([stop] { *stop = true; });
}

TEST(ExploreFailure, IsAProgramThatDoesNotEnd) {
  const Report report = explore(leave_a_timer_running, {.max_steps = 10'000});
  expect_failure(report, "did not end within 10000 steps");
  EXPECT_EQ(report.schedules(), 1U);
  EXPECT_TRUE(
      explore(leave_a_timer_running, {.schedules = weft::testing::replay("1"), .max_steps = 10'000})
          .ok());
}

TEST(ExploreFailure, IsAProgramThatDoesNotEndByItself) {
  expect_failure(explore(leave_a_timer_running), "did not end within 2000000 steps");
}

TEST(ExploreFailure, IsAWaitForTimeToPassByItself) {
  const auto spin = [] {
    const weft::TimePoint start = weft::now();
    while (weft::now() - start < 1ms) {
    }
  };
  expect_failure(explore(spin, {.max_steps = 10'000}), "did not end within 10000 steps");
}

TEST(ExploreFailure, SaysHowToRepeatAnEndlessRunInThisProcess) {
  EXPECT_DEATH(
      static_cast<void>(explore(
          leave_a_timer_running,
          {.schedules = weft::testing::replay("0"), .max_steps = 10'000, .in_child = false})),
      "did not end within 10000 steps; to see it again: replay");
}

}  // namespace
