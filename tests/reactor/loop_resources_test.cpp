#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"

// The descriptors and signals that the loop uses when it is created. Each test changes the state of
// the process, so it runs in a process of its own.

namespace {

using namespace std::chrono_literals;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::_Exit(1);
}

/// The error of a wait, or 0.
int errno_of_a_delay() {
  try {
    weft::delay(1ms);
  } catch (const std::system_error& error) {
    return error.code().value();
  }
  return 0;
}

[[noreturn]] void make_the_loop_without_descriptors() {
  rlimit usual{};
  ::getrlimit(RLIMIT_NOFILE, &usual);
  weft::run([&] {
    // The loop has not been created yet.
    const int lowest_free = ::dup(0);
    ::close(lowest_free);
    rlimit none = usual;
    none.rlim_cur = static_cast<rlim_t>(lowest_free);
    ::setrlimit(RLIMIT_NOFILE, &none);
    check(errno_of_a_delay() == EMFILE, "the wait fails with EMFILE");
    check(weft::stats().active_events == 0, "nothing is armed");
    check(weft::stats().armed_timers == 0, "no timer is armed");
    check(weft::await(weft::spawn([] { return errno_of_a_delay(); })) == EMFILE, "so does another");
    ::setrlimit(RLIMIT_NOFILE, &usual);
    check(errno_of_a_delay() == 0, "the wait works when there are descriptors again");
  });
  std::_Exit(0);
}

// R-KIND-4, R-WAK-17
TEST(RealTimeLoopDeathTest, FailsOnlyTheWaitThatNeedsItWhenThereAreNoDescriptors) {
  if (WEFT_ASAN) GTEST_SKIP() << "the sanitizer needs a pipe to look whether memory can be read";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(make_the_loop_without_descriptors(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
