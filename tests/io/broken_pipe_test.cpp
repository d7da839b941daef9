#include <cerrno>
#include <csignal>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "context/sanitizer.hpp"
#include "descriptors.hpp"
#include "dispositions.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"

// Writes without a reader, in a program in which SIGPIPE is deadly.
namespace {

using weft::Io;
using weft::Ref;
using weft_test::Ends;
using weft_test::error_of;

/// Runs `body` in a child process, where it may make SIGPIPE deadly. Returns the exit code (42 if
/// `body` returned true) or minus the signal.
template <class F>
int end_of_child(F body) {
  const int pid = weft_test::start_child([&] {
    bool well = false;
    weft::testing::run([&] { well = body(); });
    return well ? 42 : 1;
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool is_broken_pipe(const std::exception_ptr& error) {
  return weft_test::code_of(error) == EPIPE || weft_test::code_of(error) == ECONNRESET;
}

// R-IO-6
TEST(BrokenPipeForkTest, NoWriteToASocketIsTheEndOfTheProcess) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  for (const bool tcp : {false, true}) {
    EXPECT_EQ(end_of_child([&] {
                Ends ends = tcp ? Ends::tcp() : Ends::sockets();
                const Ref<Io> io = Io::adopt(ends.here.release());
                weft::File file = weft::File::open("/proc/self/exe");
                ::signal(SIGPIPE, SIG_DFL);
                ::shutdown(io->descriptor(), SHUT_WR);
                const auto parts = io->write(std::vector<std::string>{"one", "two"});
                const auto whole = io->write("three");
                const auto sent = file.io().send_file(*io, 0, 100);
                const auto awaited = error_of([&] { weft::await(*sent); });
                return is_broken_pipe(parts->error()) && is_broken_pipe(whole->error()) &&
                       is_broken_pipe(awaited) && is_broken_pipe(sent->error());
              }),
              42)
        << (tcp ? "TCP" : "unix");
  }
}

// R-IO-6
TEST(BrokenPipeForkTest, AFileSentToAPipeWithoutAReaderIsNotTheEndOfTheProcess) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  EXPECT_EQ(end_of_child([&] {
              Ends ends = Ends::pipe();
              const Ref<Io> io = Io::adopt(ends.there.release());
              ends.here.reset();
              weft::File file = weft::File::open("/proc/self/exe");
              ::signal(SIGPIPE, SIG_DFL);
              const auto sent = file.io().send_file(*io, 0, 100);
              return is_broken_pipe(error_of([&] { weft::await(*sent); }));
            }),
            42);
}

bool is_pending(int number) {
  sigset_t pending{};
  sigpending(&pending);
  return sigismember(&pending, number) == 1;
}

bool is_blocked(int number) {
  sigset_t mask{};
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, number) == 1;
}

/// Whether every way to write to a pipe without a reader fails with an error.
bool all_writes_fail() {
  Ends ends = Ends::pipe();
  const Ref<Io> io = Io::adopt(ends.there.release());
  ends.here.reset();
  const auto parts = io->write(std::vector<std::string>{"one", "two"});
  const auto whole = io->write("three");
  const auto awaited = error_of([&] { weft::Stream{io}.write_all("four"); });
  return is_broken_pipe(parts->error()) && is_broken_pipe(whole->error()) &&
         is_broken_pipe(awaited);
}

// R-IO-6
TEST(BrokenPipeForkTest, AWriteToAPipeWithoutAReaderLeavesTheSignalAsTheProgramHasIt) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(end_of_child([] {
              return all_writes_fail() && weft_test::has_default_action(SIGPIPE) &&
                     !is_blocked(SIGPIPE) && !is_pending(SIGPIPE);
            }),
            42);
}

// R-IO-6
TEST(BrokenPipeForkTest, ASignalThatTheProgramBlocksIsNeitherAddedNorTaken) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  EXPECT_EQ(end_of_child([] {
              ::signal(SIGPIPE, SIG_DFL);
              sigset_t pipe{};
              sigemptyset(&pipe);
              sigaddset(&pipe, SIGPIPE);
              ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
              const bool added = !all_writes_fail() || is_pending(SIGPIPE);
              ::raise(SIGPIPE);
              return !added && all_writes_fail() && is_pending(SIGPIPE) && is_blocked(SIGPIPE);
            }),
            42);
}

// R-SIG-6
TEST(RealTimeBrokenPipeForkTest, NothingThatTheLoopDoesChangesTheActionForIt) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with several stacks";
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(end_of_child([] {
              const weft_test::TemporaryDirectory directory;
              const std::string path = directory / "file";
              weft::FileWatcher watcher{directory / "."};
              weft::File::open(path, weft::File::write | weft::File::create).write_all("text");
              static_cast<void>(watcher.next());
              static_cast<void>(weft::resolve("127.0.0.1"));
              static_cast<void>(weft::exec({"true"}));
              weft::delay(std::chrono::milliseconds{1});
              return weft_test::has_default_action(SIGPIPE) && !is_blocked(SIGPIPE);
            }),
            42);
}

}  // namespace
