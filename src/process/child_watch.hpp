#pragma once

#include <memory>

namespace weft {

class Reactor;

/// Notifies the process table that a child may have ended, where SIGCHLD does not: a program may
/// have blocked that signal, or inherited the block. Each backend has its own source.
class ChildWatch {
 public:
  ChildWatch() noexcept;
  ~ChildWatch();
  ChildWatch(const ChildWatch&) = delete;
  ChildWatch& operator=(const ChildWatch&) = delete;

  /// From now on the process table of `reactor` checks `pid` when it ends. False: there is no such
  /// process any more. Throws std::system_error if neither this nor SIGCHLD would report the end.
  bool begin(Reactor& reactor, int pid);
  void end() noexcept;

 private:
  class Native;
  std::unique_ptr<Native> native_;
};

/// Whether this thread, and the threads that it starts, get no SIGCHLD.
[[nodiscard]] bool is_child_signal_blocked() noexcept;

}  // namespace weft
