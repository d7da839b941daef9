#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <spawn.h>
#include <string_view>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// The end of a child makes a descriptor readable that refers to it; no SIGCHLD is involved. For
// other changes, or any child, there is none: such calls look again after a growing delay.
namespace weft::bridge {
namespace {

/// Refers to a child; closes with its frame.
class ChildDescriptor {
 public:
  explicit ChildDescriptor(pid_t child) noexcept
      : number_{static_cast<int>(::syscall(SYS_pidfd_open, child, 0U))} {}
  ~ChildDescriptor() {
    if (number_ < 0) return;
    number_changes(number_);
    real.close(number_);
  }
  ChildDescriptor(const ChildDescriptor&) = delete;
  ChildDescriptor& operator=(const ChildDescriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return number_; }

 private:
  int number_;
};

/// Waits until `poll_now()` does not return 0. `descriptor` refers to the child; -1 if none can.
template <class Look>
int until_found(const char* function, int descriptor, Look poll_now) {
  GrowingDelay delay{function, never, Restart::if_wanted};
  const Interest interest{descriptor, Poll::readable};
  while (true) {
    const Ended ended = descriptor >= 0
                            ? wait_for(function, {&interest, 1}, never, Restart::if_wanted)
                            : delay.wait();
    if (ended != Ended::ready) {
      errno = errno_of(ended, 0);
      return -1;
    }
    if (const int found = poll_now(); found != 0) return found;
  }
}

pid_t wait_for_child(const char* function, pid_t child, int* status, int options, rusage* usage) {
  const auto poll_now = [&] { return real.wait4(child, status, options | WNOHANG, usage); };
  if (const pid_t found = poll_now(); found != 0) {
    count_immediate();
    return found;
  }
  if (child <= 0 || (options & (WUNTRACED | WCONTINUED)) != 0) {
    return until_found(function, -1, poll_now);
  }
  const ChildDescriptor descriptor{child};
  return until_found(function, descriptor.get(), poll_now);
}

pid_t hooked_waitpid(pid_t child, int* status, int options) {
  if (!may_suspend() || (options & WNOHANG) != 0) return real.waitpid(child, status, options);
  return wait_for_child("waitpid", child, status, options, nullptr);
}

pid_t hooked_wait(int* status) {
  if (!may_suspend()) return real.wait(status);
  return wait_for_child("wait", -1, status, 0, nullptr);
}

pid_t hooked_wait3(int* status, int options, rusage* usage) {
  if (!may_suspend() || (options & WNOHANG) != 0) return real.wait3(status, options, usage);
  return wait_for_child("wait3", -1, status, options, usage);
}

pid_t hooked_wait4(pid_t child, int* status, int options, rusage* usage) {
  if (!may_suspend() || (options & WNOHANG) != 0) return real.wait4(child, status, options, usage);
  return wait_for_child("wait4", child, status, options, usage);
}

int hooked_waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
  if (!may_suspend() || (options & WNOHANG) != 0) return real.waitid(kind, id, info, options);
  siginfo_t own{};
  const auto poll_now = [&] {  // 1: found
    own = {};
    const int result = real.waitid(kind, id, &own, options | WNOHANG);
    return result != 0 ? result : (own.si_pid != 0 ? 1 : 0);
  };
  int found = poll_now();
  if (found == 0 && kind == P_PID && (options & (WSTOPPED | WCONTINUED)) == 0) {
    const ChildDescriptor descriptor{static_cast<pid_t>(id)};
    found = until_found("waitid", descriptor.get(), poll_now);
  } else if (found == 0) {
    found = until_found("waitid", kind == P_PIDFD ? static_cast<int>(id) : -1, poll_now);
  }
  if (found < 0) return -1;
  if (info != nullptr) *info = own;
  return 0;
}

// popen() of libc hides the child, and pclose() waits inside libc: both are written anew.

/// The children of popen(), by their stream, and those that pclose() was cancelled for.
class Commands {
 public:
  /// Never destroyed: handlers of exit() may close streams.
  static Commands& all() {
    static Commands& one = *new Commands;
    return one;
  }
  /// Throws std::bad_alloc.
  void add(FILE* stream, pid_t child) {
    const std::lock_guard lock{mutex_};
    children_.emplace_back(stream, child);
  }
  /// 0 if it is none of ours.
  pid_t take(const FILE* stream) noexcept {
    const std::lock_guard lock{mutex_};
    const auto found = std::find_if(children_.begin(), children_.end(),
                                    [&](const auto& entry) { return entry.first == stream; });
    if (found == children_.end()) return 0;
    const pid_t child = found->second;
    children_.erase(found);
    return child;
  }
  void leave(pid_t child) noexcept {
    const std::lock_guard lock{mutex_};
    try {
      left_.push_back(child);
    } catch (...) {  // no memory: it stays a zombie
    }
  }
  void collect_left() noexcept {
    const std::lock_guard lock{mutex_};
    std::erase_if(left_, [](pid_t child) { return real.waitpid(child, nullptr, WNOHANG) != 0; });
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<FILE*, pid_t>> children_;
  std::vector<pid_t> left_;
};

pid_t start_command(const char* command, int from, int to) noexcept {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  ::posix_spawn_file_actions_adddup2(&actions, from, to);
  char shell[] = "sh";
  char flag[] = "-c";
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the child has a copy
  char* arguments[] = {shell, flag, const_cast<char*>(command), nullptr};
  pid_t child = -1;
  const int error = ::posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  errno = error;
  return -1;
}

FILE* hooked_popen(const char* command, const char* mode) {
  if (!may_suspend()) return real.popen(command, mode);
  Commands::all().collect_left();
  const std::string_view wanted{mode};
  const bool reads = wanted.find('r') != wanted.npos;
  const bool writes = wanted.find('w') != wanted.npos;
  if (reads == writes || wanted.find_first_not_of("rwe") != wanted.npos) {
    errno = EINVAL;
    return nullptr;
  }
  int both[2];
  if (real.pipe2(both, O_CLOEXEC) != 0) return nullptr;
  number_changes(both[0]);
  number_changes(both[1]);
  const int mine = both[reads ? 0 : 1];
  const int of_child = both[reads ? 1 : 0];
  const pid_t child = start_command(command, of_child, reads ? STDOUT_FILENO : STDIN_FILENO);
  const int error = errno;
  real.close(of_child);
  FILE* const stream = child > 0 ? ::fdopen(mine, reads ? "r" : "w") : nullptr;
  if (stream != nullptr) {
    if (wanted.find('e') == wanted.npos) real.fcntl(mine, F_SETFD, 0);
    try {
      Commands::all().add(stream, child);
      return stream;
    } catch (const std::bad_alloc&) {
      real.fclose(stream);
      Commands::all().leave(child);
      errno = ENOMEM;
      return nullptr;
    }
  }
  real.close(mine);
  if (child > 0) Commands::all().leave(child);
  errno = error;
  return nullptr;
}

int hooked_pclose(FILE* stream) {
  const pid_t child = Commands::all().take(stream);
  if (child == 0) return real.pclose(stream);
  number_changes(::fileno(stream));
  real.fclose(stream);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = may_suspend() ? wait_for_child("pclose", child, &status, 0, nullptr)
                          : real.waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended == child) return status;
  const int error = errno;
  if (error != ECHILD) {
    if (Host* const host = ThreadState::here().host) host->left_behind(child);
    Commands::all().leave(child);
  }
  errno = error;
  return -1;
}

}  // namespace

void add_children(Hooks& hooks) {
  hooks.push_back(hook("wait", &hooked_wait, real.wait, children));
  hooks.push_back(hook("waitpid", &hooked_waitpid, real.waitpid, children));
  hooks.push_back(hook("wait3", &hooked_wait3, real.wait3, children));
  hooks.push_back(hook("wait4", &hooked_wait4, real.wait4, children));
  hooks.push_back(hook("waitid", &hooked_waitid, real.waitid, children));
  hooks.push_back(hook("popen", &hooked_popen, real.popen, children));
  hooks.push_back(hook("pclose", &hooked_pclose, real.pclose, children));
}

}  // namespace weft::bridge
