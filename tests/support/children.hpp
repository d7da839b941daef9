#pragma once

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace weft_test {

/// Forks a child process that runs `body` and exits with its result. Plain fork(): the child must
/// not use the runtime of its parent.
template <class F>
int start_child(F body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body());
  return pid;
}

/// Whether the child has ended and was not collected.
inline bool is_zombie(int pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

/// Blocks the thread until the child has ended, without collecting it.
inline void wait_until_dead(int pid) {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

/// Whether the child was collected: the system does not know it any more.
inline bool is_collected(int pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 &&
         errno == ECHILD;
}

/// Whether this process has no child, running or ended.
inline bool is_childless() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

/// A child that ends when the parent closes its end of a pipe.
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
  ~HeldChild() { release(); }
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;
  [[nodiscard]] int pid() const noexcept { return pid_; }
  void release() noexcept {
    if (pipe_[1] >= 0) ::close(pipe_[1]);
    pipe_[1] = -1;
  }

 private:
  int pipe_[2] = {-1, -1};
  int pid_ = -1;
};

}  // namespace weft_test
