#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "bridge/real.hpp"
#include "conformance.hpp"

// What programs say about signal handlers, at any time.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Case;
using weft_test::Ends;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;

void do_nothing(int /*number*/) {}

const Case handler_cases[] = {
    {"signal_keeps_its_signal_out_of_the_handler",
     [](Seen& seen) {
       const sighandler_t before = foreign::signal(SIGUSR2, &do_nothing);
       struct sigaction now {};
       foreign::sigaction(SIGUSR2, nullptr, &now);
       seen.note("handler", now.sa_handler == &do_nothing);
       seen.note("restarts", (now.sa_flags & SA_RESTART) != 0);
       seen.note("keeps it out", ::sigismember(&now.sa_mask, SIGUSR2));
       seen.note("others", ::sigismember(&now.sa_mask, SIGUSR1));
       seen.note("bad", foreign::signal(SIGUSR2, SIG_ERR) == SIG_ERR).note("errno", errno);
       seen.note("bad number", foreign::signal(999, &do_nothing) == SIG_ERR).note("errno", errno);
       seen.note("was", foreign::signal(SIGUSR2, before) == &do_nothing);
     }},
    {"siginterrupt_decides_whether_a_call_is_made_again",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const pthread_t me = ::pthread_self();
       const auto receive = [&](const char* name, bool sends) {
         const Partner partner{[&] {
           ::pthread_kill(me, SIGUSR2);
           if (sends) send_text(ends.there.get(), "x");
         }};
         char byte = 0;
         seen.call(name, foreign::recv(ends.here.get(), &byte, 1, 0));
       };
       const sighandler_t before = foreign::signal(SIGUSR2, &do_nothing);
       receive("restarts", true);
       seen.call("siginterrupt", foreign::siginterrupt(SIGUSR2, 1));
       receive("ends", false);
       foreign::signal(SIGUSR2, &do_nothing);
       receive("ends as before", false);
       seen.call("siginterrupt", foreign::siginterrupt(SIGUSR2, 0));
       receive("restarts again", true);
       seen.call("bad", foreign::siginterrupt(999, 1));
       foreign::signal(SIGUSR2, before);
     }},
};

class BridgeHandlersTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeHandlersTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeHandlersTest, ::testing::ValuesIn(handler_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

/// Sets a handler and reads it, as a handler may do.
void set_and_read() {
  struct sigaction action {};
  action.sa_handler = &do_nothing;
  foreign::sigaction(SIGUSR1, &action, nullptr);
  struct sigaction now {};
  foreign::sigaction(SIGUSR1, nullptr, &now);
}

// trap 46
TEST(RealTimeBridgeHandlers, AHandlerMaySetHandlersAtAnyTime) {
  const Bridged bridged;
  struct sigaction of_user {};
  foreign::sigaction(SIGUSR1, nullptr, &of_user);
  static volatile std::sig_atomic_t runs = 0;
  runs = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {
    runs = runs + 1;
    set_and_read();
  };
  foreign::sigaction(SIGALRM, &action, &before);
  const itimerval often{{0, 20}, {0, 20}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  while (runs < 2'000) set_and_read();
  const itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
  foreign::sigaction(SIGALRM, &before, nullptr);
  foreign::sigaction(SIGUSR1, &of_user, nullptr);
}

// trap 46
TEST(BridgeHandlers, ACloseInAHandlerTouchesNoTableOfTheLoop) {
  const Bridged bridged;
  static int number = -1;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { foreign::close(number); };
  foreign::sigaction(SIGUSR2, &action, &before);
  weft::testing::run([&] {
    Ends ends = blocking(Ends::sockets());
    number = ends.here.get();
    bool has_ended = false;
    auto reader = weft::spawn([&] {
      char byte = 0;
      foreign::recv(ends.here.get(), &byte, 1, 0);
      has_ended = true;
    });
    weft::testing::settle();
    ::raise(SIGUSR2);
    ends.here.release();
    weft::testing::settle();
    EXPECT_FALSE(has_ended);  // as a blocked thread, which a close() does not wake
    reader.cancel();
    weft::testing::settle();
    EXPECT_TRUE(has_ended);
  });
  foreign::sigaction(SIGUSR2, &before, nullptr);
}

// trap 51
TEST(RealTimeBridgeHandlers, TheChildOfAForkMaySetHandlersAndLoadLibraries) {
  const Bridged bridged;
  struct sigaction of_user {};
  foreign::sigaction(SIGUSR1, nullptr, &of_user);
  std::atomic<bool> over{false};
  std::thread other{[&] {
    while (!over) {
      set_and_read();
      weft::bridge::rescan();
    }
  }};
  for (int i = 0; i < 100; ++i) {
    const pid_t child = foreign::fork();
    if (child == 0) {
      ::alarm(10);  // ends a child that hangs
      set_and_read();
      weft::bridge::rescan();
      ::_exit(0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  over = true;
  other.join();
  foreign::sigaction(SIGUSR1, &of_user, nullptr);
}

/// While it lives, a handler interrupts the next poll() of the bridge.
class InterruptedPoll {
 public:
  InterruptedPoll() {
    is_next_ = true;
    before_ = std::exchange(weft::bridge::real.poll, [](pollfd* fds, nfds_t count, int timeout) {
      if (!std::exchange(is_next_, false)) return before_(fds, count, timeout);
      errno = EINTR;
      return -1;
    });
  }
  ~InterruptedPoll() { weft::bridge::real.poll = before_; }
  InterruptedPoll(const InterruptedPoll&) = delete;
  InterruptedPoll& operator=(const InterruptedPoll&) = delete;

 private:
  static inline bool is_next_ = false;
  static inline int (*before_)(pollfd*, nfds_t, int) = nullptr;
};

/// Makes a call that waits for what `act` does. Another coroutine has to run meanwhile.
template <class Call>
void let_others_run_although_interrupted(Call call, std::function<void()> act) {
  const Bridged bridged;
  weft::run([&] {
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    const InterruptedPoll interrupted;
    const Partner partner{std::move(act)};
    EXPECT_GT(call(), 0);
    EXPECT_TRUE(other_ran);
    weft::await(other);
  });
}

TEST(RealTimeBridgeHandlers, AHandlerWhileAReadLooksForDataDoesNotBlockTheThread) {
  const Ends ends = blocking(Ends::pipe());
  char byte = 0;
  let_others_run_although_interrupted(
      [&] { return foreign::read(ends.here.get(), &byte, 1); },
      [&] { static_cast<void>(::write(ends.there.get(), "x", 1)); });
}

TEST(RealTimeBridgeHandlers, AHandlerWhileAWriteLooksForRoomDoesNotBlockTheThread) {
  const Ends ends = Ends::pipe();
  std::array<char, 65'536> data{};
  while (::write(ends.there.get(), data.data(), data.size()) > 0) {
  }
  ::fcntl(ends.there.get(), F_SETFL, 0);
  let_others_run_although_interrupted(
      [&] { return foreign::write(ends.there.get(), "x", 1); },
      [&] { static_cast<void>(::read(ends.here.get(), data.data(), data.size())); });
}

TEST(RealTimeBridgeHandlers, AHandlerWhileAnAcceptLooksForAConnectionDoesNotBlockTheThread) {
  weft_test::Listening server;
  const weft_test::OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  weft_test::OwnDescriptor accepted;
  let_others_run_although_interrupted(
      [&] {
        accepted =
            weft_test::OwnDescriptor{foreign::accept(server.listener.get(), nullptr, nullptr)};
        return accepted.get();
      },
      [&] { ::connect(client.get(), server.raw(), sizeof server.address); });
}

TEST(BridgeHandlers, AHandlerThatRunsWhileAnotherCoroutineComputesEndsALockThatIsTriedAgain) {
  const Bridged bridged;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = &do_nothing;
  foreign::sigaction(SIGUSR2, &action, &before);
  const weft_test::FileWith file{"a"};
  weft::testing::run([&] {
    weft_test::OwnDescriptor holder{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
    const weft_test::OwnDescriptor waits{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
    ASSERT_EQ(foreign::flock(holder.get(), LOCK_EX), 0);
    auto waiter = weft::spawn([&] {
      EXPECT_EQ(foreign::flock(waits.get(), LOCK_EX), -1);
      EXPECT_EQ(errno, EINTR);
    });
    weft::delay(std::chrono::milliseconds{100});
    ::raise(SIGUSR2);
    weft::testing::advance(std::chrono::milliseconds{60});  // the delay ends in the same pass
    weft::delay(std::chrono::milliseconds{200});
    holder.reset();
    weft::await(waiter);
  });
  foreign::sigaction(SIGUSR2, &before, nullptr);
}

}  // namespace
