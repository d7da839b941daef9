#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <limits>
#include <netinet/in.h>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance.hpp"

// Calls with arguments that are seldom met, and calls that a signal handler interrupts.
namespace {

using weft_test::blocking;
using weft_test::Case;
using weft_test::Ends;
using weft_test::FileWith;
using weft_test::Listening;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::send_text;

/// A handler of SIGUSR2 that does nothing; a Partner sends the signal to this thread.
class InterruptedHere {
 public:
  explicit InterruptedHere(int flags) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = flags;
    foreign::sigaction(SIGUSR2, &action, &before_);
  }
  ~InterruptedHere() { foreign::sigaction(SIGUSR2, &before_, nullptr); }
  InterruptedHere(const InterruptedHere&) = delete;
  InterruptedHere& operator=(const InterruptedHere&) = delete;
  void now() const { ::pthread_kill(thread_, SIGUSR2); }

 private:
  pthread_t thread_ = ::pthread_self();
  struct sigaction before_ {};
};

const Case corner_cases[] = {
    {"an_interrupted_select_leaves_its_sets",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const InterruptedHere handler{SA_RESTART};
       fd_set readable;
       FD_ZERO(&readable);
       FD_SET(ends.here.get(), &readable);
       const Partner partner{[&] { handler.now(); }};
       seen.call("select",
                 foreign::select(ends.here.get() + 1, &readable, nullptr, nullptr, nullptr));
       seen.note("set", FD_ISSET(ends.here.get(), &readable) != 0);
     }},
    {"select_of_more_than_a_set_has",
     [](Seen& seen) {
       struct {
         fd_set set;
         std::array<unsigned char, 65'536> behind;
       } memory{};
       std::memset(&memory, 0xff, sizeof memory);
       FD_ZERO(&memory.set);
       const Ends ends = blocking(Ends::sockets());
       FD_SET(ends.here.get(), &memory.set);
       timeval limit{0, 20'000};
       seen.call("select", foreign::select(400'000, &memory.set, nullptr, nullptr, &limit));
       seen.note("untouched", std::all_of(memory.behind.begin(), memory.behind.end(),
                                          [](unsigned char byte) { return byte == 0xff; }));
     }},
    {"poll_of_files_that_report_nothing",
     [](Seen& seen) {
       const FileWith file{"x"};
       const OwnDescriptor regular{::open(file.path().c_str(), O_RDONLY | O_CLOEXEC)};
       const OwnDescriptor device{::open("/dev/null", O_RDWR | O_CLOEXEC)};
       const Ends ends = blocking(Ends::sockets());
       std::array<pollfd, 3> look{pollfd{regular.get(), POLLPRI, 0}, pollfd{device.get(), 0, 0},
                                  pollfd{ends.here.get(), POLLIN, 0}};
       seen.call("silent", foreign::poll(look.data(), 2, 20));
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       seen.call("poll", foreign::poll(look.data(), look.size(), 5'000));
       for (const pollfd& entry : look) seen.note("revents", entry.revents);
     }},
    {"times_that_the_system_refuses",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets(SOCK_DGRAM));
       pollfd look{ends.here.get(), POLLIN, 0};
       for (const timespec bad : {timespec{-1, 0}, timespec{0, 2'000'000'000}}) {
         seen.call("ppoll", foreign::ppoll(&look, 1, &bad, nullptr));
         seen.call("pselect", foreign::pselect(0, nullptr, nullptr, nullptr, &bad, nullptr));
         timespec limit = bad;
         mmsghdr message{};
         seen.call("recvmmsg", foreign::recvmmsg(ends.here.get(), &message, 1, 0, &limit));
       }
     }},
    {"times_without_an_end",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       const timespec longest{std::numeric_limits<time_t>::max(), 999'999'999};
       pollfd look{ends.here.get(), POLLIN, 0};
       seen.call("ppoll", foreign::ppoll(&look, 1, &longest, nullptr));
     }},
    {"epoll_pwait_lets_signals_in",
     [](Seen& seen) {
       const InterruptedHere handler{0};
       sigset_t blocked;
       sigset_t before;
       ::sigemptyset(&blocked);
       ::sigaddset(&blocked, SIGUSR2);
       ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
       ::sigdelset(&before, SIGUSR2);
       const OwnDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
       epoll_event found{};
       handler.now();
       seen.call("pending", foreign::epoll_pwait(epoll.get(), &found, 1, 1'000, &before));
       const Partner partner{[&] { handler.now(); }};
       const timespec limit{1, 0};
       seen.call("arrives", foreign::epoll_pwait2(epoll.get(), &found, 1, &limit, &before));
       ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
     }},
    {"a_signal_ends_a_recv_that_has_a_part",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const InterruptedHere handler{SA_RESTART};
       send_text(ends.there.get(), "abc");
       const Partner partner{[&] { handler.now(); }};
       std::array<char, 8> to{};
       seen.call("recv", foreign::recv(ends.here.get(), to.data(), 8, MSG_WAITALL));
     }},
    {"a_signal_ends_sleeps",
     [](Seen& seen) {
       const InterruptedHere handler{SA_RESTART};
       {
         const Partner partner{[&] { handler.now(); }};
         seen.call("sleep", static_cast<int>(foreign::sleep(2)));  // what is left
       }
       const timespec some{2, 0};
       timespec left{};
       const Partner partner{[&] { handler.now(); }};
       seen.call("a number", foreign::clock_nanosleep(CLOCK_MONOTONIC, 0, &some, &left));
       seen.note("left", left.tv_sec);
     }},
    {"accept_where_no_connection_can_come",
     [](Seen& seen) {
       const Ends datagrams = blocking(Ends::sockets(SOCK_DGRAM));
       seen.call("datagrams", foreign::accept(datagrams.here.get(), nullptr, nullptr));
       const Listening server;
       seen.call("flags", foreign::accept4(server.listener.get(), nullptr, nullptr, 0x40000000));
     }},
    {"too_many_parts",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const std::vector<iovec> parts(1025);
       seen.call("readv", foreign::readv(ends.here.get(), parts.data(), 1025));
       seen.call("writev", foreign::writev(ends.here.get(), parts.data(), 1025));
     }},
    {"a_command_does_not_hold_the_input_of_another",
     [](Seen& seen) {
       const Ends gate = blocking(Ends::pipe());
       FILE* const sink = foreign::popen("cat >/dev/null", "w");
       const std::string waits = "read line </proc/$PPID/fd/" + std::to_string(gate.here.get());
       FILE* const other = foreign::popen(waits.c_str(), "r");
       seen.call("the first", foreign::pclose(sink));
       static_cast<void>(::write(gate.there.get(), "x\n", 2));
       seen.call("the other", foreign::pclose(other));
     }},
    {"fclose_of_the_stream_of_a_command",
     [](Seen& seen) {
       seen.call("fclose", foreign::fclose(foreign::popen("exit 3", "r")));
       seen.call("children", ::waitpid(-1, nullptr, WNOHANG));
     }},
    {"a_timeout_below_zero_does_not_wait",
     [](Seen& seen) {
       const Ends ends = blocking(Ends::sockets());
       const timeval negative{-1, 0};
       const timeval bad{-1, -1};
       seen.call("set", foreign::setsockopt(ends.here.get(), SOL_SOCKET, SO_RCVTIMEO, &negative,
                                            sizeof negative));
       seen.call("bad",
                 foreign::setsockopt(ends.here.get(), SOL_SOCKET, SO_RCVTIMEO, &bad, sizeof bad));
       seen.call("short", foreign::setsockopt(ends.here.get(), SOL_SOCKET, SO_RCVTIMEO, &negative,
                                              sizeof negative - 1));
       const Partner partner{[&] { send_text(ends.there.get(), "x"); }};
       char byte = 0;
       seen.call("recv", foreign::recv(ends.here.get(), &byte, 1, 0));
     }},
};

class BridgeCornerTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeCornerTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeCornerTest, ::testing::ValuesIn(corner_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

// trap 40
TEST(BridgeCorners, AReceiveThatMeetsTheEndLeavesErrnoAlone) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      char byte = 0;
      errno = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 0);
      EXPECT_EQ(errno, 0);
    });
    weft::testing::settle();
    ends.there.reset();
    weft::await(reader);
  });
}

// trap 45
TEST(RealTimeBridgeCorners, AWaitThatAHandlerMayEndIsNoDeadlock) {
  const weft_test::Bridged bridged;
  const InterruptedHere handler{0};
  weft::run([&] {
    auto waiter = weft::spawn([] {
      EXPECT_EQ(foreign::poll(nullptr, 0, -1), -1);
      EXPECT_EQ(errno, EINTR);
    });
    const Partner partner{[&] { handler.now(); }};
    weft::await(waiter);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(BridgeCorners, AHandlerThatWasReadWithoutTheBridgeCanBeSetAgainWithIt) {
  static volatile int calls = 0;
  struct sigaction action {};
  struct sigaction first {};
  struct sigaction read {};
  action.sa_handler = [](int) { calls = calls + 1; };
  {
    const weft_test::Bridged bridged;
    foreign::sigaction(SIGUSR2, &action, &first);
  }
  foreign::sigaction(SIGUSR2, nullptr, &read);
  const weft_test::Bridged again;
  foreign::sigaction(SIGUSR2, &read, nullptr);
  calls = 0;
  ::raise(SIGUSR2);
  EXPECT_EQ(calls, 1);
  foreign::sigaction(SIGUSR2, &first, nullptr);
}

// trap 46
TEST(BridgeCorners, ACallOfAHandlerDoesNotSuspend) {
  const weft_test::Bridged bridged;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { foreign::usleep(1'000); };
  foreign::sigaction(SIGUSR2, &action, &before);
  weft::testing::run([&] {
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    ::raise(SIGUSR2);
    EXPECT_FALSE(other_ran);
    EXPECT_EQ(foreign::usleep(1'000), 0);  // suspends as ever
    EXPECT_TRUE(other_ran);
    weft::await(other);
  });
  foreign::sigaction(SIGUSR2, &before, nullptr);
}

sigjmp_buf out_of_handler;

/// The program's own jump is seen by the bridge, or not.
void jump_out_of_a_handler(bool is_seen) {
  const weft_test::Bridged bridged{{.leave_alone = {}, .program = is_seen}};
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { siglongjmp(out_of_handler, 1); };
  foreign::sigaction(SIGUSR2, &action, &before);
  weft::testing::run([&] {
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    if (sigsetjmp(out_of_handler, 1) == 0) ::raise(SIGUSR2);
    EXPECT_EQ(foreign::usleep(1'000), 0);
    EXPECT_TRUE(other_ran);
    weft::await(other);
  });
  foreign::sigaction(SIGUSR2, &before, nullptr);
}

TEST(BridgeCorners, AHandlerMayJumpOutOfItselfWhileACoroutineRuns) { jump_out_of_a_handler(true); }

// trap 47
TEST(BridgeCorners, AJumpOutOfAHandlerMayBeUnseen) { jump_out_of_a_handler(false); }

// trap 48
TEST(RealTimeBridgeCorners, AHangUpThatIsNotAskedForKeepsTheProcessorIdle) {
  const weft_test::Bridged bridged;
  weft::run([&] {
    Ends ends = blocking(Ends::sockets());
    ends.there.reset();
    fd_set urgent;
    FD_ZERO(&urgent);
    FD_SET(ends.here.get(), &urgent);
    timeval limit{0, 100'000};
    const auto before = weft::stats().suspensions;
    EXPECT_EQ(foreign::select(ends.here.get() + 1, nullptr, nullptr, &urgent, &limit), 0);
    EXPECT_LT(weft::stats().suspensions - before, 50U);
  });
}

// trap 48
TEST(RealTimeBridgeCorners, ADatagramForAFullPeerKeepsTheProcessorIdle) {
  const weft_test::Bridged bridged;
  weft::run([&] {
    const weft_test::TemporaryDirectory directory;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (directory / "s").c_str());
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    const OwnDescriptor peer{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    const OwnDescriptor sender{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(::bind(peer.get(), raw, sizeof address), 0);
    while (::sendto(sender.get(), "x", 1, MSG_DONTWAIT, raw, sizeof address) == 1) {
    }
    auto reader = weft::spawn([&] {
      weft::delay(std::chrono::milliseconds{40});
      weft_test::take(peer.get(), 1);
    });
    weft::suspend();
    const auto before = weft::stats().suspensions;
    EXPECT_EQ(foreign::sendto(sender.get(), "x", 1, 0, raw, sizeof address), 1);
    EXPECT_LT(weft::stats().suspensions - before, 100U);
    weft::await(reader);
  });
}

// trap 41
TEST(BridgeCorners, APollThatNeverWaitsLetsTheOthersRun) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto writer = weft::spawn([&] { send_text(ends.there.get(), "x"); });
    pollfd look{ends.here.get(), POLLIN, 0};
    int found = 0;
    for (int i = 0; i < 1'000 && found == 0; ++i) found = foreign::poll(&look, 1, 0);
    EXPECT_EQ(found, 1);
    weft::await(writer);
  });
}

// trap 49
TEST(RealTimeBridgeCorners, TheNextRuntimeDoesNotMeetTheWaitsThatOneLeftBehind) {
  const weft_test::Bridged bridged;
  const Ends ends = blocking(Ends::sockets());
  weft::Options options;
  options.shutdown_deadline = std::chrono::milliseconds{5};
  options.on_warning = [](std::string_view) {};
  const auto abandon = [&] {
    weft::run(
        [&] {
          auto stubborn = weft::spawn([&] {
            char byte = 0;
            foreign::recv(ends.here.get(), &byte, 1, 0);
            try {
              weft::suspend();
            } catch (const weft::Cancelled&) {  // goes on as if nothing had been said
            }
            while (true) foreign::recv(ends.here.get(), &byte, 1, 0);
          });
          weft::suspend();
          weft::shutdown();
        },
        options);
  };
  EXPECT_THROW(abandon(), weft::ShutdownError);
  weft::run([&] {
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
    });
    weft::suspend();
    send_text(ends.there.get(), "x");
    weft::await(reader);
  });
}

/// Asks again and again until another coroutine, which runs `act`, has done something.
template <class Ask>
void expect_that_the_others_run(Ask asks_in_vain, std::function<void()> act) {
  auto other = weft::spawn(std::move(act));
  int asked = 0;
  while (asked < 1'000 && asks_in_vain()) ++asked;
  EXPECT_LT(asked, 1'000);
  weft::await(other);
}

// trap 41
TEST(BridgeCorners, AReceiveThatNeverWaitsLetsTheOthersRun) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    char byte = 0;
    const auto put = [&] { send_text(ends.there.get(), "x"); };
    const int fd = ends.here.get();
    expect_that_the_others_run([&] { return foreign::recv(fd, &byte, 1, MSG_DONTWAIT) < 0; }, put);
    expect_that_the_others_run(
        [&] { return foreign::recvfrom(fd, &byte, 1, MSG_DONTWAIT, nullptr, nullptr) < 0; }, put);
    iovec part{&byte, 1};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    expect_that_the_others_run([&] { return foreign::recvmsg(fd, &message, MSG_DONTWAIT) < 0; },
                               put);
    mmsghdr messages{message, 0};
    expect_that_the_others_run(
        [&] { return foreign::recvmmsg(fd, &messages, 1, MSG_DONTWAIT, nullptr) < 0; }, put);
  });
}

// trap 41
TEST(BridgeCorners, AReadOfAPipeThatDoesNotBlockLetsTheOthersRun) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    const Ends ends = Ends::pipe();
    char byte = 0;
    const iovec part{&byte, 1};
    const auto put = [&] { static_cast<void>(::write(ends.there.get(), "x", 1)); };
    expect_that_the_others_run([&] { return foreign::read(ends.here.get(), &byte, 1) < 0; }, put);
    expect_that_the_others_run([&] { return foreign::readv(ends.here.get(), &part, 1) < 0; }, put);
  });
}

// trap 41
TEST(BridgeCorners, AnAcceptOfASocketThatDoesNotBlockLetsTheOthersRun) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    Listening server;
    foreign::fcntl(server.listener.get(), F_SETFL, reinterpret_cast<void*>(O_NONBLOCK));
    for (const bool has_flags : {false, true}) {
      const OwnDescriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
      OwnDescriptor accepted;
      expect_that_the_others_run(
          [&] {
            const int fd = server.listener.get();
            accepted = OwnDescriptor{has_flags ? foreign::accept4(fd, nullptr, nullptr, 0)
                                               : foreign::accept(fd, nullptr, nullptr)};
            return accepted.get() < 0;
          },
          [&] { ::connect(client.get(), server.raw(), sizeof server.address); });
    }
  });
}

// trap 41
TEST(BridgeCorners, AWaitForAChildThatDoesNotHangLetsTheOthersRun) {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {  // of other tests
  }
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    using Ask = int (*)(pid_t);
    const Ask all[] = {
        [](pid_t child) -> int { return foreign::waitpid(child, nullptr, WNOHANG); },
        [](pid_t) -> int { return foreign::wait3(nullptr, WNOHANG, nullptr); },
        [](pid_t child) -> int { return foreign::wait4(child, nullptr, WNOHANG, nullptr); },
        [](pid_t child) -> int {
          siginfo_t info{};
          const int done =
              foreign::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG);
          return done == 0 ? info.si_pid : done;
        }};
    for (const Ask ask : all) {
      const pid_t child = ::fork();
      if (child == 0) ::pause();
      expect_that_the_others_run([&] { return ask(child) == 0; },
                                 [&] {
                                   const weft::bridge::Direct direct;  // until it has ended
                                   ::kill(child, SIGKILL);
                                   siginfo_t info{};
                                   ::waitid(P_PID, static_cast<id_t>(child), &info,
                                            WEXITED | WNOWAIT);
                                 });
    }
  });
}

}  // namespace
