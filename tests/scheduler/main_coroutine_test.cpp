#include <cstdint>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace main_coroutine_test {

using weft_test::Log;
using namespace std::chrono_literals;

// Frame addresses, not addresses of locals: a sanitizer may keep locals elsewhere.
[[gnu::noinline]] std::uintptr_t stack_here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// Frames of one shallow call chain lie close together; stacks lie at least their size apart.
bool same_stack(std::uintptr_t a, std::uintptr_t b) {
  return (a > b ? a - b : b - a) < std::uintptr_t{64} * 1024;
}

// R-COR-13
TEST(MainCoroutineTest, HasStartedOnTheStackThatCalledRun) {
  const std::uintptr_t caller = stack_here();
  std::uintptr_t inside = 0;
  weft::testing::run([&] {
    inside = stack_here();
    EXPECT_TRUE(weft::current().is_started());
    EXPECT_TRUE(weft::current().is_running());
    EXPECT_FALSE(weft::current().is_completed());
  });
  EXPECT_TRUE(same_stack(caller, inside));
}

// R-COR-13
TEST(MainCoroutineTest, StaysOnItsStackAfterSuspensions) {
  weft::testing::run([] {
    const std::uintptr_t before = stack_here();
    auto other = weft::spawn([] { weft::delay(1ms); });
    weft::suspend();
    weft::delay(5ms);
    weft::await(other);
    EXPECT_TRUE(same_stack(before, stack_here()));
  });
}

// R-COR-13
TEST(MainCoroutineTest, NeverHandsItsStackOver) {
  const std::uintptr_t caller = stack_here();
  std::uintptr_t spawned_on = caller;
  weft::testing::run([&] {
    // Starts after the end of main: after the end of another coroutine it would inherit the
    // context.
    weft::spawn([&] { spawned_on = stack_here(); });
  });
  EXPECT_FALSE(same_stack(caller, spawned_on));
}

// R-COR-14
TEST(MainCoroutineTest, LendsItsStackToAnyCoroutine) {
  Log log;
  weft::testing::run([&] {
    const std::uintptr_t main_stack = stack_here();
    auto worker = weft::spawn([&] {
      const std::uintptr_t own_stack = stack_here();
      std::uintptr_t called_on = 0;
      weft::run_on_main_stack([&] {
        called_on = stack_here();
        log.push_back("foreign code");
      });
      log.push_back("worker goes on");
      EXPECT_TRUE(same_stack(main_stack, called_on));
      EXPECT_FALSE(same_stack(own_stack, called_on));
      EXPECT_TRUE(same_stack(own_stack, stack_here()));
    });
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"foreign code", "worker goes on"}));
}

// R-COR-14
TEST(MainCoroutineTest, LendsItsStackWhileItSleepsAndAfterItsBodyEnded) {
  const std::uintptr_t caller = stack_here();
  std::uintptr_t while_asleep = 0;
  std::uintptr_t after_end = 0;
  weft::testing::run([&] {
    weft::spawn([&] {
      weft::run_on_main_stack([&] { while_asleep = stack_here(); });
      weft::delay(20ms);
      weft::run_on_main_stack([&] { after_end = stack_here(); });
    });
    weft::delay(10ms);
    EXPECT_NE(while_asleep, 0U);
  });
  EXPECT_TRUE(same_stack(caller, while_asleep));
  EXPECT_TRUE(same_stack(caller, after_end));
}

// R-COR-14
TEST(MainCoroutineTest, DoesNotEndTheWaitOfMainByLendingItsStack) {
  weft::testing::run([] {
    const weft::TimePoint start = weft::now();
    weft::spawn([] { weft::run_on_main_stack([] {}); });
    weft::delay(10ms);
    EXPECT_GE(weft::now() - start, 10ms);
  });
}

// R-COR-14
TEST(MainCoroutineTest, CarriesAnExceptionFromItsStackBackToTheCoroutine) {
  weft::testing::run([] {
    auto worker = weft::spawn(
        [] { weft::run_on_main_stack([] { throw std::out_of_range{"from the main stack"}; }); });
    EXPECT_THROW(weft::await(worker), std::out_of_range);
  });
}

// R-COR-14
TEST(MainCoroutineTest, MakesAPlainCallOnTheMainStackItself) {
  weft::testing::run([] {
    const weft::Stats before = weft::stats();
    bool others_ran = false;
    weft::spawn([&] { others_ran = true; });
    bool called = false;
    weft::run_on_main_stack([&] { called = true; });
    EXPECT_TRUE(called);
    EXPECT_FALSE(others_ran);
    EXPECT_EQ(weft::stats().switches, before.switches);
    EXPECT_THROW(weft::run_on_main_stack([] { throw std::out_of_range{"x"}; }), std::out_of_range);
    weft::suspend();
  });
}

// R-COR-14: run() returns the result of its body, also a reference.
TEST(MainCoroutineTest, MayReturnAReference) {
  int number = 1;
  weft::run([&]() -> int& { return number; }) = 2;
  EXPECT_EQ(number, 2);
  const std::string text = "tea";
  EXPECT_EQ(&weft::run([&]() -> const std::string& { return text; }), &text);
  std::unique_ptr<int> owner = std::make_unique<int>(5);
  const std::unique_ptr<int> moved =
      weft::run([&]() -> std::unique_ptr<int>&& { return std::move(owner); });
  EXPECT_EQ(*moved, 5);
  EXPECT_EQ(owner, nullptr);
}

// R-COR-14, R-SHU-6
TEST(MainCoroutineTest, ThatAShutdownCancelledHasNoReferenceToReturn) {
  int number = 1;
  EXPECT_THROW(weft::run([&]() -> int& {
                 weft::shutdown();
                 weft::suspend();
                 return number;
               }),
               weft::Cancelled);
}

}  // namespace main_coroutine_test
