#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/extend/embed.hpp"
#include "weft/extend/park.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

weft::Options virtual_time(weft::testing::VirtualClock& clock) {
  weft::Options options;
  options.clock = &clock;
  options.deadlock_report = false;
  return options;
}

// R-SHU-3
TEST(Drain, RunsAllOthersToTheirEndAndCanBeCalledAgain) {
  weft::testing::VirtualClock clock;
  std::vector<std::string> log;
  weft::Runtime runtime{virtual_time(clock)};
  const auto work = [&](const char* name) {
    weft::delay(5ms);
    log.emplace_back(name);
  };
  runtime.spawn([&] { work("main script"); });
  runtime.drain();
  log.emplace_back("between");
  runtime.spawn([&] { work("shutdown function"); });
  runtime.drain();
  EXPECT_THAT(log, ElementsAre("main script", "between", "shutdown function"));
}

// R-SHU-3
TEST(Drain, ReturnsAtOnceWhenNothingIsLeft) {
  weft::Runtime runtime;
  runtime.drain();
  runtime.drain();
  EXPECT_TRUE(weft::can_suspend());
}

// R-DLK-1
TEST(Drain, DoesNotCountMainAmongTheCoroutinesOfADeadlock) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{virtual_time(clock)};
  weft::Channel<int> channel;
  runtime.spawn([&] { [[maybe_unused]] const int value = channel.recv(); });
  try {
    runtime.drain();
    FAIL() << "no deadlock was found";
  } catch (const weft::DeadlockError& error) {
    EXPECT_STREQ(error.what(), "Deadlock detected: no active coroutines, 1 coroutines in waiting");
  }
}

// R-EXC-5, R-SHU-6
TEST(Drain, ThrowsTheErrorThatEndedTheProgramWhenAllOthersHaveEnded) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{virtual_time(clock)};
  bool cleaned_up = false;
  runtime.spawn([&] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      cleaned_up = true;
      throw;
    }
  });
  runtime.spawn([] { throw weft::ValueError{"five"}; });
  EXPECT_THROW(runtime.drain(), weft::ValueError);
  EXPECT_TRUE(cleaned_up);
}

// R-SHU-6
TEST(Drain, LeavesMainUncancelledByAShutdown) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{virtual_time(clock)};
  runtime.spawn([] { weft::shutdown(); });
  runtime.drain();
  weft::delay(1ms);  // would throw Cancelled
  EXPECT_FALSE(weft::current().is_cancellation_requested());
}

TEST(Drain, IsRefusedInsideACoroutine) {
  weft::Runtime runtime;
  const auto coroutine = runtime.spawn([&] { EXPECT_THROW(runtime.drain(), weft::MisuseError); });
  runtime.drain();
  EXPECT_TRUE(coroutine.is_completed());
}

TEST(OnDeadlock, IsCalledOnceBeforeACoroutineIsCancelled) {
  weft::testing::VirtualClock clock;
  std::vector<std::string> log;
  weft::Options options = virtual_time(clock);
  options.on_deadlock = [&] {
    weft::for_each_coroutine([&](weft::CoroutineBase& coroutine) {
      log.emplace_back(std::string{coroutine.name()} +
                       (coroutine.is_cancellation_requested() ? " cancelled" : " waits"));
    });
  };
  weft::Runtime runtime{options};
  weft::Channel<int> channel;
  const auto receive = [&] { [[maybe_unused]] const int value = channel.recv(); };
  weft::spawn({.name = "first"}, receive);
  weft::spawn({.name = "second"}, receive);
  EXPECT_THROW(runtime.drain(), weft::DeadlockError);
  EXPECT_THAT(log, ElementsAre("first waits", "second waits"));
}

TEST(ForEachCoroutine, VisitsMainAndAllOthersInTheOrderOfSpawning) {
  weft::testing::run([] {
    std::vector<std::string> names;
    const auto scope = weft::Scope::create();
    scope->spawn({.name = "in a scope"}, [] { weft::delay(1ms); });
    weft::spawn({.name = "in main"}, [] { weft::delay(1ms); });
    weft::for_each_coroutine(
        [&](weft::CoroutineBase& coroutine) { names.emplace_back(coroutine.name()); });
    EXPECT_THAT(names, ElementsAre("main", "in a scope", "in main"));
    scope->await_completion({});
  });
}

}  // namespace
