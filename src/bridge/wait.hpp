#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <poll.h>
#include <span>
#include <string>
#include <utility>

#include "bridge/forking.hpp"
#include "bridge/real.hpp"
#include "bridge/signals.hpp"
#include "bridge/thread_state.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/bridge_host.hpp"
#include "weft/extend/poll_event.hpp"
#include "weft/time.hpp"

// How a hooked call suspends its coroutine: the one place of the bridge that does.
namespace weft::bridge {

/// What poll() says of `descriptor` now: which of `events`, and of what it reports in any case, are
/// true. Changes errno. All of `events` if it fails. A signal handler that runs meanwhile is no
/// answer: the call that follows would block the thread.
[[nodiscard]] inline short look_at(int descriptor, short events) noexcept {
  while (true) {
    pollfd query{descriptor, events, 0};
    const int found = real.poll(&query, 1, 0);
    if (found >= 0) return found > 0 ? query.revents : short{0};
    if (errno != EINTR) return events;
  }
}

/// Whether a call of `events` would not wait. Another thread may take what is there before the call
/// does.
[[nodiscard]] inline bool is_ready_now(int descriptor, short events) noexcept {
  return look_at(descriptor, events) != 0;
}

/// Whether a hooked call may suspend: in a coroutine, outside the scheduler and its callbacks and
/// handlers of signals, on the thread of the runtime, and not where Direct or the host forbids it.
[[nodiscard]] bool is_allowed_here() noexcept;
[[nodiscard]] inline bool may_suspend() noexcept {
  const Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr) [[likely]]
    return false;
  if (scheduler->in_phase() && !continue_alone()) [[unlikely]]
    return false;
  return scheduler->has_current() && is_allowed_here();
}

/// What is waited for of a descriptor.
struct Interest {
  int descriptor;
  unsigned ways;         // Poll::readable, Poll::writable
  unsigned besides = 0;  // Poll::disconnect, Poll::prioritized: watched by level
};

/// The errno of a call that ended so; for `failed`, the present one.
[[nodiscard]] int errno_of(Ended ended, int of_timeout) noexcept;

/// Which signal handlers interrupt a call.
enum class Restart : bool {
  never,      ///< each
  if_wanted,  ///< those that were set without SA_RESTART
};

/// How many handlers have run that end a call.
[[nodiscard]] inline std::sig_atomic_t handlers_that_end(Restart restart) noexcept {
  return restart == Restart::never ? handler_runs.all : handler_runs.without_restart;
}

/// Whether the number has changed; notes it. A call that waits several times asks before each wait
/// but the first: a handler may have run while another coroutine did, when no wait was under way.
[[nodiscard]] inline bool have_handlers_run(std::sig_atomic_t& noted, Restart restart) noexcept {
  const std::sig_atomic_t now = handlers_that_end(restart);
  return std::exchange(noted, now) != now;
}

/// Suspends the current coroutine with `park(place)`, which returns how the wait ended. The host of
/// the thread is called before and after, and gives the place. Every suspension of the bridge is a
/// call of this function.
template <class Park>
[[nodiscard]] Ended leave_stack(ThreadState& state, const char* function, Park park) noexcept {
  if (!state.mutexes.empty()) [[unlikely]]
    warn_of_held_mutexes(state.mutexes, function);
  Host* const host = state.host;
  if (host == nullptr) [[likely]]
    return park(Place{});
  if (!host->before_wait(function)) return Ended::cancelled;
  const Ended ended = park(host->place());
  const int error = errno;
  host->after_wait(ended);
  errno = error;
  return ended;
}

/// Suspends until one of `interests` may be true, or `deadline`; `function` names the call in
/// reports. The caller has found before that none is true.
[[nodiscard]] Ended wait_for(const char* function, std::span<const Interest> interests,
                             TimePoint deadline, Restart restart) noexcept;
/// Suspends until `deadline`.
[[nodiscard]] Ended sleep_until(const char* function, TimePoint deadline, Restart restart) noexcept;
/// Suspends once in 64 calls that did not wait, so that the other coroutines of the thread run.
/// Leaves errno alone.
void count_immediate() noexcept;
/// The result of a call that never waits. A program may ask again and again until another coroutine
/// has done something.
template <class Result>
[[nodiscard]] Result at_once(Result result) noexcept {
  count_immediate();
  return result;
}
/// Whether a HeldNumber of this thread is one of `first` to `last`.
[[nodiscard]] bool holds_number(unsigned first, unsigned last) noexcept;
/// The numbers from `first` to `last` are of other files from now on: waits for them that have
/// ended, and whose coroutines have not run yet, have ended by that.
void numbers_pass_on(unsigned first, unsigned last) noexcept;
/// Signal handlers have run: ends the waits that were under way then.
void interrupt_waits() noexcept;

/// "coroutine 7 'reader'".
[[nodiscard]] std::string name_of(const CoroutineBase& coroutine);

/// Notices whether a number passes to another file while a coroutine waits without a watch of it.
class HeldNumber {
 public:
  /// -1: of nothing.
  explicit HeldNumber(int descriptor) noexcept;
  ~HeldNumber();
  HeldNumber(const HeldNumber&) = delete;
  HeldNumber& operator=(const HeldNumber&) = delete;
  [[nodiscard]] bool is_among(unsigned first, unsigned last) const noexcept {
    const auto number = static_cast<unsigned>(number_);
    return first <= number && number <= last;
  }
  void pass_on() noexcept { has_passed_ = true; }
  /// `ended`, unless that means to try again, and the number is of another file.
  [[nodiscard]] Ended or_closed(Ended ended) const noexcept {
    return ended == Ended::ready && has_passed_ ? Ended::closed : ended;
  }

 private:
  int number_;
  bool has_passed_ = false;

  friend class detail::ListAccess;
  detail::ListLinks<HeldNumber> list_links_;  // in the list of the thread
};

/// The clock of the runtime.
[[nodiscard]] TimePoint clock_now() noexcept;
[[nodiscard]] TimePoint deadline_after(Duration duration) noexcept;

/// A call that succeeds leaves errno as it found it. Hooks must restore errno, because their failed
/// tries and other coroutines change it. Libraries depend on it: OpenSSL takes a recv() that
/// returns 0 with EAGAIN in errno for one that is to be tried again, and not for the end.
class ErrnoBefore {
 public:
  /// To be called last, with the result of the hook: negative if it failed.
  template <class Result>
  [[nodiscard]] Result after(Result result) const noexcept {
    if (result >= 0) errno = before_;
    return result;
  }

 private:
  int before_ = errno;
};

/// One call for one direction of a descriptor, which tries, waits, and tries again.
class Call {
 public:
  Call(const char* function, int descriptor, unsigned way) noexcept
      : function_{function}, descriptor_{descriptor}, way_{way} {}
  /// False, with errno, if another coroutine waits in this direction, and this call may wait too.
  [[nodiscard]] bool may_begin() const noexcept;
  /// Suspends after a try that failed with EAGAIN. True: try again. False: the call is over, with
  /// errno.
  [[nodiscard]] bool wait() noexcept;
  /// A part is transferred: from now on any signal handler ends the call, with what was done.
  void has_begun() noexcept;
  /// Whether the call has a part, and its next try would take an error of the socket that belongs
  /// to the call after this one.
  [[nodiscard]] bool would_take_error() const noexcept;
  /// A further try takes errors, as the real call does: it works in parts itself.
  void takes_errors() noexcept { takes_errors_ = true; }
  /// Waits end at `deadline`, whatever the descriptor says.
  void end_at(TimePoint deadline) noexcept {
    deadline_ = deadline;
    has_deadline_ = true;
  }
  /// Ends a hook, with its result. Only calls that ask for something count as immediate: a library
  /// that sends while it holds a lock keeps the thread.
  template <class Result>
  [[nodiscard]] Result ended(Result result) const noexcept {
    if (way_ == Poll::readable) count_immediate();
    return before_.after(result);
  }

 private:
  [[nodiscard]] Ended wait_for_peer(TimePoint deadline, Restart restart) noexcept;

  ErrnoBefore before_;
  const char* function_;
  int descriptor_;
  unsigned way_;
  bool has_deadline_ = false;
  bool has_begun_ = false;
  bool takes_errors_ = false;
  bool has_waited_ = false;  // since has_begun()
  std::sig_atomic_t handlers_ = 0;
  TimePoint deadline_{};
};

/// Tries until the try does not find the descriptor unready. A call that has a part leaves an error
/// of the socket to the next one, as the system does.
template <class Try>
ssize_t until_done(Call& call, Try attempt) {
  while (true) {
    if (call.would_take_error()) return -1;
    const ssize_t done = attempt();
    if (done >= 0 || errno != EAGAIN) return done;
    if (!call.wait()) return -1;
  }
}

/// Waits that grow from 1 to 32 ms, for what no descriptor tells. They end when the number of
/// `descriptor` passes to another file; -1: of none.
class GrowingDelay {
 public:
  GrowingDelay(const char* function, int descriptor, TimePoint deadline, Restart restart) noexcept
      : function_{function}, descriptor_{descriptor}, deadline_{deadline}, restart_{restart} {}
  /// Suspends. `ready`: look again.
  [[nodiscard]] Ended wait() noexcept;

 private:
  const char* function_;
  int descriptor_;
  TimePoint deadline_;
  Restart restart_;
  std::sig_atomic_t handlers_ = handlers_that_end(restart_);
  Duration next_ = std::chrono::milliseconds{1};
};

}  // namespace weft::bridge
