#include "bridge/signals.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "bridge/facts.hpp"
#include "bridge/forking.hpp"
#include "bridge/hooks.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/loop_table.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/bridge_host.hpp"
#include "weft/extend/poll_event.hpp"

// A signal handler runs at once, on the stack of the coroutine that runs or sleeps in the loop.
// What a program without coroutines sees besides is that its blocking call ends with EINTR: a
// handler that is set through the bridge makes a descriptor readable, and the loop ends the waits.
namespace weft::bridge {

constinit thread_local HandlerRuns handler_runs{};

namespace {

constexpr std::size_t signal_count = NSIG;

/// What the program has set, for each signal.
struct Wanted {
  std::atomic<void (*)(int)> plain{nullptr};
  std::atomic<void (*)(int, siginfo_t*, void*)> with_info{nullptr};
  std::atomic<bool> restarts{false};
  std::atomic<bool> interrupts{false};  // siginterrupt(): what the next signal() wants
};
constinit std::array<Wanted, signal_count> wanted{};
constinit std::atomic<bool> has_handlers{false};

/// Guards what is set. A handler may call sigaction() too, so no signal comes meanwhile.
class HandlerLock {
 public:
  static void lock() noexcept {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    mutex_.lock();
    before_ = before;
  }
  static void unlock() noexcept {
    const sigset_t before = before_;
    mutex_.unlock();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

 private:
  static inline std::mutex mutex_;
  static inline sigset_t before_{};  // signals that were blocked, of the thread that has the lock
};

class WhileLocked {
 public:
  WhileLocked() noexcept {
    if (!is_forking) HandlerLock::lock();
  }
  ~WhileLocked() {
    if (!is_forking) HandlerLock::unlock();
  }
  WhileLocked(const WhileLocked&) = delete;
  WhileLocked& operator=(const WhileLocked&) = delete;
};

/// Of this thread's loop; -1 while it has none.
constinit thread_local volatile int wake_up = -1;

/// The frame of the running handler, and its coroutine: calls from the handler have lower stack
/// addresses. It may be left by a longjmp(), unseen by the bridge.
struct Present {
  std::uintptr_t frame = 0;  // 0: none runs
  const CoroutineBase* coroutine = nullptr;
};
constinit thread_local volatile Present present{};

const CoroutineBase* current_coroutine() noexcept {
  const Scheduler* const scheduler = current_thread.scheduler;
  return scheduler != nullptr && scheduler->has_current() ? &scheduler->current() : nullptr;
}

std::uintptr_t this_frame() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// While a handler runs. It may interrupt what a hook needs, malloc() or a table of the scheduler:
/// its calls block as usual.
class PresentHandler {
 public:
  PresentHandler() noexcept : frame_{present.frame}, coroutine_{present.coroutine} {
    present.coroutine = current_coroutine();
    present.frame = this_frame();
  }
  ~PresentHandler() {
    present.frame = frame_;
    present.coroutine = coroutine_;
  }
  PresentHandler(const PresentHandler&) = delete;
  PresentHandler& operator=(const PresentHandler&) = delete;

 private:
  std::uintptr_t frame_;
  const CoroutineBase* coroutine_;
};

/// A jump ends the handlers that run.
template <void (*Real::*jump)(__jmp_buf_tag*, int)>
[[noreturn]] void hooked_jump(__jmp_buf_tag* to, int value) {
  present.frame = 0;
  (real.*jump)(to, value);
  __builtin_unreachable();
}

void handler_has_run(const Wanted& mine) noexcept {
  const int error = errno;
  handler_runs.all = handler_runs.all + 1;
  if (!mine.restarts.load(std::memory_order_relaxed)) {
    handler_runs.without_restart = handler_runs.without_restart + 1;
  }
  if (wake_up >= 0) {
    const std::uint64_t one = 1;
    static_cast<void>(real.write(wake_up, &one, sizeof one));
  }
  errno = error;
}

void call_plain(int number) {
  Wanted& mine = wanted[static_cast<std::size_t>(number)];
  if (auto* const handler = mine.plain.load(std::memory_order_relaxed)) {
    const PresentHandler it_runs;
    handler(number);
  }
  handler_has_run(mine);
}

void call_with_info(int number, siginfo_t* info, void* context) {
  Wanted& mine = wanted[static_cast<std::size_t>(number)];
  if (auto* const handler = mine.with_info.load(std::memory_order_relaxed)) {
    const PresentHandler it_runs;
    handler(number, info, context);
  }
  handler_has_run(mine);
}

/// Signals that come from outside. Those of a fault stay with the program.
bool is_watched(int number) noexcept {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGABRT:
    case SIGSYS:
      return false;
    default:
      return number > 0 && number < static_cast<int>(signal_count);
  }
}

bool is_function(const struct sigaction& action) noexcept {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/// `action` as the program has given it.
void show_as_given(int number, struct sigaction& action) noexcept {
  const Wanted& mine = wanted[static_cast<std::size_t>(number)];
  if ((action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &call_with_info) {
    action.sa_sigaction = mine.with_info.load();
  } else if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == &call_plain) {
    action.sa_handler = mine.plain.load();
  }
}

int set_action(int number, const struct sigaction* action, struct sigaction* before) {
  const WhileLocked lock;
  struct sigaction old {};
  if (real.sigaction(number, nullptr, &old) != 0) return -1;
  show_as_given(number, old);
  if (action != nullptr) {
    struct sigaction ours = *action;
    if (is_function(ours)) {  // ours again, if it was read while the bridge was not installed
      Wanted& mine = wanted[static_cast<std::size_t>(number)];
      mine.restarts.store((ours.sa_flags & SA_RESTART) != 0);
      if ((ours.sa_flags & SA_SIGINFO) != 0) {
        if (ours.sa_sigaction != &call_with_info) mine.with_info.store(ours.sa_sigaction);
        ours.sa_sigaction = &call_with_info;
      } else {
        if (ours.sa_handler != &call_plain) mine.plain.store(ours.sa_handler);
        ours.sa_handler = &call_plain;
      }
      has_handlers.store(true);
    }
    if (real.sigaction(number, &ours, nullptr) != 0) return -1;
  }
  if (before != nullptr) *before = old;
  return 0;
}

int hooked_sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (!is_watched(number)) return real.sigaction(number, action, before);
  const int done = set_action(number, action, before);
  if (done == 0 && action != nullptr && is_function(*action)) watch_handlers_for_host();
  return done;
}

sighandler_t hooked_signal(int number, sighandler_t handler) {
  if (!is_watched(number) || handler == SIG_ERR) return real.signal(number, handler);
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  const bool interrupts = wanted[static_cast<std::size_t>(number)].interrupts.load();
  action.sa_flags = interrupts ? 0 : SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaddset(&action.sa_mask, number);
  return hooked_sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

int hooked_siginterrupt(int number, int interrupts) {
  if (!is_watched(number)) return real.siginterrupt(number, interrupts);
  const WhileLocked lock;
  const int done = real.siginterrupt(number, interrupts);  // leaves the handler as it is
  if (done != 0) return done;
  Wanted& mine = wanted[static_cast<std::size_t>(number)];
  mine.interrupts.store(interrupts != 0);
  mine.restarts.store(interrupts == 0);
  return 0;
}

/// A descriptor of the loop that handlers make readable.
class HandlerTable final : public LoopTable {
 public:
  explicit HandlerTable(Reactor& reactor) : reactor_{reactor} { open(); }
  ~HandlerTable() override { close(); }
  void after_fork() override {
    close();
    open();
  }
  void watch() {
    if (!listener_.is_waiting()) listener_.begin();
  }
  void unwatch() noexcept { listener_.end(); }

 private:
  class Listener final : public ReadinessWaiter {
   public:
    Listener(HandlerTable& table, const Event& any) noexcept
        : ReadinessWaiter{any, Counts::hidden}, table_{table} {}
    ~Listener() override = default;
    void begin() {
      const Ref<Descriptor> watched = Descriptor::of(table_.reactor_, table_.number_);
      watched->keep();
      watched->found_unready(Poll::readable);
      watched->add(*this, Poll::readable);
    }
    void end() noexcept {
      Descriptor* const watched = table_.reactor_.descriptors().find(table_.number_);
      if (watched != nullptr) watched->remove(*this);
    }

   private:
    void on_ready() noexcept override {
      std::uint64_t count = 0;
      static_cast<void>(real.read(table_.number_, &count, sizeof count));
      interrupt_waits();
      if (Host* const host = ThreadState::here().host) host->handlers_have_run();
      try {
        begin();
      } catch (...) {  // the next wait tries again
      }
    }
    void on_closed(const std::exception_ptr& /*error*/) noexcept override {}

    HandlerTable& table_;
  };
  class Nothing final : public Event {};

  void open() {
    number_ = next_generation(real.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (number_ < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
    wake_up = number_;
  }
  void close() noexcept {
    wake_up = -1;
    if (Descriptor* const known = reactor_.descriptors().find(number_)) {
      known->close(nullptr, Descriptor::AfterDetach::is_closed_next);
    }
    real.close(number_);
  }

  Reactor& reactor_;
  int number_ = -1;
  Nothing nothing_;
  Listener listener_{*this, nothing_};
};

}  // namespace

void lock_handlers() noexcept { HandlerLock::lock(); }
void unlock_handlers() noexcept { HandlerLock::unlock(); }

bool is_in_handler() noexcept {
  const std::uintptr_t frame = present.frame;
  if (frame == 0) [[likely]]
    return false;
  constexpr std::uintptr_t deepest = std::uintptr_t{256} * 1024;
  const std::uintptr_t here = this_frame();
  if (here < frame && frame - here < deepest && present.coroutine == current_coroutine()) {
    return true;
  }
  present.frame = 0;  // it was left by a jump
  return false;
}

bool watch_handlers() {
  if (!has_handlers.load(std::memory_order_relaxed)) [[likely]]
    return false;
  current_thread.reactor->table<HandlerTable>().watch();
  return true;
}

void watch_handlers_for_host() noexcept {
  const ThreadState* const state = ThreadState::if_made();
  if (state == nullptr || state->host == nullptr || current_thread.reactor == nullptr) return;
  try {
    static_cast<void>(watch_handlers());
  } catch (...) {  // no descriptor: the host is notified at its next waiting call
  }
}

void unwatch_handlers() noexcept {
  if (wake_up < 0) [[likely]]
    return;
  if (ThreadState::here().host != nullptr) return;
  current_thread.reactor->table<HandlerTable>().unwatch();
}

void add_signals(Hooks& hooks) {
  hooks.push_back(hook("sigaction", &hooked_sigaction, real.sigaction, signals));
  hooks.push_back(hook("__sigaction", &hooked_sigaction, real.sigaction, signals));
  hooks.push_back(hook("signal", &hooked_signal, real.signal, signals));
  hooks.push_back(hook("siginterrupt", &hooked_siginterrupt, real.siginterrupt, signals));
  hooks.push_back(hook("longjmp", &hooked_jump<&Real::longjmp>, real.longjmp, signals));
  hooks.push_back(
      hook("_longjmp", &hooked_jump<&Real::plain_longjmp>, real.plain_longjmp, signals));
  hooks.push_back(hook("siglongjmp", &hooked_jump<&Real::siglongjmp>, real.siglongjmp, signals));
  hooks.push_back(
      hook("__longjmp_chk", &hooked_jump<&Real::longjmp_chk>, real.longjmp_chk, signals));
}

}  // namespace weft::bridge
