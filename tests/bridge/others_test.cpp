#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// Sleeping, children, names, locks.
namespace {

using namespace std::chrono_literals;
using weft_test::Case;
using weft_test::FileWith;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::took;

const Case others_cases[] = {
    {"sleeps",
     [](Seen& seen) {
       auto start = std::chrono::steady_clock::now();
       seen.call("usleep", foreign::usleep(20'000)).note("took", took(start, 20ms));
       start = std::chrono::steady_clock::now();
       const timespec some{0, 20'000'000};
       timespec left{7, 7};
       seen.call("nanosleep", foreign::nanosleep(&some, &left)).note("took", took(start, 20ms));
       seen.note("left", left.tv_sec);
       start = std::chrono::steady_clock::now();
       timespec until{};
       ::clock_gettime(CLOCK_REALTIME, &until);
       until.tv_nsec += 20'000'000;
       if (until.tv_nsec >= 1'000'000'000) {
         ++until.tv_sec;
         until.tv_nsec -= 1'000'000'000;
       }
       seen.call("clock_nanosleep",
                 foreign::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr));
       seen.note("took", took(start, 19ms));
       const timespec bad{0, -1};
       seen.call("bad", foreign::nanosleep(&bad, nullptr));
       seen.note("bad clock", foreign::clock_nanosleep(77, 0, &some, nullptr));
       seen.note("sleep", foreign::sleep(0));
     }},
    {"children",
     [](Seen& seen) {
       const auto child = [](int code, unsigned long after) {
         const pid_t made = ::fork();
         if (made == 0) {
           ::usleep(static_cast<useconds_t>(after));
           ::_exit(code);
         }
         return made;
       };
       int status = 0;
       while (::waitpid(-1, &status, WNOHANG) > 0) {  // children of other tests
       }
       pid_t one = child(7, 20'000);
       seen.note("waitpid", foreign::waitpid(one, &status, 0) == one).note("status", status);
       one = child(8, 20'000);
       seen.note("none yet", foreign::waitpid(one, &status, WNOHANG));
       seen.note("wait", foreign::wait(&status) == one).note("status", status);
       one = child(9, 20'000);
       siginfo_t info{};
       seen.call("waitid", foreign::waitid(P_PID, static_cast<id_t>(one), &info, WEXITED));
       seen.note("child", info.si_pid == one).note("status", info.si_status);
       one = child(3, 20'000);
       rusage usage{};
       seen.note("wait4", foreign::wait4(one, &status, 0, &usage) == one).note("status", status);
       one = child(0, 5'000'000);
       const Partner partner{[one] { ::kill(one, SIGKILL); }};
       seen.note("killed", foreign::waitpid(one, &status, 0) == one);
       seen.note("signal", WTERMSIG(status));
       seen.call("no child", foreign::waitpid(one, &status, 0));
       seen.call("none", foreign::wait(&status));
     }},
    {"wait3",
     [](Seen& seen) {
       while (::waitpid(-1, nullptr, WNOHANG) > 0) {  // children of other tests
       }
       const pid_t made = ::fork();
       if (made == 0) {
         ::usleep(20'000);
         ::_exit(4);
       }
       int status = 0;
       rusage usage{};
       seen.note("none yet", foreign::wait3(&status, WNOHANG, &usage));
       seen.note("wait3", foreign::wait3(&status, 0, &usage) == made).note("status", status);
       seen.call("none", foreign::wait3(&status, 0, &usage));
     }},
    {"waitid_of_a_descriptor_sees_a_stop",
     [](Seen& seen) {
       const pid_t made = ::fork();
       if (made == 0) {
         ::usleep(20'000);
         ::raise(SIGSTOP);
         ::_exit(4);
       }
       const OwnDescriptor child{static_cast<int>(::syscall(SYS_pidfd_open, made, 0))};
       const auto id = static_cast<id_t>(child.get());
       constexpr auto of_descriptor = static_cast<idtype_t>(P_PIDFD);
       siginfo_t info{};
       seen.call("stops", foreign::waitid(of_descriptor, id, &info, WSTOPPED));
       seen.note("code", info.si_code).note("status", info.si_status);
       ::kill(made, SIGCONT);
       seen.call("ends", foreign::waitid(of_descriptor, id, &info, WEXITED));
       seen.note("code", info.si_code).note("status", info.si_status);
     }},
    {"commands",
     [](Seen& seen) {
       FILE* const out = foreign::popen("sleep 0.02; echo hello; exit 5", "r");
       std::array<char, 16> line{};
       seen.note("line", std::fgets(line.data(), line.size(), out));
       seen.note("status", foreign::pclose(out));
       FILE* const in = foreign::popen("cat >/dev/null; exit 6", "w");
       std::fputs("text\n", in);
       seen.note("status", foreign::pclose(in));
       seen.note("bad mode", foreign::popen("true", "x") == nullptr).note("errno", errno);
     }},
    {"system",
     [](Seen& seen) {
       seen.note("shell", foreign::system(nullptr) != 0);
       const auto start = std::chrono::steady_clock::now();
       seen.note("status", foreign::system("sleep 0.02; exit 5")).note("took", took(start, 20ms));
       seen.note("unknown", foreign::system("exec /no/such/command 2>/dev/null"));
       seen.note("killed", foreign::system("kill -KILL $$"));
       // The terminal's signals end the command, and not the program.
       seen.note("interrupted", foreign::system("kill -INT $PPID; kill -INT $$; sleep 5"));
       struct sigaction after {};
       ::sigaction(SIGINT, nullptr, &after);
       seen.note("SIGINT as before", after.sa_handler == SIG_DFL);
     }},
    {"names",
     [](Seen& seen) {
       addrinfo hints{};
       hints.ai_family = AF_INET;
       hints.ai_socktype = SOCK_STREAM;
       addrinfo* found = nullptr;
       seen.note("getaddrinfo", foreign::getaddrinfo("localhost", "80", &hints, &found));
       if (found != nullptr) {
         const auto* const address = reinterpret_cast<sockaddr_in*>(found->ai_addr);
         seen.note("address", ::inet_ntoa(address->sin_addr));
         std::array<char, 64> host{};
         std::array<char, 64> service{};
         seen.note("getnameinfo",
                   foreign::getnameinfo(found->ai_addr, found->ai_addrlen, host.data(), host.size(),
                                        service.data(), service.size(), NI_NUMERICSERV));
         seen.note("host", host.data()).note("service", service.data());
         ::freeaddrinfo(found);
       }
       seen.note("bad family", [] {
         addrinfo bad{};
         bad.ai_family = 250;
         addrinfo* none = nullptr;
         return foreign::getaddrinfo("localhost", nullptr, &bad, &none);
       }());
       const hostent* const host = foreign::gethostbyname("localhost");
       seen.note("gethostbyname", host != nullptr);
       if (host != nullptr) {
         in_addr address{};
         std::memcpy(&address, host->h_addr_list[0], sizeof address);
         seen.note("name", host->h_name).note("address", ::inet_ntoa(address));
       }
       hostent mine{};
       hostent* result = nullptr;
       int error = 0;
       std::array<char, 1024> memory{};
       seen.note("gethostbyname_r", foreign::gethostbyname_r("localhost", &mine, memory.data(),
                                                             memory.size(), &result, &error));
       seen.note("in my memory", result == &mine && mine.h_name >= memory.data() &&
                                     mine.h_name < memory.data() + memory.size());
       seen.note("too small",
                 foreign::gethostbyname_r("localhost", &mine, memory.data(), 8, &result, &error));
       seen.note("result", result == nullptr).note("error", error);
       const in_addr loopback{htonl(INADDR_LOOPBACK)};
       const hostent* const back = foreign::gethostbyaddr(&loopback, sizeof loopback, AF_INET);
       seen.note("gethostbyaddr", back != nullptr ? back->h_name : "none");
     }},
    {"locks",
     [](Seen& seen) {
       const FileWith file{"x"};
       const OwnDescriptor one{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       const OwnDescriptor two{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       ::flock(one.get(), LOCK_EX);
       seen.call("busy", foreign::flock(two.get(), LOCK_EX | LOCK_NB));
       {
         const Partner partner{[&] { ::flock(one.get(), LOCK_UN); }};
         seen.call("flock", foreign::flock(two.get(), LOCK_EX));
       }
       seen.call("unlock", foreign::flock(two.get(), LOCK_UN));
       seen.call("bad", foreign::flock(-1, LOCK_EX));
       struct flock lock {};
       lock.l_type = F_WRLCK;
       lock.l_whence = SEEK_SET;
       ::fcntl(one.get(), F_OFD_SETLK, &lock);
       {
         const Partner partner{[&] {
           struct flock unlock {};
           unlock.l_type = F_UNLCK;
           unlock.l_whence = SEEK_SET;
           ::fcntl(one.get(), F_OFD_SETLK, &unlock);
         }};
         seen.call("fcntl", foreign::fcntl(two.get(), F_OFD_SETLKW, &lock));
       }
       lock.l_type = F_UNLCK;
       seen.call("unlocks", foreign::fcntl(two.get(), F_OFD_SETLK, &lock));
       seen.call("lockf", foreign::lockf(two.get(), F_LOCK, 0));
     }},
    {"waitid_of_a_descriptor_that_does_not_block",
     [](Seen& seen) {
       const weft_test::Ends gate = weft_test::blocking(weft_test::Ends::pipe());
       const pid_t made = ::fork();
       if (made == 0) {
         char byte = 0;
         ::_exit(static_cast<int>(::read(gate.here.get(), &byte, 1)));
       }
       const OwnDescriptor child{
           static_cast<int>(::syscall(SYS_pidfd_open, made, static_cast<unsigned>(O_NONBLOCK)))};
       const auto id = static_cast<id_t>(child.get());
       siginfo_t info{};
       const Partner partner{[&] { static_cast<void>(::write(gate.there.get(), "x", 1)); }};
       seen.call("at once", foreign::waitid(static_cast<idtype_t>(P_PIDFD), id, &info, WEXITED));
       seen.call("ends", foreign::waitid(P_PID, static_cast<id_t>(made), &info, WEXITED));
       seen.note("status", info.si_status);
     }},
    {"calls_that_open",
     [](Seen& seen) {
       const FileWith file{"x"};
       const std::string path = file.path();
       const char* const name = path.c_str();
       constexpr int flags = O_RDWR | O_CLOEXEC;
       sigset_t none;
       ::sigemptyset(&none);
       const auto opened = [&](const char* call, int number) {
         seen.call(call, number < 0 ? -1 : 0).note("open", weft_test::is_open(number));
         foreign::close(number);
       };
       opened("open64", foreign::open64(name, flags));
       opened("openat", foreign::openat(AT_FDCWD, name, flags));
       opened("openat64", foreign::openat64(AT_FDCWD, name, flags));
       opened("__open_2", foreign::open_2(name, flags));
       opened("__open64_2", foreign::open64_2(name, flags));
       opened("__openat_2", foreign::openat_2(AT_FDCWD, name, flags));
       opened("__openat64_2", foreign::openat64_2(AT_FDCWD, name, flags));
       opened("creat", foreign::creat(name, 0600));
       opened("creat64", foreign::creat64(name, 0600));
       opened("epoll_create", foreign::epoll_create(1));
       opened("epoll_create1", foreign::epoll_create1(EPOLL_CLOEXEC));
       opened("signalfd", foreign::signalfd(-1, &none, SFD_CLOEXEC));
       opened("inotify_init", foreign::inotify_init());
       opened("inotify_init1", foreign::inotify_init1(IN_CLOEXEC));
       FILE* const stream = foreign::fopen(name, "r");
       seen.note("fopen", stream != nullptr);
       seen.note("freopen64", foreign::freopen64(name, "r", stream) == stream);
       seen.call("fclose", foreign::fclose(stream));
       FILE* const other = foreign::fopen64(name, "r");
       seen.note("fopen64", other != nullptr).call("fclose", foreign::fclose(other));
       seen.call("missing", foreign::open64("/none/such", flags));
     }},
    {"locks_of_large_files",
     [](Seen& seen) {
       const FileWith file{"x"};
       const OwnDescriptor locked{::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
       seen.call("lockf64", foreign::lockf64(locked.get(), F_LOCK, 1));
       struct flock all {};
       all.l_type = F_WRLCK;
       seen.call("fcntl64", foreign::fcntl64(locked.get(), F_SETLKW, &all));
     }},
};

class BridgeOthersTest : public ::testing::TestWithParam<Case> {};

TEST_P(BridgeOthersTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeOthersTest, ::testing::ValuesIn(others_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
