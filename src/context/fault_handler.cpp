#include "context/fault_handler.hpp"

#include <atomic>
#include <cstdlib>
#include <execinfo.h>
#include <mutex>
#include <pthread.h>

#include "base/real_calls.hpp"

namespace weft {
namespace {

constinit std::mutex installing;
int living = 0;             // FaultHandlers of all threads
bool below_others = false;  // the program has installed a handler after ours, which may call ours

std::atomic<FaultHandler::Report> reporter{nullptr};
struct sigaction before_us {};  // the program's disposition

void on_fault(int number, siginfo_t* info, void* context);

bool is_ours(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_fault;
}

bool is_handler(const struct sigaction& action) noexcept {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/// Restores the default action, then lets the signal kill the process: a fault recurs when the
/// handler returns to the faulting instruction, a sent signal is raised again.
void terminate_by(int number, bool sent) noexcept {
  ::signal(number, SIG_DFL);
  if (sent) ::raise(number);
}

/// Calls the program's handler in the state in which the kernel would have called it. The signal
/// mask of the interrupted code comes back when the outermost handler returns.
void call(const struct sigaction& handler, int number, siginfo_t* info, void* context) noexcept {
  sigset_t blocked = handler.sa_mask;
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  if ((handler.sa_flags & SA_NODEFER) != 0 && sigismember(&handler.sa_mask, number) == 0) {
    sigemptyset(&blocked);
    sigaddset(&blocked, number);
    ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  }
  if ((handler.sa_flags & SA_SIGINFO) != 0) {
    handler.sa_sigaction(number, info, context);
  } else {
    handler.sa_handler(number);
  }
}

void on_fault(int number, siginfo_t* info, void* context) {
  const bool sent = info->si_code <= 0;  // by raise() or kill(); codes of the kernel are above 0
  const FaultHandler::Report report = reporter.load();
  if (!sent && report != nullptr && report(info->si_addr)) std::abort();
  const struct sigaction handler = before_us;
  if (handler.sa_handler == SIG_IGN && sent) return;
  if (!is_handler(handler)) return terminate_by(number, sent);
  if ((handler.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {  // it was to be called once
    before_us = {};
  }
  call(handler, number, info, context);
}

void install() {
  struct sigaction present {};
  real_calls.sigaction(SIGSEGV, nullptr, &present);
  if (is_ours(present)) return;
  // The program's handler may call ours; installing ours above it would loop.
  if (below_others && is_handler(present)) return;
  void* frames[1];
  ::backtrace(frames, 1);  // loads the unwinder now: it must not be loaded in a signal handler
  before_us = present;
  below_others = false;
  struct sigaction action {};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  // An interrupted system call restarts as it would under the program's disposition.
  if (!is_handler(present) || (present.sa_flags & SA_RESTART) != 0) action.sa_flags |= SA_RESTART;
  sigemptyset(&action.sa_mask);
  real_calls.sigaction(SIGSEGV, &action, nullptr);
}

void remove() {
  struct sigaction present {};
  real_calls.sigaction(SIGSEGV, nullptr, &present);
  if (is_ours(present)) {
    real_calls.sigaction(SIGSEGV, &before_us, nullptr);
  } else {
    below_others = true;
  }
}

}  // namespace

FaultHandler::FaultHandler(Report report) {
  const std::lock_guard lock{installing};
  reporter.store(report);
  if (living++ == 0) install();
}

FaultHandler::~FaultHandler() {
  const std::lock_guard lock{installing};
  if (--living == 0) remove();
}

void FaultHandler::before_fork() noexcept { installing.lock(); }

void FaultHandler::after_fork() noexcept { installing.unlock(); }

}  // namespace weft
