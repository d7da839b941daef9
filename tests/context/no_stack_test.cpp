#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Each test runs in a process of its own, whose address space it limits.

namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;
constexpr std::size_t too_large = 1024 * mebibyte;

/// From now on the process may map `room` more bytes.
void leave_room(std::size_t room) {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + room;
  setrlimit(RLIMIT_AS, &limit);
}

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::_Exit(1);
}

[[noreturn]] void done() { std::_Exit(0); }

// R-CPO-7, R-SWI-9, trap 29: a coroutine without a stack fails without a switch to the scheduler
// coroutine.
TEST(NoStackDeathTest, FailsThatCoroutineAndItsAwaiterGetsTheError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        weft::testing::run([] {
          bool ran = false;
          leave_room(64 * mebibyte);
          auto large = weft::spawn({.stack_size = too_large}, [&] { ran = true; });
          bool cleaned_up = false;
          large.on_finally([&] { cleaned_up = true; });
          const std::uint64_t entered = weft::stats().scheduler_switches;
          const std::exception_ptr error = error_of([&] { weft::await(large); });
          check(is<weft::StackError>(error), "the awaiter gets a StackError");
          check(weft::stats().scheduler_switches == entered, "without the scheduler coroutine");
          check(!text(error).empty(), "the error has a text");
          check(large.is_completed() && !large.is_cancelled(), "the coroutine failed");
          weft::delay(1ms);
          check(!ran, "the body did not run");
          check(cleaned_up, "its finally handler ran");
        });
        done();
      },
      ::testing::ExitedWithCode(0), "");
}

// R-CPO-7, trap 29
TEST(NoStackDeathTest, ChangesNothingForTheOthers) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Log log;
        weft::testing::run([&] {
          auto parked = weft::spawn([&] {
            weft::delay(10ms);
            log.emplace_back("parked one woke");
          });
          weft::await(weft::spawn([] {}));  // leaves a context in the pool
          leave_room(64 * mebibyte);
          auto large = weft::spawn({.stack_size = too_large}, [] {});
          auto next = weft::spawn([&] { log.emplace_back("next one ran"); });
          weft::await(next);
          check(is<weft::StackError>(error_of([&] { weft::await(large); })), "StackError");
          weft::await(parked);
        });
        check(log == Log{"next one ran", "parked one woke"}, "the other coroutines went on");
        check(weft::stats().coroutines == 0, "no coroutine is left");
        check(weft::stats().contexts_in_use == 0, "no context is left");
        done();
      },
      ::testing::ExitedWithCode(0), "");
}

// R-CPO-7, R-EXC-5, trap 29
TEST(NoStackDeathTest, EndsTheProgramIfNoHandleHoldsTheCoroutine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Log log;
        const std::exception_ptr error = error_of([&] {
          weft::testing::run(
              [&] {
                leave_room(64 * mebibyte);
                weft::spawn({.stack_size = too_large}, [] {});
                log.push_back(text(error_of([] { weft::delay(1h); })));
              },
              quiet());
        });
        check(is<weft::StackError>(error), "run() throws the StackError");
        check(log == Log{"cancelled: Graceful shutdown"}, "after a graceful shutdown");
        done();
      },
      ::testing::ExitedWithCode(0), "");
}

// R-CPO-7, trap 29
TEST(NoStackDeathTest, OfTheDefaultSizeFailsOnlyThoseBeyondTheLimit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        weft::Options options;
        options.stack_size = 8 * mebibyte;
        leave_room(256 * mebibyte);
        weft::testing::run(
            [] {
              constexpr std::size_t count = 1'000;
              std::vector<weft::Coroutine<void>> all;
              all.reserve(count);
              std::size_t bodies = 0;
              for (std::size_t i = 0; i < count; ++i) {
                all.push_back(weft::spawn([&] {
                  ++bodies;
                  weft::delay(1h);
                }));
              }
              std::size_t ended = 0;
              std::size_t failed = 0;
              for (const auto& one : all) {
                const std::exception_ptr error = error_of([&] { weft::await(one); });
                if (!error) ++ended;
                if (is<weft::StackError>(error)) ++failed;
              }
              check(ended == bodies, "every coroutine that began has ended");
              check(failed > 0, "not all found a stack");
              check(ended + failed == count, "the other coroutines failed with a StackError");
              // The stacks are free again.
              weft::await(weft::spawn([] {}));
            },
            options);
        done();
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(NoStackDeathTest, AsksNoHandlerThatWouldNeedAStackItself) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::alarm(20);  // ends a hang
        weft::Options options;
        options.stack_size = 8 * mebibyte;
        leave_room(256 * mebibyte);
        weft::testing::run(
            [] {
              const auto scope = weft::Scope::create();
              scope->set_exception_handler(
                  [](weft::Scope&, const weft::AnyCoroutine&, std::exception_ptr) {});
              for (int i = 0; i < 1'000; ++i) scope->spawn([] { weft::delay(1h); });
              const std::exception_ptr error =
                  error_of([&] { scope->await_completion(weft::timeout(24h)); });
              check(is<weft::StackError>(error), "a wait for the scope throws the StackError");
            },
            options);
        done();
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
