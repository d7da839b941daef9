#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {
bool no_descriptors = false;
}

// Replaces the function of libc, the first that a new loop calls. A limit on descriptors would
// affect the sanitizers as well.
extern "C" int epoll_create1(int flags) noexcept {
  if (!no_descriptors) return static_cast<int>(syscall(SYS_epoll_create1, flags));
  errno = EMFILE;
  return -1;
}

namespace {

using namespace std::chrono_literals;
using weft_test::Log;

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"},
                       std::filesystem::directory_iterator{});
}

// R-KIND-1
TEST(Kinds, ATimerShowsItsDurationAndWhetherItIsPeriodic) {
  const weft::Timer once{1500us};
  EXPECT_EQ(once.duration(), 1500us);
  EXPECT_FALSE(once.is_periodic());
  const weft::Timer periodic = weft::Timer::periodic(2s);
  EXPECT_EQ(periodic.duration(), 2s);
  EXPECT_TRUE(periodic.is_periodic());
}

// R-KIND-1, row "timer", is replaced: timers are nodes of one queue.
TEST(Kinds, ATimerCostsNoHandleAndNoDescriptor) {
  weft::testing::run([] {
    weft::Timer first{1h};
    first.start();
    const auto before = open_descriptors();
    std::vector<weft::Ref<weft::Timer>> timers;
    for (int i = 0; i < 1'000; ++i) {
      timers.push_back(weft::make_ref<weft::Timer>(1h));
      timers.back()->start();
    }
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_EQ(weft::stats().armed_timers, 1'001U);
  });
}

// R-KIND-1: one handle per reactor serves all triggers.
TEST(Kinds, ATriggerCostsNoDescriptor) {
  weft::testing::run([] {
    weft::Trigger first;
    first.start();
    const auto before = open_descriptors();
    std::vector<weft::Ref<weft::Trigger>> triggers;
    for (int i = 0; i < 100; ++i) {
      triggers.push_back(weft::make_ref<weft::Trigger>());
      triggers.back()->start();
    }
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_EQ(weft::stats().active_events, 101U);
  });
}

// R-KIND-2
TEST(Kinds, AWakerSubscribesToAllOfThemByTheSameCall) {
  Log woken;
  weft::testing::run([&] {
    weft::Timer timer{20ms};
    weft::Trigger trigger;
    weft_test::Doorbell bell;
    auto coroutine = weft::spawn([] { weft::delay(10ms); });
    for (weft::Event* event :
         {static_cast<weft::Event*>(&timer), static_cast<weft::Event*>(&trigger),
          static_cast<weft::Event*>(&bell), &static_cast<weft::Event&>(coroutine)}) {
      auto waiter = weft::spawn([&, event] {
        weft::Waker& waker = weft::current().base().waker().renew();
        waker.resume_when(*event);
        weft::suspend(waker);
        woken.push_back(event->info().substr(0, 5));
      });
    }
    weft::testing::settle();
    bell.ring();
    weft::testing::settle();
    trigger.fire();
    weft::delay(5ms);
    weft::delay(30ms);
  });
  EXPECT_EQ(woken, (Log{"Doorb", "Trigg", "Corou", "Timer"}));
}

/// Runs `scenario` while no loop can be created, and expects EMFILE.
template <class F>
void expect_too_many_open_files(F scenario) {
  no_descriptors = true;
  try {
    scenario();
    ADD_FAILURE() << "nothing thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EMFILE);
    EXPECT_THAT(error.what(), ::testing::ContainsRegex("[Tt]oo many open files"));
  }
  no_descriptors = false;
}

// R-KIND-4
TEST(Kinds, ALoopThatCannotBeMadeIsAnErrorThatNamesTheReasonAndLeaksNothing) {
  const auto scenario = [] {
    weft::testing::run([] {
      weft::Trigger trigger;
      trigger.fire();
      weft::await(trigger);
    });
  };
  scenario();  // libuv opens what it shares between loops, once
  const auto before = open_descriptors();
  expect_too_many_open_files(scenario);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_NO_THROW(scenario()) << "it works again";
}

// R-KIND-4: on the real clock a delay needs the loop.
TEST(RealTimeKinds, ALoopThatCannotBeMadeFailsADelayToo) {
  std::vector<std::string> warnings;
  const auto scenario = [&] {
    weft::run([] { weft::delay(1ms); }, weft_test::collecting(warnings));
  };
  scenario();  // libuv opens what it shares between loops, once
  const auto before = open_descriptors();
  expect_too_many_open_files(scenario);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
