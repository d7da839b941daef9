#include "surroundings.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/current.hpp"
#include "program.hpp"
#include "weft/extend/clock.hpp"
#include "weft/options.hpp"

namespace weft_hostile {
namespace {

constexpr uid_t ordinary_user = 65534;

void close_standard_descriptors() {
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::close(descriptor);
}

template <int number>
void block() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
}

template <int number>
void ignore() {
  ::signal(number, SIG_IGN);
}

/// Limits the descriptors to those that are open now, and `more`.
template <int more>
void limit_descriptors() {
  const int next = ::dup(2);
  ::close(next);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(next + more);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void limit_stack() {
  rlimit limit{};
  ::getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = rlim_t{256} * 1024;
  ::setrlimit(RLIMIT_STACK, &limit);
}

void put_unreadable_directory_on_path() {
  std::string directory = std::filesystem::temp_directory_path() / "weft-unreadable-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr || ::chmod(directory.c_str(), 0) != 0) {
    std::_Exit(not_possible);
  }
  const char* path = std::getenv("PATH");
  ::setenv("PATH", (directory + ":" + (path != nullptr ? path : "")).c_str(), 1);
  become_ordinary_user();
}

void interrupt_calls() {
  struct sigaction action {};
  action.sa_handler = [](int number) {
    static int left = 40'000;  // signals within the time limit of a program
    if (--left == 0) ::signal(number, SIG_DFL);
  };
  ::sigaction(SIGALRM, &action, nullptr);  // without SA_RESTART
  const itimerval every{{0, 500}, {0, 500}};
  ::setitimer(ITIMER_REAL, &every, nullptr);
}

/// A clock that jumps by an hour, as after a suspend of the machine, again and again.
class JumpingClock final : public weft::Clock {
 public:
  weft::TimePoint now() noexcept override {
    constexpr unsigned readings = 20;
    if (++readings_ % readings == 0) jumped_ += std::chrono::hours{1};
    return weft::Clock::real().now() + jumped_;
  }

 private:
  unsigned readings_ = 0;
  weft::Duration jumped_{};
};

void let_the_clock_jump() {
  weft::current_thread.adjust_options = [](weft::Options& options) {
    static JumpingClock clock;
    if (options.clock == nullptr) options.clock = &clock;
  };
}

}  // namespace

void become_ordinary_user() {
  if (::getuid() != 0) return;
  if (::setgid(ordinary_user) != 0 || ::setuid(ordinary_user) != 0) std::_Exit(not_possible);
}

void leave_directory() {
  ::umask(0777);
  if (::chdir("/") != 0) std::_Exit(not_possible);
}

void allow_many_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

const std::vector<Surroundings>& all_surroundings() {
  static const std::vector<Surroundings> all{
      {"plain", [] {}},
      {"closed-stdio", close_standard_descriptors, true},
      {"sigchld-blocked", block<SIGCHLD>},
      {"sigchld-ignored", ignore<SIGCHLD>},
      {"sigpipe-blocked", block<SIGPIPE>},
      {"sigpipe-ignored", ignore<SIGPIPE>},
      {"sigterm-blocked", block<SIGTERM>},
      {"sigterm-ignored", ignore<SIGTERM>},
      {"other-directory", leave_directory},
      {"no-descriptors", limit_descriptors<0>},
      {"six-descriptors", limit_descriptors<6>},
      {"small-stack", limit_stack},
      {"ordinary-user", become_ordinary_user},
      {"unreadable-path", put_unreadable_directory_on_path},
      {"interrupted-calls", interrupt_calls},
      {"jumping-clock", let_the_clock_jump},
  };
  return all;
}

}  // namespace weft_hostile
