#include "process/child_table.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <map>
#include <mutex>
#include <sys/wait.h>

#include "base/real_calls.hpp"

namespace weft {

class Child {
 public:
  explicit Child(int process) noexcept : pid{process} {}
  int pid;
  bool leads_group = false;
  std::uint32_t watchers = 0;
  std::optional<ChildEnd> end;
};

namespace {

constinit std::mutex watched_children_mutex;

/// Never destroyed: runtimes of other threads may use it while the process exits.
std::map<int, Child*>& watched_children() {
  static auto* const table = new std::map<int, Child*>;
  return *table;
}

/// Whether this process has an uncollected child with this id.
bool is_uncollected(int pid) noexcept {
  siginfo_t info{};
  return real_calls.waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

ChildEnd end_of(int status) noexcept {
  if (WIFEXITED(status)) return {WEXITSTATUS(status), 0};
  if (WIFSIGNALED(status)) return {-WTERMSIG(status), WTERMSIG(status)};
  return {};
}

}  // namespace

Child& ChildTable::watch(int pid) {
  const std::lock_guard lock{watched_children_mutex};
  Child*& known = watched_children()[pid];
  // The child was collected, but the id exists: the system has reused it.
  const bool is_another = known != nullptr && known->end && is_uncollected(pid);
  if (known == nullptr || is_another) {
    try {
      known = new Child{pid};
    } catch (...) {
      if (known == nullptr) watched_children().erase(pid);
      throw;
    }
  }
  ++known->watchers;
  return *known;
}

Child& ChildTable::watch(Child& child) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  ++child.watchers;
  return child;
}

void ChildTable::unwatch(Child& child) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  if (--child.watchers > 0) return;
  const auto at = watched_children().find(child.pid);
  if (at != watched_children().end() && at->second == &child) watched_children().erase(at);
  delete &child;
}

std::optional<ChildEnd> ChildTable::collect(Child& child) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  while (!child.end) {
    int status = 0;
    const pid_t found = real_calls.waitpid(child.pid, &status, WNOHANG);
    if (found == 0) break;
    if (found == child.pid) {
      child.end = end_of(status);
    } else if (errno != EINTR) {
      child.end = ChildEnd{};  // collected by other code, or not a child of this process
    }
  }
  return child.end;
}

int ChildTable::kill(Child& child, int signal) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  if (child.end) return ESRCH;
  return ::kill(child.pid, signal) == 0 ? 0 : errno;
}

void ChildTable::set_leads_group(Child& child) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  child.leads_group = true;
}

bool ChildTable::leads_group(Child& child) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  return child.leads_group;
}

int ChildTable::kill_group(Child& child, int signal) noexcept {
  const std::lock_guard lock{watched_children_mutex};
  if (child.end) return ESRCH;
  return ::kill(child.leads_group ? -child.pid : child.pid, signal) == 0 ? 0 : errno;
}

void ChildTable::before_fork() noexcept { watched_children_mutex.lock(); }

void ChildTable::after_fork_in_parent() noexcept { watched_children_mutex.unlock(); }

void ChildTable::after_fork_in_child() noexcept {
  // They are children of the parent: for their watchers they have ended with an unknown status.
  for (auto& [pid, child] : watched_children()) {
    if (!child->end) child->end = ChildEnd{};
  }
  watched_children().clear();
  watched_children_mutex.unlock();
}

}  // namespace weft
