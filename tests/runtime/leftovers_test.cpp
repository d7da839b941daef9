#include <cstddef>
#include <dirent.h>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Allocations;
using weft_test::collecting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* directory = opendir("/proc/self/fd");
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  return count;
}

void expect_nothing_left() {
  const weft::Stats stats = weft::stats();
  EXPECT_EQ(stats.coroutines, 0U);
  EXPECT_EQ(stats.active_coroutines, 0U);
  EXPECT_EQ(stats.queued, 0U);
  EXPECT_EQ(stats.microtasks, 0U);
  EXPECT_EQ(stats.deferred_cleanups, 0U);
  EXPECT_EQ(stats.active_events, 0U);
  EXPECT_EQ(stats.hidden_events, 0U);
  EXPECT_EQ(stats.armed_timers, 0U);
  EXPECT_EQ(stats.contexts_in_use, 0U);
}

void use_everything_and_shut_down() {
  auto timer = weft::make_ref<weft::Timer>(1h);
  auto periodic = weft::make_ref<weft::Timer>(1ms, weft::Timer::Kind::periodic);
  auto hidden = weft::make_ref<weft::Timer>(1ms, weft::Timer::Kind::periodic);
  auto trigger = weft::make_ref<weft::Trigger>();
  auto idle_timer = weft::make_ref<weft::Timer>(1h);
  auto idle_trigger = weft::make_ref<weft::Trigger>();
  hidden->set_hidden(true);
  timer->start();
  periodic->start();
  hidden->start();
  trigger->start();
  weft::spawn([timer, trigger] { weft::delay(1h); });
  weft::spawn([periodic] {
    weft::delay(10ms);
    weft::shutdown();
  });
}

// R-SHU-15
TEST(Leftovers, OfAShutdownAreNone) {
  weft::testing::run(use_everything_and_shut_down, quiet());  // warm-up
  const std::size_t descriptors = open_descriptors();
  const std::uint64_t allocations = Allocations::live();
  weft::testing::run(use_everything_and_shut_down, quiet());
  expect_nothing_left();
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(Allocations::live(), allocations);
}

// R-SHU-15
TEST(Leftovers, OfAShutdownOnTheRealClockAreNone) {
  const auto body = [] {
    weft::spawn([] {
      auto timer = weft::make_ref<weft::Timer>(1h);
      auto trigger = weft::make_ref<weft::Trigger>();
      timer->start();
      trigger->start();
      weft::shutdown();
    });
  };
  weft::run(body, quiet());
  const std::size_t descriptors = open_descriptors();
  const std::uint64_t allocations = Allocations::live();
  weft::run(body, quiet());
  expect_nothing_left();
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(Allocations::live(), allocations);
}

// R-SHU-15
TEST(Leftovers, OfAnUnhandledErrorAreNone) {
  const auto run = [] {
    EXPECT_EQ(text(error_of([] {
                weft::testing::run(
                    [] {
                      use_everything_and_shut_down();
                      weft::suspend();
                      throw std::runtime_error{"cause"};
                    },
                    quiet());
              })),
              "cause");
  };
  run();
  const std::size_t descriptors = open_descriptors();
  const std::uint64_t allocations = Allocations::live();
  run();
  expect_nothing_left();
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(Allocations::live(), allocations);
}

// R-SHU-15, R-DLK-6
TEST(Leftovers, OfADeadlockAreNone) {
  const auto run = [] {
    EXPECT_TRUE(is<weft::DeadlockError>(error_of([] {
      weft::testing::run(
          [] {
            auto bell = weft::make_ref<Doorbell>();
            weft::spawn([bell] { weft::await(*bell); });
            weft::spawn([bell] { weft::protect([&] { weft::await(*bell); }); });
          },
          quiet());
    })));
  };
  run();
  const std::size_t descriptors = open_descriptors();
  const std::uint64_t allocations = Allocations::live();
  run();
  expect_nothing_left();
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(Allocations::live(), allocations);
}

// R-SHU-15
TEST(Leftovers, MayOutliveTheRuntime) {
  weft::Ref<weft::Timer> timer;
  weft::Ref<weft::Timer> hidden;
  weft::Ref<weft::Trigger> trigger;
  weft::Coroutine<int> done;
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        timer = weft::make_ref<weft::Timer>(1ms, weft::Timer::Kind::periodic);
        hidden = weft::make_ref<weft::Timer>(1h);
        hidden->set_hidden(true);
        trigger = weft::make_ref<weft::Trigger>();
        timer->start();
        hidden->start();
        trigger->start();
        done = weft::spawn([] { return 5; });
        weft::spawn([] {
          weft::delay(5ms);
          weft::shutdown();
        });
      },
      collecting(warnings));
  expect_nothing_left();
  EXPECT_FALSE(timer->is_armed());
  EXPECT_FALSE(hidden->is_armed());
  EXPECT_FALSE(trigger->is_armed());
  trigger->fire();  // no coroutine waits for it
  timer->stop();
  EXPECT_EQ(weft::await(done), 5);
  EXPECT_THAT(warnings, ::testing::IsEmpty());
}

// R-SHU-15, R-TICK-5, R-HID-3: the runtime waits for an active one-shot timer, not for a hidden
// one.
TEST(Leftovers, AreWaitedForIfTheyAreVisible) {
  int fired = 0;
  auto count =
      weft::make_ref<weft_test::Call>([&](weft::Event&, const weft::Outcome&) { ++fired; });
  auto unheard = weft::make_ref<weft_test::Call>(
      [](weft::Event&, const weft::Outcome&) { ADD_FAILURE() << "the hidden timer fired"; });
  auto timer = weft::make_ref<weft::Timer>(1h);
  auto hidden = weft::make_ref<weft::Timer>(2h);
  weft::testing::run([&] {
    timer->add_callback(*count);
    timer->start();
    hidden->set_hidden(true);
    hidden->add_callback(*unheard);
    hidden->start();
  });
  EXPECT_EQ(fired, 1);
  timer->remove_callback(*count);
  hidden->remove_callback(*unheard);
}

}  // namespace
