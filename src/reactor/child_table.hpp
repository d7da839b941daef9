#pragma once

#include <optional>

namespace weft {

/// A child process somebody watches, and its exit code once it was collected.
class Child;

/// The children of the process that some runtime watches, by process id. A status can be collected
/// once in the whole process, so runtimes share what was collected. Nobody else's children are ever
/// waited for.
class ChildTable {
 public:
  /// One more who watches `pid`. Throws std::bad_alloc.
  static Child& watch(int pid);
  static void unwatch(Child& child) noexcept;
  /// The exit code if the child has ended: the status, minus the signal, or -1 if it is not ours to
  /// collect.
  static std::optional<int> collect(Child& child) noexcept;
  /// Sends a signal to the child, never to another process that has its id after it was collected.
  /// 0, or the error number.
  static int kill(Child& child, int signal) noexcept;

  // Around a fork. The child process has no children yet.
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;
};

}  // namespace weft
