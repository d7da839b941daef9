#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "support.hpp"

// R-SIG-6: weft handles SIGSEGV for overflows of stacks only; every other SIGSEGV must end as
// without weft. Each test also runs the same fault before a runtime exists, for comparison.
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

constexpr bool sanitized = WEFT_ASAN != 0 || WEFT_TSAN != 0;

#define SKIP_IF_SANITIZED() \
  if (sanitized) GTEST_SKIP() << "the sanitizer has the handler"

void fault() {
  volatile std::uintptr_t nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

void say(const char* text, std::size_t size) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, size);
}

void leave(int /*number*/) {
  say("my handler\n", 11);
  ::_exit(7);
}

void leave_if_from_here(int number, siginfo_t* info, void* context) {
  const bool raised = info->si_code <= 0 && info->si_pid == ::getpid();
  const bool faulted = info->si_code > 0 && reinterpret_cast<std::uintptr_t>(info->si_addr) == 16;
  ::_exit(number == SIGSEGV && context != nullptr && (raised || faulted) ? 7 : 8);
}

volatile std::sig_atomic_t calls = 0;
void count(int /*number*/) { calls = calls + 1; }

void set(void (*handler)(int), int flags = 0, int blocked = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  if (blocked != 0) sigaddset(&action.sa_mask, blocked);
  ::sigaction(SIGSEGV, &action, nullptr);
}

/// Where a fault may happen: in a run, and after one.
void in_a_run(void (*body)()) {
  weft::testing::run([&] { weft::await(weft::spawn([&] { body(); })); });
}
void after_a_run(void (*body)()) {
  weft::testing::run([] {});
  body();
}
constexpr auto places = {&in_a_run, &after_a_run};

void raise_it() { ::raise(SIGSEGV); }

class FaultHandlerDeathTest : public ::testing::TestWithParam<void (*)(void (*)())> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
INSTANTIATE_TEST_SUITE_P(InARunAndAfterIt, FaultHandlerDeathTest, ::testing::ValuesIn(places));

TEST_P(FaultHandlerDeathTest, WithoutOneARaisedSignalKills) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT(GetParam()(&raise_it), KilledBySignal(SIGSEGV), "");
}

TEST_P(FaultHandlerDeathTest, OfTheProgramIsCalledForARaisedSignal) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT((set(&leave), GetParam()(&raise_it)), ExitedWithCode(7), "my handler");
}

TEST_P(FaultHandlerDeathTest, OfTheProgramIsCalledForAFault) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT((set(&leave), GetParam()(&fault)), ExitedWithCode(7), "my handler");
}

void set_with_information() {
  struct sigaction action {};
  action.sa_sigaction = &leave_if_from_here;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGSEGV, &action, nullptr);
}

TEST_P(FaultHandlerDeathTest, OfTheProgramGetsTheInformationItAskedFor) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT((set_with_information(), GetParam()(&fault)), ExitedWithCode(7), "");
  EXPECT_EXIT((set_with_information(), GetParam()(&raise_it)), ExitedWithCode(7), "");
}

TEST_P(FaultHandlerDeathTest, ThatIgnoresLetsARaisedSignalPass) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT(
      {
        set(SIG_IGN);
        GetParam()([] {
          ::raise(SIGSEGV);
          ::raise(SIGSEGV);
        });
        ::_exit(7);
      },
      ExitedWithCode(7), "");
}

// The kernel does not let a fault be ignored.
TEST_P(FaultHandlerDeathTest, ThatIgnoresDoesNotSurviveAFault) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT((set(SIG_IGN), GetParam()(&fault)), KilledBySignal(SIGSEGV), "");
}

TEST_P(FaultHandlerDeathTest, ThatReturnsIsCalledEachTime) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT(
      {
        set(&count);
        GetParam()([] {
          ::raise(SIGSEGV);
          ::raise(SIGSEGV);
        });
        ::_exit(calls == 2 ? 7 : 8);
      },
      ExitedWithCode(7), "");
}

TEST_P(FaultHandlerDeathTest, ForOneTimeIsCalledOnce) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT(
      {
        set(&count, static_cast<int>(SA_RESETHAND));
        GetParam()([] {
          ::raise(SIGSEGV);
          if (calls != 1) ::_exit(8);
          ::raise(SIGSEGV);
        });
        ::_exit(9);
      },
      KilledBySignal(SIGSEGV), "");
}

void leave_with_mask(int /*number*/) {
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  ::_exit((sigismember(&mask, SIGUSR1) != 0 ? 1 : 0) + (sigismember(&mask, SIGSEGV) != 0 ? 2 : 0));
}

TEST_P(FaultHandlerDeathTest, OfTheProgramRunsWithTheSignalsBlockedThatItAskedFor) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT((set(&leave_with_mask), GetParam()(&fault)), ExitedWithCode(2), "");
  EXPECT_EXIT((set(&leave_with_mask, 0, SIGUSR1), GetParam()(&fault)), ExitedWithCode(3), "");
  EXPECT_EXIT((set(&leave_with_mask, SA_NODEFER), GetParam()(&fault)), ExitedWithCode(0), "");
}

sigjmp_buf back;
void jump_back(int /*number*/) { siglongjmp(back, 1); }

// Like an interpreter that turns a fault into an error of its language.
TEST_P(FaultHandlerDeathTest, OfTheProgramMayJumpOut) {
  SKIP_IF_SANITIZED();
  EXPECT_EXIT(
      {
        set(&jump_back);
        GetParam()([] {
          for (int i = 0; i < 3; ++i) {
            if (sigsetjmp(back, 1) == 0) fault();
          }
        });
        ::_exit(7);
      },
      ExitedWithCode(7), "");
}

void (*installed())(int) {
  struct sigaction now {};
  ::sigaction(SIGSEGV, nullptr, &now);
  return now.sa_handler;
}

TEST(FaultHandler, IsAsBeforeWhenTheLastRuntimeHasEnded) {
  SKIP_IF_SANITIZED();
  auto* const before = installed();
  for (auto* mine : {&count, SIG_IGN, SIG_DFL}) {
    set(mine);
    {
      const weft::Runtime runtime;
      EXPECT_NE(installed(), mine);
      std::thread{[] { weft::testing::run([] {}); }}.join();
      EXPECT_NE(installed(), mine);  // `runtime` still exists
    }
    EXPECT_EQ(installed(), mine);
  }
  set(before);
}

TEST(FaultHandler, ThatTheProgramSetsDuringARunIsLeftAlone) {
  SKIP_IF_SANITIZED();
  auto* const before = installed();
  weft::testing::run([] { set(&count); });
  EXPECT_EQ(installed(), &count);
  // Not replaced: the handler of the program may call that of weft.
  weft::testing::run([] { EXPECT_EQ(installed(), &count); });
  EXPECT_EQ(installed(), &count);
  set(before);
  weft::testing::run([&] { EXPECT_NE(installed(), before); });
  EXPECT_EQ(installed(), before);
}

struct sigaction underneath;
void pass_on(int number, siginfo_t* info, void* context) {
  calls = calls + 1;
  underneath.sa_sigaction(number, info, context);
}

// A handler that was installed during a run passes faults on to weft's; in later runs both must not
// call each other for ever.
TEST(FaultHandlerDeathTest, ThatPassesOnToWeftDoesNotGoInCircles) {
  SKIP_IF_SANITIZED();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        set(&leave);
        weft::testing::run([] {
          struct sigaction mine {};
          mine.sa_sigaction = &pass_on;
          mine.sa_flags = SA_SIGINFO;
          ::sigaction(SIGSEGV, &mine, &underneath);
        });
        weft::testing::run([] { fault(); });
      },
      ExitedWithCode(7), "my handler");
}

}  // namespace
