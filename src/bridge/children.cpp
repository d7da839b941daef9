#include "bridge/children.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// The end of a child makes a descriptor readable that refers to it; no SIGCHLD is involved. Stop
// and continue events, and waits for any child, have no descriptor: those calls poll with a growing
// delay.
namespace weft::bridge {
namespace {

/// Refers to a child; closes with its frame.
class ChildDescriptor {
 public:
  explicit ChildDescriptor(pid_t child) noexcept
      : number_{next_generation(static_cast<int>(::syscall(SYS_pidfd_open, child, 0U)))} {}
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
template <class Poll>
int until_found(const char* function, int descriptor, Poll poll_now) {
  GrowingDelay delay{function, -1, never, Restart::if_wanted};
  const Interest interest{descriptor, weft::Poll::readable};
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

}  // namespace

pid_t wait_for_child(const char* function, pid_t child, int* status, int options, rusage* usage) {
  const ErrnoBefore before;
  const auto poll_now = [&] { return real.wait4(child, status, options | WNOHANG, usage); };
  if (const pid_t found = poll_now(); found != 0) {
    count_immediate();
    return found;
  }
  if (child <= 0 || (options & (WUNTRACED | WCONTINUED)) != 0) {
    return before.after(until_found(function, -1, poll_now));
  }
  const ChildDescriptor descriptor{child};
  return before.after(until_found(function, descriptor.get(), poll_now));
}

namespace {

pid_t hooked_waitpid(pid_t child, int* status, int options) {
  if (!may_suspend()) return real.waitpid(child, status, options);
  if ((options & WNOHANG) != 0) return at_once(real.waitpid(child, status, options));
  return wait_for_child("waitpid", child, status, options, nullptr);
}

pid_t hooked_wait(int* status) {
  if (!may_suspend()) return real.wait(status);
  return wait_for_child("wait", -1, status, 0, nullptr);
}

pid_t hooked_wait3(int* status, int options, rusage* usage) {
  if (!may_suspend()) return real.wait3(status, options, usage);
  if ((options & WNOHANG) != 0) return at_once(real.wait3(status, options, usage));
  return wait_for_child("wait3", -1, status, options, usage);
}

pid_t hooked_wait4(pid_t child, int* status, int options, rusage* usage) {
  if (!may_suspend()) return real.wait4(child, status, options, usage);
  if ((options & WNOHANG) != 0) return at_once(real.wait4(child, status, options, usage));
  return wait_for_child("wait4", child, status, options, usage);
}

/// The bridge does not see how the descriptor of a child is made, so it knows nothing of its
/// number.
bool is_non_blocking_now(int descriptor) noexcept {
  const int flags = real.fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

int hooked_waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
  if (!may_suspend()) return real.waitid(kind, id, info, options);
  if ((options & WNOHANG) != 0) return at_once(real.waitid(kind, id, info, options));
  const ErrnoBefore before;
  siginfo_t own{};
  const auto poll_now = [&] {  // 1: found
    own = {};
    const int result = real.waitid(kind, id, &own, options | WNOHANG);
    return result != 0 ? result : (own.si_pid != 0 ? 1 : 0);
  };
  int found = poll_now();
  if (found == 0 && kind == P_PIDFD && is_non_blocking_now(static_cast<int>(id))) {
    return real.waitid(kind, id, info, options);  // fails at once
  }
  const bool wants_the_end = (options & (WSTOPPED | WCONTINUED)) == 0;
  if (found == 0 && kind == P_PID && wants_the_end) {
    const ChildDescriptor descriptor{static_cast<pid_t>(id)};
    found = until_found("waitid", descriptor.get(), poll_now);
  } else if (found == 0) {
    const bool is_descriptor = kind == P_PIDFD && wants_the_end;
    found = until_found("waitid", is_descriptor ? static_cast<int>(id) : -1, poll_now);
  }
  if (found < 0) return -1;
  if (info != nullptr) *info = own;
  return before.after(0);
}

}  // namespace

void add_children(Hooks& hooks) {
  hooks.push_back(hook("wait", outside<&hooked_wait, &Real::wait>, real.wait, children));
  hooks.push_back(hook("__wait", outside<&hooked_wait, &Real::wait>, real.wait, children));
  hooks.push_back(
      hook("waitpid", outside<&hooked_waitpid, &Real::waitpid>, real.waitpid, children));
  hooks.push_back(
      hook("__waitpid", outside<&hooked_waitpid, &Real::waitpid>, real.waitpid, children));
  hooks.push_back(hook("wait3", outside<&hooked_wait3, &Real::wait3>, real.wait3, children));
  hooks.push_back(hook("wait4", outside<&hooked_wait4, &Real::wait4>, real.wait4, children));
  hooks.push_back(hook("waitid", outside<&hooked_waitid, &Real::waitid>, real.waitid, children));
}

}  // namespace weft::bridge
