#include "bridge/forking.hpp"

#include <cerrno>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "bridge/hooks.hpp"
#include "weft/error.hpp"
#include "weft/runtime.hpp"

namespace weft::bridge {
namespace {

constinit pid_t current_process = 0;

void note_process() noexcept { current_process = ::getpid(); }

/// A main coroutine that is alone takes its runtime along. Otherwise the child has the calling
/// coroutine and no other: it cannot suspend, so its hooked calls block, and no coroutine of its
/// parent runs there.
pid_t hooked_fork() {
  if (current_thread.scheduler == nullptr) return real.fork();
  const pid_t parent = ::getpid();
  try {
    return weft::fork();
  } catch (const MisuseError&) {  // others live
    return real.fork();
  } catch (const std::system_error& error) {
    if (::getpid() != parent) return 0;  // a child whose loop could not be made: its calls block
    errno = error.code().value();
    return -1;
  }
}

}  // namespace

pid_t process_id() noexcept { return current_process; }

void watch_process_id() noexcept {
  static std::once_flag once;
  std::call_once(once, [] {
    note_process();
    ::pthread_atfork(nullptr, nullptr, &note_process);
  });
}

void add_forking(Hooks& hooks) {
  hooks.push_back(hook("fork", &hooked_fork, real.fork, 0));
  hooks.push_back(hook("__fork", &hooked_fork, real.fork, 0));
}

}  // namespace weft::bridge
