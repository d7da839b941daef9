#include "bridge/forking.hpp"

#include <cerrno>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "bridge/children.hpp"
#include "bridge/hooks.hpp"
#include "bridge/install.hpp"
#include "bridge/signals.hpp"
#include "bridge/thread_state.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"
#include "weft/runtime.hpp"

namespace weft::bridge {

constinit thread_local bool is_forking = false;

namespace {

constinit pid_t current_process = 0;

void note_process() noexcept { current_process = ::getpid(); }

/// Takes every lock of the bridge: the child has no other thread that could release one.
void before_fork() noexcept {
  lock_installation();
  lock_commands();
  lock_handlers();  // the last one, as it keeps signals out
  is_forking = true;
}

void after_fork() noexcept {
  is_forking = false;
  unlock_handlers();
  unlock_commands();
  unlock_installation();
}

void after_fork_in_child() noexcept {
  note_process();
  after_fork();
}

/// In a child that has not waited yet.
constinit bool is_new_child = false;

/// A main coroutine that is alone takes its runtime along. Otherwise the child has the calling
/// coroutine and no other. Most children exec at once, so nothing is done for them before their
/// first call that may wait.
pid_t hooked_fork() {
  if (current_thread.scheduler == nullptr) return real.fork();
  const pid_t parent = ::getpid();
  try {
    return weft::fork();
  } catch (const MisuseError&) {  // others live
    const pid_t child = real.fork();
    if (child == 0) is_new_child = true;
    return child;
  } catch (const std::system_error& error) {
    if (::getpid() != parent) return 0;  // a child whose loop could not be made: its calls block
    errno = error.code().value();
    return -1;
  }
}

}  // namespace

bool continue_alone() noexcept {
  if (!is_new_child || !current_thread.scheduler->can_continue_alone()) return false;
  const int error = errno;
  try {
    continue_alone_after_fork();
    is_new_child = false;
    ThreadState::here().forget_waits();
  } catch (...) {  // the loop cannot be created: the call blocks
  }
  errno = error;
  return !is_new_child;
}

pid_t process_id() noexcept { return current_process; }

void watch_forks_for_bridge() noexcept {
  static std::once_flag once;
  std::call_once(once, [] {
    note_process();
    ::pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);
  });
}

void add_forking(Hooks& hooks) {
  hooks.push_back(hook("fork", &hooked_fork, real.fork, 0));
  hooks.push_back(hook("__fork", &hooked_fork, real.fork, 0));
}

}  // namespace weft::bridge
