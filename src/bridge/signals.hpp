#pragma once

#include <csignal>

namespace weft::bridge {

/// How many signal handlers have run on this thread: all, and those that do not want interrupted
/// calls to be made again.
struct HandlerRuns {
  volatile std::sig_atomic_t all = 0;
  volatile std::sig_atomic_t without_restart = 0;
};
extern constinit thread_local HandlerRuns handler_runs;

/// Whether the caller was called by a signal handler.
[[nodiscard]] bool is_in_handler() noexcept;

/// Around a fork: the child has no other thread that could release the lock of sigaction().
void lock_handlers() noexcept;
void unlock_handlers() noexcept;

/// Before a wait: from now on a handler that runs on this thread ends it. False as long as no
/// handler was set. Throws std::system_error.
[[nodiscard]] bool watch_handlers();
/// After the last wait of the thread.
void unwatch_handlers() noexcept;
/// From now on a host is notified of signal handlers at any time, not only while a call waits.
void watch_handlers_for_host() noexcept;

}  // namespace weft::bridge
