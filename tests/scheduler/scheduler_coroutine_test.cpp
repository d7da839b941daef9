#include <cstdint>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "scripted_driver.hpp"
#include "support.hpp"

namespace scheduler_coroutine_test {

using weft_test::Doorbell;
using weft_test::Log;
using weft_test::ScriptedDriver;
using namespace std::chrono_literals;

// Frame addresses, not addresses of locals: a sanitizer may keep locals elsewhere.
[[gnu::noinline]] std::uintptr_t stack_here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// Frames of one shallow call chain lie close together; stacks lie at least their size apart.
bool same_stack(std::uintptr_t a, std::uintptr_t b) {
  return (a > b ? a - b : b - a) < std::uintptr_t{64} * 1024;
}

// R-SWI-9
TEST(SchedulerCoroutineTest, IsNotEnteredWhileACoroutineIsReady) {
  weft::testing::run([] {
    Doorbell bell;
    std::vector<weft::Coroutine<int>> crowd;
    for (int i = 0; i < 20; ++i) {
      crowd.push_back(weft::spawn([&bell, i] {
        for (int round = 0; round < i; ++round) weft::suspend();
        if (i % 2 == 0) weft::await(bell);
        weft::await(weft::spawn([] { weft::suspend(); }));
        return i;
      }));
    }
    for (int round = 0; round < 50; ++round) weft::suspend();
    bell.ring();
    for (auto& coroutine : crowd) weft::await(coroutine);
    EXPECT_GT(weft::stats().switches, 100U);
    EXPECT_EQ(weft::stats().scheduler_switches, 0U);
    EXPECT_EQ(weft::stats().reactor_waits, 0U);
  });
}

// R-SWI-9
TEST(SchedulerCoroutineTest, IsEnteredWhenTheReactorMustWait) {
  weft::testing::run([] {
    for (int i = 0; i < 5; ++i) weft::delay(1ms);
    EXPECT_EQ(weft::stats().scheduler_switches, 5U);
    EXPECT_EQ(weft::stats().reactor_waits, 5U);
  });
}

// R-SWI-9
TEST(SchedulerCoroutineTest, IsEnteredWhenThereIsADeadlock) {
  weft::Options options = weft_test::quiet();
  weft::Stats before;
  weft::Stats after;
  EXPECT_THROW(weft::testing::run(
                   [&] {
                     Doorbell bell;
                     before = weft::stats();
                     try {
                       weft::await(bell);
                     } catch (const weft::Cancelled&) {
                       after = weft::stats();
                       throw;
                     }
                   },
                   options),
               weft::DeadlockError);
  EXPECT_EQ(after.scheduler_switches, before.scheduler_switches + 1);
}

// R-SWI-11, R-REA-2
TEST(SchedulerCoroutineTest, WaitsOnAStackOfItsOwn) {
  ScriptedDriver outside;
  Doorbell bell;
  std::vector<std::uintptr_t> waited_on;
  std::vector<std::uintptr_t> bodies;
  weft::run(
      [&] {
        bodies.push_back(stack_here());
        outside.play([&](weft::Wait wait) {
          if (wait == weft::Wait::no) return;
          waited_on.push_back(stack_here());
          bell.ring();
        });
        auto partner = weft::spawn([&] {
          bodies.push_back(stack_here());
          weft::await(bell);
        });
        weft::await(partner);
        weft::await(bell);
        weft::await(bell);
        outside.end();
      },
      outside.options());
  ASSERT_EQ(waited_on.size(), 3U);
  for (const std::uintptr_t stack : waited_on) {
    EXPECT_TRUE(same_stack(stack, waited_on.front()));
    for (const std::uintptr_t body : bodies) EXPECT_FALSE(same_stack(stack, body));
  }
}

// R-SWI-11
TEST(SchedulerCoroutineTest, NeverRunsABodyOnItsOwnStack) {
  ScriptedDriver outside;
  std::uintptr_t idle_stack = 0;
  std::uintptr_t body_stack = 0;
  weft::run(
      [&] {
        Doorbell bell;
        outside.play([&](weft::Wait wait) {
          if (wait == weft::Wait::no || idle_stack != 0) return;
          idle_stack = stack_here();
          // The head of the queue is a coroutine that has not started.
          weft::spawn([&] {
            body_stack = stack_here();
            outside.end();
            bell.ring();
          });
        });
        weft::await(bell);
      },
      outside.options());
  ASSERT_NE(idle_stack, 0U);
  ASSERT_NE(body_stack, 0U);
  EXPECT_FALSE(same_stack(idle_stack, body_stack));
}

// R-SWI-11
TEST(SchedulerCoroutineTest, RunsMicrotasksWhileAllSleep) {
  Log log;
  ScriptedDriver outside;
  weft::run(
      [&] {
        Doorbell bell;
        outside.play([&](weft::Wait wait) {
          if (wait == weft::Wait::no) return;
          log.push_back("wait");
          if (outside.waits > 1) return;
          weft::post_microtask([&] {
            log.push_back("microtask");
            outside.end();
            bell.ring();
          });
        });
        weft::await(bell);
        log.push_back("main");
      },
      outside.options());
  EXPECT_EQ(log, (Log{"wait", "microtask", "main"}));
}

// R-SWI-12
TEST(SchedulerCoroutineTest, CanBeNeitherCancelledNorQueuedNorGivenCoroutines) {
  std::vector<std::string> warnings;
  Log log;
  weft::Timer timer{1ms};
  weft_test::Call in_the_idle_loop{[&](weft::Event&, const weft::Outcome&) {
    const weft::AnyCoroutine scheduler = weft::current();
    scheduler.cancel();
    log.push_back(scheduler.is_cancellation_requested() ? "cancelled" : "not cancelled");
    log.push_back(weft_test::text(weft_test::error_of([&] { weft::resume(scheduler.base()); })));
    weft::spawn([&] { log.push_back("spawned from there, but not into its scope"); });
  }};
  timer.add_callback(in_the_idle_loop);
  weft::testing::run(
      [&] {
        timer.start();
        weft::delay(10ms);
        log.push_back("the scheduler goes on");
      },
      weft_test::collecting(warnings));
  timer.remove_callback(in_the_idle_loop);
  EXPECT_EQ(log, (Log{"not cancelled", "The scheduler coroutine cannot be resumed",
                      "spawned from there, but not into its scope", "the scheduler goes on"}));
  EXPECT_EQ(warnings, (std::vector<std::string>{"The scheduler coroutine cannot be cancelled"}));
}

}  // namespace scheduler_coroutine_test
