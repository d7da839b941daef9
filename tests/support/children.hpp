#pragma once

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace weft_test {

/// A real child process that does `body` and exits with what it returns. Plain fork(): it must not
/// touch the runtime it was forked from.
template <class F>
int start_child(F body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  return pid;
}

/// Has ended, but was not collected yet, or not even this.
inline bool is_zombie(int pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

/// Waits, blocking the thread, until the child has ended; leaves its status to others.
inline void wait_until_dead(int pid) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

/// Whether the system has forgotten it: it was collected.
inline bool is_collected(int pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
         errno == ECHILD;
}

/// Whether no child is left, dead or alive.
inline bool is_childless() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

/// A child that ends when told to: it waits for the other end of a pipe.
class HeldChild {
 public:
  explicit HeldChild(int code) {
    if (::pipe(pipe_) != 0) return;
    pid_ = start_child([&] {
      ::close(pipe_[1]);
      char byte = 0;
      while (::read(pipe_[0], &byte, 1) < 0 && errno == EINTR) {
      }
      return code;
    });
    ::close(pipe_[0]);
  }
  ~HeldChild() { let_go(); }
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;
  [[nodiscard]] int pid() const noexcept { return pid_; }
  void let_go() noexcept {
    if (pipe_[1] >= 0) ::close(pipe_[1]);
    pipe_[1] = -1;
  }

 private:
  int pipe_[2] = {-1, -1};
  int pid_ = -1;
};

}  // namespace weft_test
