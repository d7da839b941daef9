#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "children.hpp"
#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/weft.hpp"

// A process that was started with standard input, output and error closed.
namespace {

using namespace std::chrono_literals;

/// Runs `body` in a child process with the descriptors 0 to 2 closed. Returns its exit status, or
/// minus the signal that killed it.
template <class F>
int without_standard_streams(F body) {
  const int pid = weft_test::start_child([&] {
    for (int number = 0; number < 3; ++number) ::close(number);
    try {
      return body();
    } catch (...) {
      return 99;
    }
  });
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// trap 61: libuv gets descriptor 0 for its loop, and aborts when it closes the loop
TEST(ClosedStdioTest, ARunEnds) {
  EXPECT_EQ(without_standard_streams([] {
              weft::run([] { weft::delay(1ms); });
              return 0;
            }),
            0);
}

// trap 61: output to standard error is written to a descriptor of the loop
TEST(ClosedStdioTest, NothingElseGetsTheNumbersOfTheStandardStreams) {
  EXPECT_EQ(without_standard_streams([] {
              return weft::run([] {
                weft::delay(1ms);
                auto [here, there] = weft::UnixStream::pair();
                const bool above = here.descriptor() > 2 && there.descriptor() > 2;
                for (int number = 0; number < 3; ++number) {
                  if (::write(number, "lost", 4) != 4) return 10 + number;
                }
                return above ? 0 : 1;
              });
            }),
            0);
}

TEST(ClosedStdioTest, ChildrenWatchersAndFilesWork) {
  const weft_test::TemporaryTree tree;
  EXPECT_EQ(without_standard_streams([&] {
              return weft::run([&] {
                weft::FileWatcher watcher{tree.path()};
                weft::File file = weft::File::open(
                    tree.path("file"), weft::File::read | weft::File::write | weft::File::create);
                file.write_all("text");
                file.seek(0);
                if (file.read_all() != "text") return 1;
                if (watcher.next()->name != "file") return 2;
                if (weft::exec({"echo", "hello"}).output != "hello\n") return 3;
                weft::Process child =
                    weft::Process::start({"cat"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
                child.stdin_().write_all("through");
                child.stdin_().close();
                if (child.stdout_().read_all() != "through") return 4;
                return child.wait() == 0 ? 0 : 5;
              });
            }),
            0);
}

// trap 61: a daemon closes the standard streams after the loop was made
TEST(ClosedStdioTest, AWatcherThatComesAfterTheyWereClosedWorks) {
  const weft_test::TemporaryTree tree;
  EXPECT_EQ(without_standard_streams([&] {
              return weft::run([&] {
                weft::delay(1ms);
                for (int number = 0; number < 3; ++number) ::close(number);
                weft::FileWatcher watcher{tree.path()};
                tree.write("file");
                return watcher.next()->name == "file" ? 0 : 1;
              });
            }),
            0);
}

}  // namespace
