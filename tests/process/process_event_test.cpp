#include "weft/extend/process_event.hpp"

#include <csignal>
#include <semaphore>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "context/sanitizer.hpp"
#include "dispositions.hpp"
#include "support.hpp"
#include "weft/process.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::has_default_action;
using weft_test::HeldChild;
using weft_test::start_child;
using weft_test::wait_until_dead;

// R-PRC-1, R-PRC-3
TEST(ProcessEventTest, ReportsTheExitStatusOfAChild) {
  weft::run([] {
    HeldChild child{7};
    auto waiter = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    EXPECT_FALSE(has_default_action(SIGCHLD)) << "found through the child-exit signal";
    EXPECT_EQ(weft::stats().active_events, 1U);
    child.release();
    EXPECT_EQ(weft::await(waiter), 7);
    EXPECT_TRUE(weft_test::is_collected(child.pid())) << "no zombie";
    EXPECT_TRUE(has_default_action(SIGCHLD));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-PRC-3
TEST(ProcessEventTest, ReportsTheSignalThatKilledItAsANegativeNumber) {
  weft::run([] {
    HeldChild child{0};
    auto waiter = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    ::kill(child.pid(), SIGKILL);
    EXPECT_EQ(weft::await(waiter), -SIGKILL);
  });
}

// R-PRC-1: only the children that an event waits for are collected.
TEST(ProcessEventTest, LeavesChildrenWithoutAWaiterAlone) {
  weft::run([] {
    const int foreign = start_child([] { return 3; });
    std::vector<weft::Coroutine<int>> waiters;
    for (int code = 10; code < 15; ++code) {
      const int pid = start_child([code] { return code; });
      waiters.push_back(weft::spawn([pid] { return weft::await(weft::process(pid)); }));
    }
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(weft::await(waiters[static_cast<std::size_t>(i)]), 10 + i);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(foreign, &status, 0), foreign) << "it is still there for its owner";
    EXPECT_EQ(WEXITSTATUS(status), 3);
  });
}

// R-PRC-2, R-REA-10
TEST(ProcessEventTest, ThereIsOneEventForAProcessIdAndAllShareIt) {
  weft::run([] {
    HeldChild child{5};
    const weft::Ref<weft::ProcessEvent> first = weft::process(child.pid());
    const weft::Ref<weft::ProcessEvent> second = weft::process(child.pid());
    EXPECT_EQ(first.get(), second.get());
    auto one = weft::spawn([&] { return weft::await(first); });
    auto two = weft::spawn([&] { return weft::await(second); });
    auto cancelled = weft::spawn([&] { return weft::await(first); });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    cancelled.cancel();
    EXPECT_THROW(weft::await(cancelled), weft::Cancelled);
    child.release();
    EXPECT_EQ(weft::await(one), 5);
    EXPECT_EQ(weft::await(two), 5);
    EXPECT_EQ(weft::await(first), 5) << "the exit code stays known";
    EXPECT_EQ(first->exit_code(), 5);
    EXPECT_TRUE(first->is_closed());
  });
}

// R-PRC-2: two runtimes get the status, which is collected once.
TEST(ProcessThreadTest, TwoRuntimesWaitForTheSameChild) {
  HeldChild child{9};
  std::counting_semaphore<2> waiting{0};
  std::vector<int> codes(2, -100);
  std::vector<std::thread> threads;
  threads.reserve(codes.size());
  for (int& code : codes) {
    threads.emplace_back([&] {
      // Leaves SIGCHLD to the main thread: the thread sanitizer delivers a signal to the coroutine
      // that ran when it arrived, which may never run again.
      sigset_t child_exit{};
      sigaddset(&child_exit, SIGCHLD);
      pthread_sigmask(SIG_BLOCK, &child_exit, nullptr);
      weft::run([&] {
        auto waiter = weft::spawn([&] { code = weft::await(weft::process(child.pid())); });
        weft::testing::settle();
        waiting.release();
      });
    });
  }
  waiting.acquire();
  waiting.acquire();
  child.release();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(codes, (std::vector<int>{9, 9}));
  EXPECT_TRUE(has_default_action(SIGCHLD));
}

// R-PRC-4
TEST(ProcessEventTest, AChildThatIsDeadAlreadyIsReportedAtOnce) {
  weft::run([] {
    const int pid = start_child([] { return 4; });
    wait_until_dead(pid);
    const auto event = weft::process(pid);
    EXPECT_FALSE(event->exit_code().has_value()) << "only a started event collects the child";
    event->start();
    EXPECT_TRUE(event->is_closed());
    EXPECT_EQ(event->exit_code(), 4);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::await(event), 4);
    EXPECT_TRUE(has_default_action(SIGCHLD));
  });
}

// R-PRC-4: children that exit while their event is started.
TEST(ProcessEventTest, NoExitIsMissed) {
  weft::run([] {
    for (int round = 0; round < 50; ++round) {
      const int pid = start_child([] { return 1; });
      EXPECT_EQ(weft::await(weft::process(pid)), 1);
    }
  });
}

// R-PRC-5
TEST(ProcessEventTest, AChildReapedByOtherCodeHasEndedWithMinusOne) {
  weft::run([] {
    const int pid = start_child([] { return 4; });
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(weft::await(weft::process(pid)), -1);
  });
}

// R-PRC-5: other code collects the child while a coroutine waits for it.
TEST(ProcessEventTest, AChildReapedByOtherCodeDuringTheWaitHasEndedWithMinusOne) {
  weft::run([] {
    HeldChild child{4};
    auto waiter = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    child.release();
    int status = 0;
    EXPECT_EQ(::waitpid(child.pid(), &status, 0), child.pid());
    EXPECT_EQ(weft::await(waiter), -1);
  });
}

// R-SIG-4
TEST(ProcessEventTest, TheChildExitHandlerStaysWhileEitherKindNeedsIt) {
  weft::run([] {
    HeldChild child{0};
    const auto process = weft::process(child.pid());
    weft::SignalEvent signal{SIGCHLD};
    process->start();
    signal.start();
    signal.stop();
    EXPECT_FALSE(has_default_action(SIGCHLD)) << "the process event needs it";
    signal.start();
    process->stop();
    EXPECT_FALSE(has_default_action(SIGCHLD)) << "the signal event needs it";
    signal.stop();
    EXPECT_TRUE(has_default_action(SIGCHLD));
    child.release();
    EXPECT_EQ(weft::await(process), 0);
  });
}

// R-SIG-4, R-SIG-2: both events are notified.
TEST(ProcessEventTest, ASignalEventForChildExitsIsNotifiedToo) {
  weft::run([] {
    HeldChild child{6};
    weft::SignalEvent signal{SIGCHLD};
    auto by_signal = weft::spawn([&] { weft::await(signal); });
    auto by_process = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    child.release();
    EXPECT_EQ(weft::await(by_process), 6);
    weft::await(by_signal);
  });
}

// R-SIG-5: a handler that the program has installed for SIGCHLD.
TEST(ProcessEventTest, AHandlerForChildExitsThatWasThereBeforeKeepsFiring) {
  const weft_test::ForeignHandler foreign{SIGCHLD};
  int pid = -1;
  weft::run([&] {
    HeldChild child{6};
    pid = child.pid();
    auto waiter = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    child.release();
    EXPECT_EQ(weft::await(waiter), 6);
  });
  EXPECT_GE(weft_test::ForeignHandler::calls(), 1);
  EXPECT_EQ(weft_test::ForeignHandler::sender(), pid);
  EXPECT_TRUE(foreign.is_installed());
}

// R-CAN-1, trap 15
TEST(ProcessEventTest, ACancelledWaiterLeavesTheChildToBeWaitedForAgain) {
  weft::run([] {
    HeldChild child{8};
    auto waiter = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
    weft::testing::settle();
    waiter.cancel();
    EXPECT_THROW(weft::await(waiter), weft::Cancelled);
    EXPECT_TRUE(has_default_action(SIGCHLD));
    child.release();
    wait_until_dead(child.pid());
    EXPECT_EQ(weft::await(weft::process(child.pid())), 8);
  });
}

// R-RC-4, trap 16: the event is dropped while it is armed.
TEST(ProcessEventTest, DroppingAnArmedEventLeavesNothingBehind) {
  weft::run([] {
    HeldChild child{8};
    {
      const auto event = weft::process(child.pid());
      event->start();
    }
    EXPECT_TRUE(has_default_action(SIGCHLD));
    EXPECT_EQ(weft::stats().active_events, 0U);
    child.release();
    EXPECT_EQ(weft::await(weft::process(child.pid())), 8);
  });
}

// R-SHU-15
TEST(ProcessEventTest, AnEventMayOutliveItsRuntime) {
  HeldChild child{8};
  weft::Ref<weft::ProcessEvent> kept;
  weft::run([&] {
    kept = weft::process(child.pid());
    kept->set_hidden(true);
    kept->start();
  });
  EXPECT_FALSE(kept->is_armed());
  EXPECT_TRUE(has_default_action(SIGCHLD));
  child.release();
  weft::run([&] {
    EXPECT_NE(weft::process(child.pid()).get(), kept.get());
    EXPECT_EQ(weft::await(weft::process(child.pid())), 8);
  });
  kept = nullptr;
}

// R-PRC-2: the status is known as long as an event of the child exists.
TEST(ProcessEventTest, AnEndedChildIsKnownUntilItIsAwaitedNoMore) {
  weft::run([] {
    const int pid = start_child([] { return 1; });
    auto ended = weft::process(pid);
    EXPECT_EQ(weft::await(ended), 1);
    EXPECT_NE(weft::process(pid).get(), ended.get()) << "a closed one is not found again";
    EXPECT_EQ(weft::await(weft::process(pid)), 1);
    ended = nullptr;
    EXPECT_EQ(weft::await(weft::process(pid)), -1);
  });
}

// R-DLK-1, trap 19: the event of a running child is active; a table without events is not.
TEST(ProcessEventTest, AnIdleTableDoesNotHideADeadlock) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::run(
                   [] {
                     const int pid = start_child([] { return 1; });
                     EXPECT_EQ(weft::await(weft::process(pid)), 1);
                     weft_test::Doorbell bell;
                     weft::await(bell);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
}

// R-HID-2
TEST(ProcessEventTest, AHiddenOneDoesNotHideADeadlock) {
  HeldChild child{0};
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::run(
                   [&] {
                     const auto event = weft::process(child.pid());
                     event->set_hidden(true);
                     weft::await(event);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
  child.release();
  int status = 0;
  ::waitpid(child.pid(), &status, 0);
}

// R-OBS-3
TEST(ProcessEventTest, DescribesItself) {
  weft::run([] {
    EXPECT_EQ(weft::process(123)->info(), "Process(pid=123)");
    EXPECT_THROW(static_cast<void>(weft::process(0)), weft::ValueError);
    EXPECT_THROW(static_cast<void>(weft::process(-1)), weft::ValueError);
  });
  EXPECT_THROW(static_cast<void>(weft::process(123)), weft::MisuseError);
}

// A child takes real time: the virtual clock stands still while it runs.
TEST(ProcessEventTest, TheVirtualClockDoesNotJumpOverARunningChild) {
  weft::testing::run([] {
    const int pid = start_child([] {
      ::usleep(20'000);
      return 2;
    });
    weft::Timeout limit{1ms};
    EXPECT_EQ(weft::await(weft::process(pid), limit), 2);
    EXPECT_FALSE(limit.is_completed());
  });
}

// R-REA-13, trap 25: the children of the parent are not those of the child.
TEST(ProcessForkTest, TheChildOfAForkHasNoChildren) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  weft::run([] {
    HeldChild held{3};
    const auto event = weft::process(held.pid());
    event->start();
    const int pid = weft::fork();
    if (pid == 0) ::_exit(event->exit_code() == -1 ? 42 : 1);
    EXPECT_EQ(weft::await(weft::process(pid)), 42);
    EXPECT_FALSE(event->exit_code().has_value());
    held.release();
    EXPECT_EQ(weft::await(event), 3);
    event->stop();
  });
}

}  // namespace
