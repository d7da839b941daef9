#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

// Locks of files: tried again after a growing delay. Not on a worker thread: waiters would occupy
// all workers, and the holder might need one.
namespace weft::bridge {
namespace {

/// `attempt` fails with EAGAIN while another one holds the lock.
template <class Try>
int until_locked(const char* function, int descriptor, Try attempt) {
  const ErrnoBefore before;
  GrowingDelay delay{function, descriptor, never, Restart::if_wanted};
  while (true) {
    const int result = attempt();
    if (result == 0 || errno != EAGAIN) return before.after(result);
    if (const Ended ended = delay.wait(); ended != Ended::ready) {
      errno = errno_of(ended, 0);
      return -1;
    }
  }
}

int hooked_flock(int descriptor, int operation) {
  if (!may_suspend() || (operation & (LOCK_NB | LOCK_UN)) != 0) {
    return real.flock(descriptor, operation);
  }
  return until_locked("flock", descriptor,
                      [&] { return real.flock(descriptor, operation | LOCK_NB); });
}

int hooked_lockf(int descriptor, int operation, off_t size) {
  if (!may_suspend() || operation != F_LOCK) return real.lockf(descriptor, operation, size);
  return until_locked("lockf", descriptor, [&] { return real.lockf(descriptor, F_TLOCK, size); });
}

}  // namespace

int lock_by_fcntl(int descriptor, int command, void* lock) noexcept {
  const int at_once = command == F_OFD_SETLKW ? F_OFD_SETLK : F_SETLK;
  return until_locked("fcntl", descriptor, [&] { return real.fcntl(descriptor, at_once, lock); });
}

void add_locks(Hooks& hooks) {
  hooks.push_back(hook("flock", outside<&hooked_flock, &Real::flock>, real.flock, locks));
  hooks.push_back(hook("lockf", outside<&hooked_lockf, &Real::lockf>, real.lockf, locks));
  hooks.push_back(hook("lockf64", outside<&hooked_lockf, &Real::lockf>, real.lockf, locks));
}

}  // namespace weft::bridge
