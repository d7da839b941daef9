#include "bridge/forking.hpp"

#include <mutex>
#include <pthread.h>
#include <unistd.h>

#include "bridge/hooks.hpp"

namespace weft::bridge {
namespace {

constinit pid_t current_process = 0;

void note_process() noexcept { current_process = ::getpid(); }

/// The child has the calling coroutine and no other: it cannot suspend, so its hooked calls block,
/// and no coroutine of its parent runs there.
pid_t hooked_fork() { return real.fork(); }

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
