#include "weft/process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "context/sanitizer.hpp"
#include "dispositions.hpp"
#include "support.hpp"
#include "valgrind.hpp"

namespace {

using namespace std::chrono_literals;

void write_text(weft::Pipe& pipe, std::string_view text) {
  pipe.write_all(text);
  pipe.close();
}

TEST(ProcessTest, StartsAProgramAndReturnsItsExitCode) {
  weft::run([] {
    weft::Process child = weft::Process::start({"/bin/sh", "-c", "exit 6"});
    EXPECT_GT(child.pid(), 0);
    EXPECT_EQ(child.wait(), 6);
    EXPECT_EQ(child.wait(), 6) << "any number of times";
    EXPECT_TRUE(weft_test::is_collected(child.pid()));
    child.kill();  // does nothing: the child has ended
  });
}

// R-PRC-3
TEST(ProcessTest, KillSendsASignalAndWaitReportsIt) {
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"});
    child.kill(0);
    child.kill();
    EXPECT_EQ(child.wait(), -SIGTERM);
    EXPECT_THROW(weft::Process::start({"sleep", "1000"}).kill(999), std::system_error);
  });
}

TEST(ProcessTest, PipedStreamsAreOursToReadAndWrite) {
  weft::run([] {
    weft::Process child = weft::Process::start(
        {"/bin/sh", "-c", "sort; echo done >&2"},
        {.stdin_ = weft::piped, .stdout_ = weft::piped, .stderr_ = weft::piped});
    EXPECT_NE(::fcntl(child.stdin_().descriptor(), F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(::fcntl(child.stdin_().descriptor(), F_GETFD) & FD_CLOEXEC, 0);
    write_text(child.stdin_(), "b\nc\na\n");
    EXPECT_EQ(child.stdout_().read_all(), "a\nb\nc\n");
    EXPECT_EQ(child.stderr_().read_all(), "done\n");
    EXPECT_EQ(child.wait(), 0);
  });
}

TEST(ProcessTest, ADiscardedStreamIsEmptyAndOneWithOutputJoinsIt) {
  weft::run([] {
    weft::Process child = weft::Process::start(
        {"/bin/sh", "-c", "cat; echo out; echo err >&2"},
        {.stdin_ = weft::null, .stdout_ = weft::piped, .stderr_ = weft::with_output});
    EXPECT_EQ(child.stdout_().read_all(), "out\nerr\n");
    EXPECT_FALSE(child.stderr_().is_open());
    EXPECT_EQ(child.wait(), 0);
    EXPECT_THROW(static_cast<void>(weft::Process::start({"cat"}, {.stdin_ = weft::with_output})),
                 weft::ValueError);
  });
}

// R-CAN-1: a child that never writes.
TEST(ProcessTest, AReadFromASilentChildCanBeCancelled) {
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"}, {.stdout_ = weft::piped});
    auto reader = weft::spawn([&] { return child.stdout_().read_line(); });
    weft::testing::settle();
    reader.cancel();
    EXPECT_THROW(weft::await(reader), weft::Cancelled);
    child.kill();
    EXPECT_EQ(child.stdout_().read_line(), std::nullopt);
    EXPECT_EQ(child.wait(), -SIGTERM);
  });
}

// More data than a pipe holds, in both directions.
TEST(ProcessTest, ReadsAndWritesAtTheSameTime) {
  weft::run([] {
    weft::Process child =
        weft::Process::start({"cat"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
    const std::string text(1'000'000, 'x');
    auto writer = weft::spawn([&] { write_text(child.stdin_(), text); });
    EXPECT_EQ(child.stdout_().read_all(), text);
    weft::await(writer);
    EXPECT_EQ(child.wait(), 0);
  });
}

// Two children at once: neither holds the other's pipe open.
TEST(ProcessTest, NoChildHoldsThePipesOfAnother) {
  weft::run([] {
    const weft::ChildStream piped = weft::piped;
    weft::Process first = weft::Process::start({"cat"}, {.stdin_ = piped, .stdout_ = piped});
    weft::Process second = weft::Process::start({"cat"}, {.stdin_ = piped, .stdout_ = piped});
    write_text(first.stdin_(), "x");
    EXPECT_EQ(first.stdout_().read_all(), "x");
    EXPECT_EQ(first.wait(), 0) << "it saw the end of its input though the second still runs";
    write_text(second.stdin_(), "y");
    EXPECT_EQ(second.wait(), 0);
    weft::Process lister = weft::Process::start({"ls", "/proc/self/fd"}, {.stdout_ = piped});
    EXPECT_EQ(lister.stdout_().read_all(), "0\n1\n2\n3\n") << "3 is the directory it reads";
    EXPECT_EQ(lister.wait(), 0);
  });
}

TEST(ProcessTest, DirectoryAndEnvironmentAreTheOnesGiven) {
  weft::run([] {
    weft::Process child = weft::Process::start(
        {"/bin/sh", "-c", "pwd; echo $A"},
        {.stdout_ = weft::piped, .directory = "/", .environment = std::vector<std::string>{"A=1"}});
    EXPECT_EQ(child.stdout_().read_all(), "/\n1\n");
    EXPECT_EQ(child.wait(), 0);
  });
}

TEST(ProcessTest, AProgramThatCannotStartIsAnError) {
  if (weft_test::is_under_valgrind()) GTEST_SKIP() << weft_test::valgrind_hides_failed_starts;
  weft::run([] {
    EXPECT_THROW(static_cast<void>(weft::Process::start({"no-such-program-at-all"})),
                 std::system_error);
    EXPECT_THROW(static_cast<void>(weft::Process::start({})), weft::ValueError);
  });
  EXPECT_THROW(static_cast<void>(weft::Process::start({"true"})), weft::MisuseError);
}

// R-CAN-1
TEST(ProcessTest, ACancelledWaitLeavesItRunning) {
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"});
    auto waiter = weft::spawn([&] { child.wait(); });
    weft::testing::settle();
    waiter.cancel();
    EXPECT_THROW(weft::await(waiter), weft::Cancelled);
    EXPECT_FALSE(weft_test::is_zombie(child.pid()));
    EXPECT_EQ(weft::stats().active_events, 0U);
    child.kill(SIGKILL);
    EXPECT_EQ(child.wait(), -SIGKILL);
  });
}

TEST(RealTimeProcessTest, AWaitWithATimeoutThrowsTimedOutItself) {
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"});
    EXPECT_THROW(child.wait(weft::timeout(10ms)), weft::TimedOut);
    child.kill();
    EXPECT_EQ(child.wait(weft::timeout(10s)), -SIGTERM);
  });
}

// The destructor of a Process terminates and collects a running child.
TEST(ProcessTest, ARunningOneIsTerminatedWithItsOwner) {
  weft::run([] {
    int pid = -1;
    {
      const weft::Process child = weft::Process::start({"sleep", "1000"});
      pid = child.pid();
    }
    while (!weft_test::is_collected(pid)) weft::delay(1ms);
    weft::Process one = weft::Process::start({"sleep", "1000"});
    pid = one.pid();
    one = weft::Process::start({"true"});
    while (!weft_test::is_collected(pid)) weft::delay(1ms);
    EXPECT_EQ(one.wait(), 0);
    weft::Process moved = std::move(one);
    EXPECT_EQ(moved.wait(), 0);
    const weft::Process& empty = one;  // NOLINT(bugprone-use-after-move)
    EXPECT_THROW(static_cast<void>(empty.pid()), weft::MisuseError);
  });
}

TEST(ProcessTest, OneThatEndedWithoutAWaiterIsCollected) {
  weft::run([] {
    int pid = -1;
    {
      const weft::Process child = weft::Process::start({"true"});
      pid = child.pid();
      weft_test::wait_until_dead(pid);
    }
    EXPECT_TRUE(weft_test::is_collected(pid));
  });
}

TEST(ProcessTest, ADetachedOneGoesOnAndIsCollectedInTheEnd) {
  weft::run([] {
    weft::Process child = weft::Process::start({"cat"}, {.stdin_ = weft::piped});
    const int pid = child.pid();
    weft::Pipe input = std::move(child.stdin_());
    child.detach();
    EXPECT_THROW(static_cast<void>(child.pid()), weft::MisuseError);
    EXPECT_FALSE(weft_test::has_default_action(SIGCHLD));
    EXPECT_EQ(::kill(pid, 0), 0) << "it runs";
    EXPECT_FALSE(weft_test::is_zombie(pid));
    EXPECT_EQ(weft::stats().active_events, 0U) << "it keeps no program alive";
    input.close();
    while (!weft_test::is_collected(pid)) weft::delay(1ms);
    EXPECT_TRUE(weft_test::has_default_action(SIGCHLD));
  });
}

// R-PRC-3, R-SIG-4: a program that ignores SIGCHLD, so that the kernel collects its children.
TEST(ProcessTest, ReturnsTheExitCodeThoughTheProgramIgnoresItsChildren) {
  auto* const before = ::signal(SIGCHLD, SIG_IGN);
  weft::run([] {
    {
      weft::Process child = weft::Process::start({"sh", "-c", "exit 3"}, {.stdout_ = weft::piped});
      EXPECT_EQ(child.stdout_().read_all(), "");
      weft_test::wait_until_dead(child.pid());  // ends before a coroutine waits for it
      EXPECT_TRUE(weft_test::is_zombie(child.pid()));
      EXPECT_EQ(child.wait(), 3);
      EXPECT_EQ(weft_test::disposition(SIGCHLD).sa_handler, SIG_IGN);
    }
    const weft::Process dropped = weft::Process::start({"true"});
  });
  EXPECT_EQ(weft_test::disposition(SIGCHLD).sa_handler, SIG_IGN);
  ::signal(SIGCHLD, before);
}

// trap 76: a child inherits ignored signals, and then cannot be terminated.
TEST(ProcessTest, EndsAtSIGTERMThoughTheProgramIgnoresIt) {
  auto* const before = ::signal(SIGTERM, SIG_IGN);
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "10"});
    child.kill();
    EXPECT_EQ(child.wait(), -SIGTERM);
  });
  ::signal(SIGTERM, before);
}

// trap 19: a detached child is collected even if a coroutine is always ready.
TEST(ProcessTest, ADetachedOneIsCollectedWhileOthersAreBusy) {
  weft::run([] {
    weft::Process child = weft::Process::start({"true"});
    const int pid = child.pid();
    child.detach();
    auto other = weft::spawn([] {
      for (int i = 0; i < 3; ++i) weft::suspend();
    });
    while (!weft_test::is_collected(pid)) weft::suspend();
    weft::await(other);
  });
}

TEST(ProcessTest, OneThatOutlivesTheRuntimeIsKilledWithItsOwner) {
  std::optional<weft::Process> kept;
  weft::run([&] { kept.emplace(weft::Process::start({"sleep", "1000"})); });
  const int pid = kept->pid();
  EXPECT_FALSE(weft_test::is_collected(pid));
  kept.reset();
  EXPECT_TRUE(weft_test::is_collected(pid));
}

// R-REA-13, trap 25: a forked child has a copy of the Process object, but is not the parent.
TEST(ProcessForkTest, TheChildOfAForkTerminatesNoProcess) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  weft::run([] {
    std::optional<weft::Process> child = weft::Process::start({"sleep", "1000"});
    const int forked = weft::fork();
    if (forked == 0) {
      child->kill(SIGKILL);
      child.reset();
      ::_exit(42);
    }
    EXPECT_EQ(weft::await(weft::process(forked)), 42);
    EXPECT_FALSE(weft_test::is_zombie(child->pid()));
    EXPECT_EQ(::kill(child->pid(), 0), 0) << "it runs";
  });
}

// A write to a child that has ended is an error, without SIGPIPE.
TEST(ProcessTest, WritingToAChildThatIsGoneKillsNoProcess) {
  weft::run([] {
    weft::Process child = weft::Process::start({"true"}, {.stdin_ = weft::piped});
    EXPECT_EQ(child.wait(), 0);
    try {
      child.stdin_().write_all("x");
      FAIL() << "a write without a reader must fail";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EPIPE);
    }
  });
}

}  // namespace
