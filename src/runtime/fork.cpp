#include "runtime/fork.hpp"

#include <cerrno>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "base/real_calls.hpp"
#include "context/fault_handler.hpp"
#include "process/child_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/readiness.hpp"
#include "scheduler/id_range.hpp"
#include "scheduler/scheduler.hpp"
#include "signal/signal_handlers.hpp"
#include "weft/error.hpp"
#include "weft/runtime.hpp"

namespace weft {
namespace {

/// Takes every lock that runtimes share: the child has no other thread that could release one.
void before_fork() noexcept {
  IdRange::before_fork();
  FaultHandler::before_fork();
  SignalHandlers::before_fork();
  ChildTable::before_fork();
}

void after_fork_in_parent() noexcept {
  Readiness::note_fork();
  ChildTable::after_fork_in_parent();
  SignalHandlers::after_fork_in_parent();
  FaultHandler::after_fork();
  IdRange::after_fork();
}

void mark_child() noexcept {
  Readiness::note_fork();
  ChildTable::after_fork_in_child();
  SignalHandlers::after_fork_in_child();
  FaultHandler::after_fork();
  IdRange::after_fork();
  if (current_thread.scheduler != nullptr) current_thread.scheduler->mark_forked();
  if (current_thread.reactor != nullptr) current_thread.reactor->forget_loop();
}

}  // namespace

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(&before_fork, &after_fork_in_parent, &mark_child); });
}

int fork() {
  Scheduler& scheduler = Scheduler::here("weft::fork()");
  if (scheduler.registry().size() > 1 || &scheduler.current() != &scheduler.main()) {
    throw MisuseError{
        "weft::fork() is refused while coroutines other than main are alive: the child would have "
        "their stacks but not their world; let them end first"};
  }
  const int child = real_calls.fork();
  if (child < 0) throw std::system_error{errno, std::generic_category(), "fork"};
  if (child == 0) {
    scheduler.revive_after_fork();
    current_thread.reactor->after_fork();
  }
  return child;
}

void continue_alone_after_fork() {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || !scheduler->can_continue_alone()) {
    throw MisuseError{
        "continue_alone_after_fork() is for a coroutine in the child of a plain fork()"};
  }
  current_thread.reactor->after_fork();
  scheduler->continue_alone();
}

}  // namespace weft
