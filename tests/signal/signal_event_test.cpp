#include "weft/extend/signal_event.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <semaphore>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "dispositions.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::ForeignHandler;
using weft_test::has_default_action;

/// Blocks a signal in this thread, as if inherited from the parent process.
class Blocked {
 public:
  explicit Blocked(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    ::pthread_sigmask(SIG_BLOCK, &one, &before_);
  }
  ~Blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  sigset_t before_{};
};

bool is_blocked(int number) {
  sigset_t present;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &present);
  return sigismember(&present, number) == 1;
}

/// Runs `body` in a process of its own; returns the status of waitpid().
template <class F>
int status_of_child(F body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      ::_exit(body());
    } catch (...) {
      ::_exit(200);
    }
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return status;
}

// R-SIG-1, R-SIG-2, R-REA-10
TEST(SignalEventTest, OneHandlerServesAllEventsAndEachIsNotifiedOfEachDelivery) {
  weft::testing::run([] {
    weft::SignalEvent first{SIGUSR1};
    weft::SignalEvent second{SIGUSR1};
    int notified_first = 0;
    int notified_second = 0;
    Call call_first{[&](weft::Event&, const weft::Outcome& outcome) {
      ASSERT_NE(outcome.value<int>(), nullptr);
      EXPECT_EQ(*outcome.value<int>(), SIGUSR1);
      ++notified_first;
    }};
    Call call_second{[&](weft::Event&, const weft::Outcome&) { ++notified_second; }};
    first.add_callback(call_first);
    second.add_callback(call_second);
    first.start();
    const struct sigaction installed = weft_test::disposition(SIGUSR1);
    second.start();
    EXPECT_EQ(weft_test::disposition(SIGUSR1).sa_sigaction, installed.sa_sigaction);
    ::raise(SIGUSR1);
    ::raise(SIGUSR1);
    ::raise(SIGUSR1);
    EXPECT_EQ(notified_first, 0) << "the handler itself notifies nothing";
    weft::tick_reactor();
    EXPECT_EQ(notified_first, 3);
    EXPECT_EQ(notified_second, 3);
    first.stop();
    ::raise(SIGUSR1);
    weft::tick_reactor();
    EXPECT_EQ(notified_first, 3) << "it is stopped";
    EXPECT_EQ(notified_second, 4);
    first.remove_callback(call_first);
    second.remove_callback(call_second);
    second.stop();
  });
}

// R-SIG-1: a signal notifies the events of its own number only.
TEST(SignalEventTest, OnlyTheEventsOfTheNumberAreNotified) {
  weft::testing::run([] {
    weft::SignalEvent usr1{SIGUSR1};
    weft::SignalEvent usr2{SIGUSR2};
    std::vector<int> notified;
    Call call1{[&](weft::Event&, const weft::Outcome&) { notified.push_back(1); }};
    Call call2{[&](weft::Event&, const weft::Outcome&) { notified.push_back(2); }};
    usr1.add_callback(call1);
    usr2.add_callback(call2);
    usr1.start();
    usr2.start();
    ::raise(SIGUSR2);
    weft::tick_reactor();
    EXPECT_EQ(notified, (std::vector<int>{2}));
    ::raise(SIGUSR1);
    weft::tick_reactor();
    EXPECT_EQ(notified, (std::vector<int>{2, 1}));
    usr1.remove_callback(call1);
    usr2.remove_callback(call2);
  });
}

// R-SIG-3, trap 15, trap 25
TEST(SignalEventTest, TheHandlerIsThereFromTheFirstStartToTheLastStop) {
  ASSERT_TRUE(has_default_action(SIGUSR1));
  weft::testing::run([] {
    weft::SignalEvent first{SIGUSR1};
    weft::SignalEvent second{SIGUSR1};
    EXPECT_TRUE(has_default_action(SIGUSR1)) << "an event that is not started needs none";
    first.start();
    EXPECT_FALSE(has_default_action(SIGUSR1));
    first.start();
    second.start();
    first.stop();
    EXPECT_FALSE(has_default_action(SIGUSR1));
    first.stop();
    first.stop();
    EXPECT_FALSE(has_default_action(SIGUSR1)) << "a stop too many takes nothing from the second";
    second.stop();
    EXPECT_TRUE(has_default_action(SIGUSR1));
  });
}

// R-SIG-3: the previous disposition is restored, with mask and flags.
TEST(SignalEventTest, RestoresThePreviousDispositionExactly) {
  struct sigaction mine {};
  mine.sa_handler = SIG_IGN;
  mine.sa_flags = SA_RESTART;
  sigaddset(&mine.sa_mask, SIGUSR2);
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGUSR1, &mine, &before), 0);
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    EXPECT_NE(weft_test::disposition(SIGUSR1).sa_handler, SIG_IGN);
    event.stop();
  });
  const struct sigaction after = weft_test::disposition(SIGUSR1);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  EXPECT_EQ(after.sa_flags & SA_RESTART, SA_RESTART);
  EXPECT_EQ(sigismember(&after.sa_mask, SIGUSR2), 1);
  ::sigaction(SIGUSR1, &before, nullptr);
}

// R-SIG-3: the end of the runtime restores it without a stop().
TEST(SignalEventTest, TheEndOfTheRuntimeReleasesTheHandler) {
  weft::SignalEvent event{SIGUSR1};
  event.set_hidden(true);
  weft::testing::run([&] {
    event.start();
    EXPECT_FALSE(has_default_action(SIGUSR1));
  });
  EXPECT_FALSE(event.is_armed());
  EXPECT_TRUE(has_default_action(SIGUSR1));
}

// R-SIG-5, trap 25
TEST(SignalEventTest, AHandlerThatWasThereBeforeIsCalledWithAValidRecord) {
  const ForeignHandler foreign{SIGUSR1};
  weft::testing::run([&] {
    weft::SignalEvent event{SIGUSR1};
    auto waiter = weft::spawn([&] { weft::await(event); });
    weft::testing::settle();
    ASSERT_FALSE(foreign.is_installed());
    ::kill(::getpid(), SIGUSR1);
    weft::await(waiter);
    EXPECT_EQ(ForeignHandler::calls(), 1);
    EXPECT_TRUE(ForeignHandler::had_info());
    EXPECT_EQ(ForeignHandler::seen_number(), SIGUSR1);
    EXPECT_EQ(ForeignHandler::sender(), ::getpid());
    EXPECT_TRUE(foreign.is_installed()) << "the last wait has ended";
  });
  ::raise(SIGUSR1);
  EXPECT_EQ(ForeignHandler::calls(), 2) << "and now without weft";
}

volatile std::sig_atomic_t plain_calls = 0;

// R-SIG-5: a handler without SA_SIGINFO, which gets only the number.
TEST(SignalEventTest, APlainHandlerThatWasThereBeforeIsCalledToo) {
  plain_calls = 0;
  auto* const before = ::signal(SIGUSR1, [](int number) {
    if (number == SIGUSR1) plain_calls = plain_calls + 1;
  });
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    ::raise(SIGUSR1);
    event.stop();
  });
  EXPECT_EQ(plain_calls, 1);
  ::signal(SIGUSR1, before);
}

// R-SIG-5: a handler that is installed over weft's. The next start() installs weft's over it.
TEST(SignalEventTest, AHandlerAddedMeanwhileKeepsFiring) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    event.add_callback(call);
    event.start();
    {
      const ForeignHandler foreign{SIGUSR1};
      ::raise(SIGUSR1);
      EXPECT_EQ(ForeignHandler::calls(), 1);
      weft::SignalEvent another{SIGUSR1};
      another.start();
      ::raise(SIGUSR1);
      weft::tick_reactor();
      EXPECT_EQ(ForeignHandler::calls(), 2);
      EXPECT_EQ(notified, 1);
      another.stop();
      event.stop();
      EXPECT_TRUE(foreign.is_installed()) << "the handler that was there before is restored";
    }
    event.remove_callback(call);
  });
  struct sigaction clean {};
  clean.sa_handler = SIG_DFL;
  ::sigaction(SIGUSR1, &clean, nullptr);
}

// R-SIG-5: stop() does not remove a handler that was installed over weft's.
TEST(SignalEventTest, LeavingDoesNotTouchAHandlerInstalledOverOurs) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    const ForeignHandler foreign{SIGUSR1};
    event.stop();
    EXPECT_TRUE(foreign.is_installed());
    ::raise(SIGUSR1);
    EXPECT_EQ(ForeignHandler::calls(), 1);
  });
  // The foreign handler has restored the one it found, weft's, but no event is armed: the default
  // action is taken.
  const int status = status_of_child([] {
    ::raise(SIGUSR1);
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGUSR1);
  struct sigaction clean {};
  clean.sa_handler = SIG_DFL;
  ::sigaction(SIGUSR1, &clean, nullptr);
}

struct sigaction chained {};
volatile std::sig_atomic_t chaining_calls = 0;

// R-SIG-5: a handler that was installed over weft's calls weft's, which later is installed over it.
TEST(SignalEventTest, TwoHandlersThatCallEachOtherDoNotGoInCircles) {
  chaining_calls = 0;
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    struct sigaction polite {};
    polite.sa_flags = SA_SIGINFO;
    polite.sa_sigaction = [](int number, siginfo_t* info, void* context) {
      chaining_calls = chaining_calls + 1;
      chained.sa_sigaction(number, info, context);
    };
    ::sigaction(SIGUSR1, &polite, &chained);
    weft::SignalEvent another{SIGUSR1};
    another.start();
    ::raise(SIGUSR1);
    EXPECT_EQ(chaining_calls, 1);
  });
  struct sigaction clean {};
  clean.sa_handler = SIG_DFL;
  ::sigaction(SIGUSR1, &clean, nullptr);
}

// R-SIG-6
TEST(SignalEventTest, ASignalWithoutAWaiterKeepsItsDefaultAction) {
  const int status = status_of_child([] {
    weft::testing::run([] {
      weft::SignalEvent other{SIGUSR1};
      other.start();
      ::raise(SIGUSR2);
      other.stop();
    });
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGUSR2);
}

// R-SIG-6: the default action is restored after an event was notified, too.
TEST(SignalEventTest, TheDefaultActionIsBackWhenTheLastOneLeft) {
  const int status = status_of_child([] {
    weft::testing::run([] {
      weft::SignalEvent event{SIGUSR1};
      event.start();
      ::raise(SIGUSR1);
      event.stop();
      ::raise(SIGUSR1);
    });
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGUSR1);
}

// R-SIG-7
TEST(SignalThreadTest, EveryRuntimeThatWaitsReceivesASignalToTheProcess) {
  constexpr int runtimes = 4;
  std::counting_semaphore<runtimes> listening{0};
  std::atomic<int> received{0};
  std::vector<std::thread> threads;
  threads.reserve(runtimes);
  for (int i = 0; i < runtimes; ++i) {
    threads.emplace_back([&] {
      weft::run([&] {
        weft::SignalEvent event{SIGUSR1};
        auto waiter = weft::spawn([&] {
          weft::await(event);
          ++received;
        });
        weft::testing::settle();
        listening.release();
        weft::await(waiter);
      });
    });
  }
  for (int i = 0; i < runtimes; ++i) listening.acquire();
  ::kill(::getpid(), SIGUSR1);  // one thread runs the handler
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(received.load(), runtimes);
  EXPECT_TRUE(has_default_action(SIGUSR1));
}

// R-SIG-1, R-SIG-7: handlers run in one thread while events of other threads are started and
// stopped.
TEST(SignalThreadTest, ReactorsComeAndGoWhileSignalsArrive) {
  std::atomic<bool> over{false};
  const ForeignHandler foreign{SIGUSR1};  // a late signal does no harm
  std::thread sender{[&] {
    while (!over.load()) {
      ::kill(::getpid(), SIGUSR1);
      std::this_thread::yield();
    }
  }};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 50; ++round) {
        weft::run([] {
          weft::SignalEvent event{SIGUSR1};
          weft::await(event);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  over = true;
  sender.join();
  EXPECT_TRUE(foreign.is_installed());
  EXPECT_GT(ForeignHandler::calls(), 0);
}

// A storm of signals does not keep timers from firing.
TEST(RealTimeSignalThreadTest, AStormLeavesTheTimersAlone) {
  std::atomic<bool> over{false};
  std::atomic<bool> begun{false};
  int ticks = 0;
  std::uint64_t received = 0;
  std::thread sender;
  weft::run([&] {
    weft::SignalEvent event{SIGUSR1};
    Call call{[&](weft::Event&, const weft::Outcome&) { ++received; }};
    event.add_callback(call);
    event.start();
    sender = std::thread{[&] {
      while (!over.load()) {
        ::kill(::getpid(), SIGUSR1);
        begun = true;
        std::this_thread::sleep_for(50us);
      }
    }};
    while (!begun.load()) weft::suspend();
    for (const auto end = weft::now() + 200ms; weft::now() < end; weft::delay(1ms)) ++ticks;
    over = true;
    sender.join();
    event.remove_callback(call);
    event.stop();
  });
  EXPECT_GT(ticks, 40);
  EXPECT_GT(received, 100U);
}

// R-OBS-3
TEST(SignalEventTest, DescribesItself) {
  EXPECT_EQ(weft::SignalEvent{2}.info(), "Signal(signum=2)");
}

// R-KIND-4
TEST(SignalEventTest, RefusesWhatIsNoSignal) {
  EXPECT_THROW(weft::SignalEvent{0}, weft::ValueError);
  EXPECT_THROW(weft::SignalEvent{-1}, weft::ValueError);
  EXPECT_THROW(weft::SignalEvent{65}, weft::ValueError);
  EXPECT_THROW(weft::SignalEvent{SIGSEGV}, weft::ValueError);
}

// R-KIND-4
TEST(SignalEventTest, ANumberTheSystemRefusesIsAnErrorThatLeavesNothingBehind) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGKILL};
    try {
      weft::await(event);
      FAIL() << "SIGKILL cannot be awaited";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EINVAL);
      EXPECT_NE(std::string{error.what()}.find("listen for signal 9"), std::string::npos);
    }
    EXPECT_FALSE(event.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-EVT-13, R-HID-1, R-SIG-2
TEST(SignalEventTest, AWaiterIsWokenAndLeavesNothingArmed) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    bool woken = false;
    auto waiter = weft::spawn([&] {
      weft::await(event);
      woken = true;
    });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    ::raise(SIGUSR1);
    weft::await(waiter);
    EXPECT_TRUE(woken);
    EXPECT_FALSE(event.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_FALSE(event.is_closed()) << "it can be waited for again";
  });
}

// trap 75: the signal mask is inherited from the parent process, and blocked signals never arrive.
TEST(SignalEventTest, ReceivesWhatItsThreadHasBlockedAndLeavesTheMaskAsItWas) {
  const Blocked blocked{SIGUSR1};
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    ::raise(SIGUSR1);  // pending, and delivered when an event is armed
    weft::await(event);
    EXPECT_TRUE(is_blocked(SIGUSR1));
    {
      weft::SignalEvent other{SIGUSR1};
      event.start();
      other.start();
      EXPECT_FALSE(is_blocked(SIGUSR1));
      event.stop();
      EXPECT_FALSE(is_blocked(SIGUSR1)) << "another event listens";
    }
    EXPECT_TRUE(is_blocked(SIGUSR1));
    event.start();
  });
  EXPECT_TRUE(is_blocked(SIGUSR1)) << "the end of the runtime leaves it as it was, too";
}

TEST(SignalEventTest, WhatIsNotBlockedStaysSo) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    event.stop();
    EXPECT_FALSE(is_blocked(SIGUSR1));
  });
}

// R-SIG-2: if the event stays started, a loop of waits misses no signal.
TEST(SignalEventTest, WhatComesBetweenTwoWaitsIsKeptForTheNext) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    ::raise(SIGUSR1);
    ::raise(SIGUSR1);
    weft::tick_reactor();
    weft::await(event);
    EXPECT_TRUE(event.is_armed());
    weft::Timer timer{10ms};
    EXPECT_THROW(weft::await(event, timer), weft::OperationCancelled)
        << "two signals became one notification";
    ::raise(SIGUSR1);
    weft::tick_reactor();
    event.stop();
    event.start();
    weft::Timer another{10ms};
    EXPECT_THROW(weft::await(event, another), weft::OperationCancelled)
        << "stop() drops kept signals";
    event.stop();
  });
}

// R-CAN-1, R-SIG-3
TEST(SignalEventTest, ACancelledWaiterReleasesTheHandlerUnlessOthersWait) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    auto first = weft::spawn([&] { weft::await(event); });
    auto second = weft::spawn([&] { weft::await(event); });
    weft::testing::settle();
    first.cancel();
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    EXPECT_FALSE(has_default_action(SIGUSR1));
    ::raise(SIGUSR1);
    weft::await(second);
    EXPECT_TRUE(has_default_action(SIGUSR1));
  });
}

// R-CB-6, trap 12: a callback may stop and drop the other events.
TEST(SignalEventTest, OneNotifiedFirstMayStopTheNextAndStartANewOne) {
  weft::testing::run([] {
    weft::SignalEvent first{SIGUSR1};
    auto second = weft::make_ref<weft::SignalEvent>(SIGUSR1);
    weft::SignalEvent third{SIGUSR1};
    weft::SignalEvent late{SIGUSR1};
    std::vector<std::string> notified;
    Call call_second{[&](weft::Event&, const weft::Outcome&) { notified.emplace_back("second"); }};
    Call call_third{[&](weft::Event&, const weft::Outcome&) { notified.emplace_back("third"); }};
    Call call_late{[&](weft::Event&, const weft::Outcome&) { notified.emplace_back("late"); }};
    Call call_first{[&](weft::Event&, const weft::Outcome&) {
      notified.emplace_back("first");
      if (second) second->remove_callback(call_second);
      if (second) second->stop();
      second = nullptr;
      if (!late.is_armed()) late.start();
    }};
    first.add_callback(call_first);
    second->add_callback(call_second);
    third.add_callback(call_third);
    late.add_callback(call_late);
    first.start();
    second->start();
    third.start();
    ::raise(SIGUSR1);
    weft::tick_reactor();
    EXPECT_EQ(notified, (std::vector<std::string>{"first", "third"}));
    ::raise(SIGUSR1);
    weft::tick_reactor();
    EXPECT_EQ(notified, (std::vector<std::string>{"first", "third", "first", "third", "late"}));
    first.remove_callback(call_first);
    third.remove_callback(call_third);
    late.remove_callback(call_late);
  });
}

// R-HID-2, R-DLK-9
TEST(SignalEventTest, AHiddenOneDoesNotHideADeadlock) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::testing::run(
                   [] {
                     weft::SignalEvent event{SIGUSR1};
                     event.set_hidden(true);
                     weft::await(event);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
  EXPECT_TRUE(has_default_action(SIGUSR1));
}

// R-REA-13, R-SIG-6, trap 25: the child of a plain fork has no loop, so weft does not handle the
// signal.
TEST(SignalForkTest, TheChildOfAPlainForkHasTheOldDisposition) {
  weft::testing::run([] {
    weft::SignalEvent event{SIGUSR1};
    event.start();
    const int status = status_of_child([] {
      if (!has_default_action(SIGUSR1)) return 1;
      ::raise(SIGUSR1);
      return 0;
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGUSR1);
    EXPECT_FALSE(has_default_action(SIGUSR1)) << "nothing changed for the parent";
    event.stop();
  });
}

// R-REA-13, R-SIG-3, trap 25
TEST(SignalForkTest, TheChildOfAWeftForkReceivesItsOwnSignals) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  weft::run([] {
    weft::SignalEvent event{SIGUSR1};
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    event.add_callback(call);
    event.start();
    const int pid = weft::fork();
    if (pid == 0) {
      ::raise(SIGUSR1);
      weft::tick_reactor();
      ::_exit(notified == 1 ? 42 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 42);
    weft::tick_reactor();
    EXPECT_EQ(notified, 0) << "what the child received is not the parent's";
    ::raise(SIGUSR1);
    weft::tick_reactor();
    EXPECT_EQ(notified, 1);
    event.remove_callback(call);
    event.stop();
  });
}

// R-SIG-2, trap 15
TEST(SignalEventTest, CancellingAnywhereLeavesNothingBehind) {
  const auto report = weft::testing::explore(
      [] {
        weft::SignalEvent event{SIGUSR1};
        const auto wait = [&] {
          try {
            weft::await(event, weft::timeout(10ms));  // the sender may have been cancelled
          } catch (const weft::OperationCancelled&) {
          }
        };
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn(wait);
          scope.spawn(wait);
          scope.spawn([] {
            weft::delay(1ms);
            if (!has_default_action(SIGUSR1)) ::raise(SIGUSR1);
          });
        });
        if (!has_default_action(SIGUSR1)) weft::testing::fail("the handler is still there");
      },
      {.schedules = weft::testing::fifo, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 1U);
}

}  // namespace
