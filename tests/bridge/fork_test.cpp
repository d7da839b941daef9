#include <array>
#include <cerrno>
#include <csignal>
#include <netinet/in.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"
#include "held_lookups.hpp"
#include "support.hpp"

// fork() of a foreign library: the child goes on with the coroutine that called it, and no other.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::is;

class RealTimeBridgeForkTest : public ::testing::Test {
  Bridged bridged_;
};

/// Forks through the foreign library; the child leaves with the answer of `body`, 99 if it throws.
/// Returns what the child left with, negative if a signal ended it.
template <class F>
int exit_code_of_child(F body) {
  const pid_t child = foreign::fork();
  if (child == 0) {
    ::alarm(20);  // a child that hangs ends, too
    int code = 99;
    try {
      code = body();
    } catch (...) {
      code = 99;
    }
    ::_exit(code);
  }
  int status = 0;
  if (foreign::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Two coroutines that need each other: they run at the same time, or the child hangs.
int talk() {
  const Ends ends = blocking(Ends::sockets());
  auto reader = weft::spawn([&] {
    char byte = 0;
    return foreign::recv(ends.here.get(), &byte, 1, 0) == 1 ? byte - '0' : 0;
  });
  auto writer = weft::spawn([&] {
    foreign::usleep(2'000);
    return static_cast<int>(foreign::send(ends.there.get(), "5", 1, 0));
  });
  return weft::await(reader) + weft::await(writer);
}

TEST_F(RealTimeBridgeForkTest, TheChildSuspendsAgainFromItsFirstWaitOn) {
  weft::run([] {
    bool other_ran_here = false;
    auto other = weft::spawn([&] {
      weft::delay(5ms);
      other_ran_here = true;
    });
    auto forking = weft::spawn([&] {
      return exit_code_of_child([&] {
        if (foreign::usleep(20'000) != 0) return 1;
        const int sum = talk();
        return other_ran_here ? 2 : sum;
      });
    });
    EXPECT_EQ(weft::await(forking), 6);
    weft::await(other);
    EXPECT_TRUE(other_ran_here);
    EXPECT_EQ(talk(), 6);  // the parent's loop is as it was
  });
}

TEST_F(RealTimeBridgeForkTest, AMainWhoseOthersLiveEndsItsRunInTheChild) {
  const pid_t parent = ::getpid();
  int left_with = -1;
  weft::run([&] {
    auto other = weft::spawn([] { weft::delay(50ms); });
    weft::suspend();
    const pid_t child = foreign::fork();
    if (child == 0) {
      ::alarm(20);
      foreign::usleep(1'000);
      left_with = talk();
      EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(other); })));
      return;
    }
    int status = 0;
    EXPECT_EQ(foreign::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, W_EXITCODE(6, 0));
    weft::await(other);
  });
  if (::getpid() != parent) ::_exit(::testing::Test::HasFailure() ? 98 : left_with);
}

TEST_F(RealTimeBridgeForkTest, ADescriptorThatOthersWaitForIsFreeInTheChild) {
  weft::run([] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
    });
    weft::suspend();
    const int code = weft::await(weft::spawn([&] {
      return exit_code_of_child([&] {
        pollfd query{ends.here.get(), POLLIN, 0};
        return foreign::poll(&query, 1, 10) == 0 ? 7 : errno;  // not EBUSY
      });
    }));
    EXPECT_EQ(code, 7);
    weft_test::put(ends.there.get(), "p");
    weft::await(reader);
  });
}

TEST_F(RealTimeBridgeForkTest, WeftsOwnFunctionsRefuseUntilTheFirstWaitOfTheChild) {
  weft::run([] {
    auto other = weft::spawn([] { weft::delay(10ms); });
    weft::suspend();
    EXPECT_EQ(exit_code_of_child([] {
                if (!is<weft::MisuseError>(error_of([] { weft::delay(1ms); }))) return 1;
                if (foreign::usleep(1'000) != 0) return 2;
                weft::delay(1ms);
                return 7;
              }),
              7);
    weft::await(other);
  });
}

// A name that is looked up: the worker thread is not in the child, and its request never ends.
TEST_F(RealTimeBridgeForkTest, ALookupThatIsUnderWayDoesNotHoldTheChild) {
  const pid_t parent = ::getpid();
  int left_with = -1;
  weft_test::HeldLookups lookups;
  weft::run([&] {
    auto lookup = weft::spawn([] {
      addrinfo* found = nullptr;
      EXPECT_EQ(foreign::getaddrinfo("slow.held", "80", nullptr, &found), 0);
      ::freeaddrinfo(found);
    });
    weft::suspend();
    lookups.wait_until_taken(1);
    const pid_t child = foreign::fork();
    if (child == 0) {
      ::alarm(20);
      foreign::usleep(1'000);
      left_with = talk();
      const hostent* const host = foreign::gethostbyname("127.0.0.1");
      if (host == nullptr) left_with = 50;
      return;
    }
    int status = 0;
    EXPECT_EQ(foreign::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, W_EXITCODE(6, 0));
    lookups.release();
    weft::await(lookup);
  });
  if (::getpid() != parent) ::_exit(left_with);
}

TEST_F(RealTimeBridgeForkTest, TheChildEndsWithTheCoroutineThatForked) {
  weft::run([] {
    const Ends log = blocking(Ends::pipe());
    pid_t child = -1;
    auto forking = weft::spawn([&] {
      child = foreign::fork();
      if (child != 0) return;
      ::alarm(20);
      foreign::usleep(1'000);
      weft_test::put(log.there.get(), "child");
    });
    weft::await(forking);  // in the parent alone
    int status = 0;
    EXPECT_EQ(foreign::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, W_EXITCODE(1, 0));
    EXPECT_EQ(weft_test::take(log.here.get(), 64), "child");
  });
}

TEST_F(RealTimeBridgeForkTest, TimersAndSectionsOfTheOthersAreTheParents) {
  weft::run([] {
    int timeouts = 0;
    auto other = weft::spawn([&] {
      try {
        weft::with_timeout(30ms, [] {
          foreign::usleep(1'000'000);
          weft::suspend();
        });
      } catch (const weft::TimedOut&) {
        ++timeouts;
      }
    });
    weft::suspend();
    const int code = weft::await(weft::spawn([&] {
      return exit_code_of_child([&] {
        if (foreign::usleep(60'000) != 0) return 1;
        return timeouts == 0 ? 7 : 2;
      });
    }));
    EXPECT_EQ(code, 7);
    weft::await(other);
    EXPECT_EQ(timeouts, 1);
  });
}

}  // namespace
