#pragma once

#include <optional>

namespace weft {

/// A watched child process, and how it ended, once that was collected.
class Child;

/// How a child ended.
struct ChildEnd {
  int code = -1;   // its status, minus the signal, or -1 if unknown
  int signal = 0;  // that killed it; minus SIGHUP would look like unknown
};

/// The children that a runtime of this process watches, by process id. A status can be collected
/// once in the whole process, so runtimes share what was collected. Children that weft does not
/// watch are never collected.
class ChildTable {
 public:
  /// Adds a watcher of `pid`. Throws std::bad_alloc.
  static Child& watch(int pid);
  /// The same for a child that is watched already.
  static Child& watch(Child& child) noexcept;
  static void unwatch(Child& child) noexcept;
  /// How the child ended, if it has.
  static std::optional<ChildEnd> collect(Child& child) noexcept;
  /// Sends a signal to the child, never to another process that gets its id after it was collected.
  /// 0, or the error number.
  static int kill(Child& child, int signal) noexcept;
  /// The child was started as the leader of a process group.
  static void set_leads_group(Child& child) noexcept;
  [[nodiscard]] static bool leads_group(Child& child) noexcept;
  /// kill() for its whole group, if it leads one. The child must not have been collected: until
  /// then its id is that of the group.
  static int kill_group(Child& child, int signal) noexcept;

  // Around a fork. The child process has no children yet.
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;
};

}  // namespace weft
