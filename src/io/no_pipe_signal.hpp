#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/types.h>

namespace weft {

/// Blocks SIGPIPE in this thread, for writes to pipes and terminals and for sendfile(), which have
/// no MSG_NOSIGNAL. The disposition of the signal belongs to the program and is never changed.
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
  /// Called when a write has failed with EPIPE: the destructor takes the signal, which is pending
  /// now unless it is ignored.
  void came() noexcept { came_ = true; }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;  // a SIGPIPE from before this object belongs to the program
  bool came_ = false;
};

/// Calls `write` without SIGPIPE: a missing reader is EPIPE only. Sockets have MSG_NOSIGNAL
/// instead.
template <class Write>
ssize_t without_pipe_signal(Write write) noexcept {
  NoPipeSignal no_signal;
  const ssize_t written = write();
  if (written < 0 && errno == EPIPE) no_signal.came();
  return written;
}

}  // namespace weft
