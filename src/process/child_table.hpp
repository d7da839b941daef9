#pragma once

#include <optional>

namespace weft {

/// A child process somebody watches, and how it ended once that was collected.
class Child;

/// How a child ended.
struct ChildEnd {
  int code = -1;   // its status, minus the signal, or -1 if it is not ours to collect
  int signal = 0;  // that killed it: minus SIGHUP looks like not known
};

/// The children of the process that some runtime watches, by process id. A status can be collected
/// once in the whole process, so runtimes share what was collected. Nobody else's children are ever
/// waited for.
class ChildTable {
 public:
  /// One more who watches `pid`. Throws std::bad_alloc.
  static Child& watch(int pid);
  /// The same for one that is watched already.
  static Child& watch(Child& child) noexcept;
  static void unwatch(Child& child) noexcept;
  /// How the child ended, if it has.
  static std::optional<ChildEnd> collect(Child& child) noexcept;
  /// Sends a signal to the child, never to another process that has its id after it was collected.
  /// 0, or the error number.
  static int kill(Child& child, int signal) noexcept;
  /// The child was started as the first of a process group.
  static void set_leads_group(Child& child) noexcept;
  [[nodiscard]] static bool leads_group(Child& child) noexcept;
  /// Like kill(), but to all of its group if it leads one. The child must not have been collected:
  /// its id is that of the group.
  static int kill_group(Child& child, int signal) noexcept;

  // Around a fork. The child process has no children yet.
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;
};

}  // namespace weft
