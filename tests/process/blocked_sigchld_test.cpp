#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "children.hpp"
#include "context/sanitizer.hpp"
#include "support.hpp"
#include "weft/exec.hpp"
#include "weft/process.hpp"

// Children of a program that was started with SIGCHLD blocked, or has blocked it.
namespace {

using namespace std::chrono_literals;

/// Runs `body` in a process of its own, in which all threads have SIGCHLD blocked, and returns its
/// result. A process that hangs is killed.
template <class F>
int result_where_sigchld_is_blocked(F body) {
  const int pid = weft_test::start_child([&] {
    ::alarm(20);
    sigset_t child_exit{};
    sigemptyset(&child_exit);
    sigaddset(&child_exit, SIGCHLD);
    ::pthread_sigmask(SIG_BLOCK, &child_exit, nullptr);
    return weft::run(body);
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// R-PRC-1, R-PRC-4
TEST(BlockedChildSignalForkTest, EveryWaitForAChildEndsAllTheSame) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  EXPECT_EQ(result_where_sigchld_is_blocked([] {
              return weft::exec({"sh", "-c", "exit 41"}).exit_code;
            }),
            41);
  EXPECT_EQ(result_where_sigchld_is_blocked([] {
              weft::Process child = weft::Process::start({"sh", "-c", "sleep 0.01; exit 42"});
              return child.wait();
            }),
            42);
  EXPECT_EQ(result_where_sigchld_is_blocked([] {
              weft_test::HeldChild child{43};
              auto one = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
              auto two = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
              weft::testing::settle();
              child.release();
              return weft::await(one) == weft::await(two) ? 43 : 1;
            }),
            43);
}

// R-PRC-1
TEST(BlockedChildSignalForkTest, AWaitThatWasGivenUpCanBeginAgain) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  EXPECT_EQ(result_where_sigchld_is_blocked([] {
              weft_test::HeldChild child{44};
              auto first = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
              weft::testing::settle();
              first.cancel();
              weft::testing::settle();
              auto second = weft::spawn([&] { return weft::await(weft::process(child.pid())); });
              weft::testing::settle();
              child.release();
              return weft::await(second);
            }),
            44);
}

/// Whether the loop collects `pid` within a few seconds.
bool is_collected_soon(int pid) {
  for (int i = 0; i < 1'000 && !weft_test::is_collected(pid); ++i) weft::delay(5ms);
  return weft_test::is_collected(pid);
}

// R-PRC-4: a child that no event waits for is collected, too.
TEST(RealTimeBlockedChildSignalForkTest, OneWithoutAWaiterIsCollected) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  EXPECT_EQ(result_where_sigchld_is_blocked([] {
              weft::Process detached = weft::Process::start({"sh", "-c", "sleep 0.01"});
              const int first = detached.pid();
              detached.detach();
              int second = -1;
              {
                const weft::Process terminated = weft::Process::start({"sleep", "100"});
                second = terminated.pid();
              }
              return is_collected_soon(first) && is_collected_soon(second) ? 45 : 1;
            }),
            45);
}

}  // namespace
