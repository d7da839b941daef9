#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/types.h>

namespace weft {

/// While it lives, a write of this thread that has no reader raises no SIGPIPE: for pipes,
/// terminals and sendfile(), which have no flag for that. The disposition of the signal belongs to
/// the program and is never changed.
class NoPipeSignal {
 public:
  NoPipeSignal() noexcept {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    if (sigismember(&before_, SIGPIPE) != 1) return;
    sigset_t pending{};
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  }
  ~NoPipeSignal() {
    if (came_ && !was_pending_) {
      const int error = errno;  // of the write; sigtimedwait() changes it if the signal is ignored
      const timespec at_once{};
      ::sigtimedwait(&pipe_, nullptr, &at_once);
      errno = error;
    }
    if (sigismember(&before_, SIGPIPE) != 1) ::pthread_sigmask(SIG_UNBLOCK, &pipe_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;
  /// The write failed with EPIPE: unless it is ignored, the signal is pending now.
  void came() noexcept { came_ = true; }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;  // it was blocked and sent before: it belongs to the program
  bool came_ = false;
};

/// A write that reports by EPIPE alone that there is no reader. Sockets have MSG_NOSIGNAL instead.
template <class Write>
ssize_t without_pipe_signal(Write write) noexcept {
  NoPipeSignal no_signal;
  const ssize_t written = write();
  if (written < 0 && errno == EPIPE) no_signal.came();
  return written;
}

}  // namespace weft
