#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "support.hpp"

namespace {

using weft_test::Doorbell;
using namespace std::chrono_literals;

/// Runs `body` in a forked child. Returns its exit code, 200 if it threw, 201 if it was killed.
template <class F>
int exit_code_of_child(F body) {
  const int pid = weft::fork();
  if (pid == 0) {
    // _exit: the child must run neither the tests that follow nor the clean-up of this one.
    try {
      ::_exit(body());
    } catch (...) {
      ::_exit(200);
    }
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 201;
}

// The thread sanitizer takes every stack for a thread, so it takes the child for a fork of a
// multi-threaded program: the child may start no thread, and its switches look like races.
constexpr const char* not_followed =
    "the thread sanitizer does not follow a fork with several stacks";

// R-REA-13
TEST(RealTimeForkTest, GivesTheChildALoopOfItsOwn) {
  if (WEFT_TSAN) GTEST_SKIP() << not_followed;
  weft::run([] {
    weft::delay(1ms);  // the loop has been used
    const int code = exit_code_of_child([] {
      int done = 0;
      auto sleeper = weft::spawn([&] {
        weft::delay(2ms);
        ++done;
      });
      weft::delay(1ms);
      weft::await(sleeper);
      return done == 1 ? 42 : 1;
    });
    EXPECT_EQ(code, 42);
    weft::delay(1ms);  // the parent's loop still works
  });
}

// R-REA-13
TEST(RealTimeForkTest, LetsTheChildBeWokenThroughItsOwnLoopByATrigger) {
  if (WEFT_TSAN) GTEST_SKIP() << not_followed;
  weft::run([] {
    weft::Trigger before_fork;
    before_fork.fire();
    weft::await(before_fork);  // the loop's mailbox is in use
    const int code = exit_code_of_child([] {
      weft::Trigger trigger;
      std::thread other{[&] { trigger.fire(); }};
      weft::await(trigger);
      other.join();
      return 42;
    });
    EXPECT_EQ(code, 42);
    before_fork.fire();
    weft::await(before_fork);
  });
}

// R-REA-13: libuv has another epoll descriptor in the child.
TEST(RealTimeForkTest, LetsTheChildBeWokenByWhatLibuvDoes) {
  if (WEFT_TSAN) GTEST_SKIP() << not_followed;
  weft::run([] {
    const auto use_libuv = [] {
      EXPECT_EQ(weft::resolve("127.0.0.1", "80").size(), 1U);
      EXPECT_EQ(weft::File::open("/dev/null").size(), 0U);
    };
    use_libuv();
    const int code = exit_code_of_child([&] {
      use_libuv();
      return ::testing::Test::HasFailure() ? 1 : 42;
    });
    EXPECT_EQ(code, 42);
    use_libuv();
  });
}

// R-REA-13
TEST(ReactorForkTest, IsRefusedWhileAnotherCoroutineLives) {
  weft::testing::run([] {
    Doorbell bell;
    auto parked = weft::spawn([&] { weft::await(bell); });
    EXPECT_THROW(weft::fork(), weft::MisuseError);  // not started
    weft::suspend();
    EXPECT_THROW(weft::fork(), weft::MisuseError);  // parked
    bell.ring();
    weft::await(parked);
    const int code = exit_code_of_child([] { return 42; });
    EXPECT_EQ(code, 42);
  });
}

}  // namespace
