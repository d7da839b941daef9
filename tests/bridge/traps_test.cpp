#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "context/sanitizer.hpp"
#include "counted_calls.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "valgrind.hpp"
#include "weft/extend/clock.hpp"

// What was met in practice, one test each.
namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::OwnDescriptor;

class BridgeTrapTest : public ::testing::Test {
  Bridged bridged_;
};
using RealTimeBridgeTrapTest = BridgeTrapTest;

// trap 32
TEST_F(BridgeTrapTest, ABlockingDescriptorStaysBlockingWhileItIsWaitedFor) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
    });
    weft::testing::settle();
    EXPECT_TRUE(weft_test::blocks(ends.here.get()));
    weft_test::put(ends.there.get(), "x");
    weft::await(reader);
  });
}

// trap 33
TEST_F(RealTimeBridgeTrapTest, AWakeUpForNothingWaitsForTheRemainingTime) {
  weft::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const auto start = weft::now();
    auto poller = weft::spawn([&] {
      pollfd query{ends.here.get(), POLLIN, 0};
      EXPECT_EQ(foreign::poll(&query, 1, 60), 0);
    });
    weft::delay(10ms);
    weft_test::put(ends.there.get(), "x");
    weft_test::take(ends.here.get(), 1);  // stolen before the poller has run
    weft::await(poller);
    EXPECT_GE(weft::now() - start, 60ms);
  });
}

// trap 45
std::atomic<int> handled{0};

TEST_F(RealTimeBridgeTrapTest, AHandlerInterruptsAPollAndNotARecvThatIsRestarted) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { ++handled; };
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(foreign::sigaction(SIGUSR2, &action, &before), 0);
  struct sigaction now {};
  ASSERT_EQ(foreign::sigaction(SIGUSR2, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, action.sa_handler);
  handled = 0;
  weft::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const Ends other = blocking(Ends::sockets());
    const auto start = weft::now();
    auto poller = weft::spawn([&] {
      pollfd query{ends.here.get(), POLLIN, 0};
      const int found = foreign::poll(&query, 1, 10'000);
      const int error = errno;
      EXPECT_EQ(found, -1);
      EXPECT_EQ(error, EINTR);
    });
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(other.here.get(), &byte, 1, 0), 1);
    });
    const pthread_t me = ::pthread_self();
    std::thread sender{[me] {
      std::this_thread::sleep_for(30ms);
      ::pthread_kill(me, SIGUSR2);
    }};
    weft::await(poller);
    EXPECT_EQ(handled, 1);
    EXPECT_LT(weft::now() - start, 5s);
    sender.join();
    weft_test::put(other.there.get(), "x");
    weft::await(reader);
  });
  foreign::sigaction(SIGUSR2, &before, nullptr);
}

// trap 51
TEST_F(RealTimeBridgeTrapTest, AMainThatIsAloneTakesItsRuntimeThroughAFork) {
  weft::run([] {
    EXPECT_EQ(foreign::usleep(1'000), 0);
    const pid_t child = foreign::fork();
    if (child == 0) {
      auto first = weft::spawn([] { return foreign::usleep(2'000) == 0 ? 3 : 0; });
      auto second = weft::spawn([] { return foreign::usleep(1'000) == 0 ? 4 : 0; });
      ::_exit(weft::await(first) + weft::await(second));
    }
    int status = 0;
    EXPECT_EQ(foreign::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, W_EXITCODE(7, 0));
    EXPECT_EQ(weft::await(weft::spawn([] { return foreign::usleep(1'000); })), 0);
  });
}

// trap 51
TEST_F(RealTimeBridgeTrapTest, TheChildOfAForkKeepsOnlyItsOwnCoroutine) {
  weft::run([&] {
    int log[2];
    ASSERT_EQ(::pipe(log), 0);
    auto other = weft::spawn([&] {
      weft::delay(20ms);
      static_cast<void>(::write(log[1], "o", 1));
    });
    auto forker = weft::spawn([&] {
      const pid_t child = foreign::fork();
      if (child == 0) {
        foreign::usleep(60'000);  // blocks: nothing else runs here
        static_cast<void>(::write(log[1], "c", 1));
        ::_exit(7);
      }
      int status = 0;
      EXPECT_EQ(foreign::waitpid(child, &status, 0), child);
      EXPECT_EQ(WEXITSTATUS(status), 7);
    });
    weft::await(forker);
    weft::await(other);
    ::close(log[1]);
    std::array<char, 8> seen{};
    EXPECT_EQ(::read(log[0], seen.data(), seen.size()), 2);
    EXPECT_STREQ(seen.data(), "oc");
    ::close(log[0]);
  });
}

// trap 52
TEST_F(RealTimeBridgeTrapTest, TwentyChildrenAreWaitedForAtTheSameTime) {
  weft::run([&] {
    const auto start = weft::now();
    int right = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 20; ++i) {
        scope.spawn([&, i] {
          const pid_t child = ::fork();
          if (child == 0) {
            ::usleep(200'000);
            ::_exit(i);
          }
          int status = 0;
          if (foreign::waitpid(child, &status, 0) == child && WEXITSTATUS(status) == i) ++right;
        });
      }
    });
    EXPECT_EQ(right, 20);
    EXPECT_LT(weft::now() - start, 2s);  // their sum is four
  });
}

// trap 52
TEST(BridgeTraps, OverlappingCommandsRestoreTheSignalsOfTheTerminal) {
  const Bridged bridged;
  const auto ignores_interrupt = [] {
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    return now.sa_handler == SIG_IGN;
  };
  weft::testing::run([&] {
    auto first = weft::spawn([] { EXPECT_EQ(foreign::system("exit 1"), 256); });
    const Ends gate = blocking(Ends::pipe());
    auto second = weft::spawn([&] {
      const std::string command = "read line </proc/$PPID/fd/" + std::to_string(gate.here.get());
      EXPECT_EQ(foreign::system(command.c_str()), 0);
    });
    weft::await(first);
    EXPECT_TRUE(ignores_interrupt());
    weft_test::put(gate.there.get(), "x\n");
    weft::await(second);
    EXPECT_FALSE(ignores_interrupt());
  });
}

// trap 35
TEST(BridgeTraps, ACancelledCoroutineDoesNotWaitForItsCommand) {
  const Bridged bridged;
  weft::testing::run([&] {
    int result = 0;
    int error = 0;
    auto caller = weft::spawn([&] {
      result = foreign::system("exec sleep 0.3");
      error = errno;
    });
    weft::suspend();
    caller.cancel();
    weft_test::error_of([&] { weft::await(caller); });
    EXPECT_EQ(result, -1);
    EXPECT_EQ(error, ECANCELED);
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
  });
}

// trap 35
TEST_F(RealTimeBridgeTrapTest, ACancelledPcloseLeavesItsChildToBeCollectedLater) {
  weft::run([&] {
    const auto start = weft::now();
    auto closing = weft::spawn([&] {
      FILE* const command = foreign::popen("exec sleep 0.5", "w");
      EXPECT_EQ(foreign::pclose(command), -1);
      EXPECT_EQ(errno, ECANCELED);
    });
    weft::delay(50ms);
    closing.cancel();
    weft_test::error_of([&] { weft::await(closing); });  // Cancelled, unless it was through before
    EXPECT_LT(weft::now() - start, 400ms);
    weft::delay_until(start + 900ms);
    EXPECT_EQ(foreign::pclose(foreign::popen("true", "r")), 0);  // collects what was left
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  });
}

// trap 35
TEST_F(BridgeTrapTest, ACancelledFlockGivesUp) {
  weft::testing::run([&] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "lock";
    const OwnDescriptor one{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    const OwnDescriptor two{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
    ASSERT_EQ(::flock(one.get(), LOCK_EX), 0);
    auto waiter = weft::spawn([&] {
      EXPECT_EQ(foreign::flock(two.get(), LOCK_EX), -1);
      EXPECT_EQ(errno, ECANCELED);
    });
    weft::delay(100ms);
    waiter.cancel();
    weft_test::error_of([&] { weft::await(waiter); });  // Cancelled, unless it was through before
  });
}

// trap 53
TEST_F(BridgeTrapTest, TenHoldersOfALockTakeTurns) {
  weft::testing::run([&] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "lock";
    int inside = 0;
    int done = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 10; ++i) {
        scope.spawn([&] {
          const OwnDescriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
          EXPECT_EQ(foreign::flock(file.get(), LOCK_EX), 0);
          EXPECT_EQ(++inside, 1);
          foreign::usleep(20'000);
          --inside;
          ++done;
          EXPECT_EQ(foreign::flock(file.get(), LOCK_UN), 0);
        });
      }
    });
    EXPECT_EQ(done, 10);
  });
}

// trap 54
TEST_F(BridgeTrapTest, LookupsWithOneBufferForAllGiveEachItsAnswer) {
  weft::testing::run([&] {
    static std::array<char, 4096> shared;
    int right = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 1; i <= 8; ++i) {
        scope.spawn([&, i] {
          const std::string name = "127.0.0." + std::to_string(i);
          hostent host{};
          hostent* found = nullptr;
          int error = 0;
          ASSERT_EQ(foreign::gethostbyname_r(name.c_str(), &host, shared.data(), shared.size(),
                                             &found, &error),
                    0);
          ASSERT_NE(found, nullptr);
          // Nothing has run since the answer was copied.
          if (static_cast<unsigned char>(host.h_addr_list[0][3]) == i) ++right;
        });
      }
    });
    EXPECT_EQ(right, 8);
  });
}

TEST_F(BridgeTrapTest, ACancelledLookupEndsAtOnceAndItsAnswerIsDropped) {
  weft::testing::run([&] {
    auto lookup = weft::spawn([&] {
      addrinfo* found = nullptr;
      const int result = foreign::getaddrinfo("localhost", nullptr, nullptr, &found);
      if (result == 0) {
        ::freeaddrinfo(found);
      } else {
        EXPECT_EQ(result, EAI_SYSTEM);
        EXPECT_EQ(errno, ECANCELED);
      }
    });
    weft::testing::settle();
    lookup.cancel();
    weft_test::error_of([&] { weft::await(lookup); });  // Cancelled, unless it was through before
  });
}

// trap 55
TEST_F(BridgeTrapTest, WhatAProgramPrintsGoesThrough) {
  weft::testing::run([&] {
    const Ends full = blocking(Ends::pipe());
    ::fcntl(full.there.get(), F_SETFL, O_NONBLOCK);
    weft_test::fill(full.there.get());
    ::fcntl(full.there.get(), F_SETFL, 0);
    const OwnDescriptor output{::dup(1)};
    std::thread reader{[&] {  // makes room when the writer waits
      std::this_thread::sleep_for(20ms);
      weft_test::take(full.here.get());
    }};
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    ::dup2(full.there.get(), 1);
    EXPECT_EQ(foreign::write(1, "x", 1), 1);
    ::dup2(output.get(), 1);
    EXPECT_FALSE(other_ran);
    reader.join();
    weft::await(other);
  });
}

// trap 56
TEST_F(BridgeTrapTest, AnExceptionThatIsHandledSurvivesACall) {
  weft::testing::run([&] {
    const auto handle = [](const char* text) {
      try {
        throw std::runtime_error{text};
      } catch (...) {
        foreign::usleep(1'000);
        try {
          throw;
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), text);
        }
      }
    };
    auto one = weft::spawn([&] { handle("one"); });
    auto two = weft::spawn([&] { handle("two"); });
    weft::await(one);
    weft::await(two);
  });
}

// Time stands still, so that the scheduler does not look at the outside before it parks.
class StoppedClock final : public weft::Clock {
 public:
  [[nodiscard]] weft::TimePoint now() noexcept override { return weft::TimePoint{}; }
};

constexpr int echoes_before = 10;
constexpr int echoes = 100;

/// Answers each byte with a byte, through the foreign library.
void echo_bridged(int socket) {
  StoppedClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::bridge::install();
  weft::run(
      [&] {
        char byte = 0;
        int count = 0;
        while (foreign::recv(socket, &byte, 1, 0) == 1) {
          foreign::send(socket, &byte, 1, MSG_NOSIGNAL);
          ++count;
          if (count == echoes_before || count == echoes_before + echoes) weft_test::mark_calls();
        }
      },
      options);
}

TEST(LinuxBridgeCalls, OfAWaitAreATryAWaitAndATry) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "a sanitizer makes calls of its own";
  if (weft_test::is_under_valgrind()) GTEST_SKIP() << "valgrind does not let us trace";
  Ends ends = blocking(Ends::tcp());
  std::thread client{[&] {
    char byte = 'x';
    for (int i = 0; i < echoes_before + echoes; ++i) {
      std::this_thread::sleep_for(1ms);  // the other side waits by now
      if (::send(ends.there.get(), &byte, 1, MSG_NOSIGNAL) < 0) return;
      if (::recv(ends.there.get(), &byte, 1, 0) <= 0) return;
    }
    ::shutdown(ends.there.get(), SHUT_RDWR);
  }};
  const auto calls = weft_test::count_system_calls([&] {
    ends.there.reset();
    echo_bridged(ends.here.get());
  });
  ends.here.reset();
  client.join();
  if (!calls) GTEST_SKIP() << "the system does not let us trace";
  // And a send, which does not wait.
  EXPECT_LE(*calls, 4U * echoes);
}

}  // namespace
