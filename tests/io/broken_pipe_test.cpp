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
#include "failures.hpp"
#include "support.hpp"

// Writes that nobody can read, in a program that has restored the default action of SIGPIPE.
namespace {

using weft::Io;
using weft::Ref;
using weft_test::Ends;
using weft_test::error_of;

/// Runs `body` in a child in which SIGPIPE is deadly from the moment `body` sets it so.
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
TEST(BrokenPipeForkTest, AFileSentToAPipeThatNobodyReadsIsNotTheEndOfTheProcess) {
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

}  // namespace
