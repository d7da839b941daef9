#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <new>
#include <poll.h>
#include <span>
#include <vector>

#include "bridge/facts.hpp"
#include "bridge/timespec.hpp"
#include "bridge/wait.hpp"
#include "weft/extend/poll_event.hpp"

// What poll, select and epoll_wait share: the real call without a timeout says what is true; in
// between, the coroutine waits until that may have changed.
namespace weft::bridge {

constexpr short reads = POLLIN | POLLRDNORM;
constexpr short writes = POLLOUT | POLLWRNORM;
constexpr short urgent = POLLPRI | POLLRDBAND;

inline Interest interest_of(int descriptor, short events) noexcept {
  Interest interest{descriptor, 0};
  if ((events & reads) != 0) interest.ways |= Poll::readable;
  if ((events & writes) != 0) interest.ways |= Poll::writable;
  if ((events & reads) != 0) return interest;  // the end and urgent data wake a reader as well
  if ((events & POLLRDHUP) != 0) interest.besides |= Poll::disconnect;
  if ((events & urgent) != 0) interest.besides |= Poll::prioritized;
  // A hang-up and an error are reported in any case, if something is watched at all.
  if (interest.ways == 0 && interest.besides == 0) interest.besides = Poll::prioritized;
  return interest;
}

/// The interests of one poll(): an array for up to four descriptors, a vector for more.
class Interests {
 public:
  /// Throws std::bad_alloc.
  Interests(const pollfd* descriptors, nfds_t count) {
    if (count > few_.size()) many_.resize(count);
    for (nfds_t i = 0; i < count; ++i) {
      if (descriptors[i].fd < 0) continue;
      const Interest interest = interest_of(descriptors[i].fd, descriptors[i].events);
      if (interest.ways == 0 && !can_be_watched(interest.descriptor)) continue;  // stays silent
      data()[count_++] = interest;
    }
  }
  [[nodiscard]] std::span<const Interest> all() noexcept { return {data(), count_}; }

 private:
  Interest* data() noexcept { return many_.empty() ? few_.data() : many_.data(); }
  std::array<Interest, 4> few_{};
  std::vector<Interest> many_;
  std::size_t count_ = 0;
};

/// Counts wake-ups after which poll() finds nothing, one directly after the other. The kernel
/// reports a hang-up also to a wait that does not ask for it, which would keep the processor busy.
class FalseAlarms {
 public:
  void wait_begins() noexcept { since_ = clock_now(); }
  /// A wait has ended, and nothing was found.
  void one_more() noexcept {
    constexpr Duration at_once = std::chrono::milliseconds{1};
    count_ = are_many() || clock_now() - since_ < at_once ? count_ + 1 : 0;
  }
  /// Whether to wait for time to pass instead of the descriptors.
  [[nodiscard]] bool are_many() const noexcept { return count_ >= many; }
  /// How long to wait then: 1 to 32 ms.
  [[nodiscard]] Duration pause() const noexcept {
    return std::chrono::milliseconds{1LL << std::min(count_ - many, 5U)};
  }

 private:
  static constexpr unsigned many = 4;
  unsigned count_ = 0;
  TimePoint since_{};
};

/// Waits until `poll_now()` does not return 0, and returns its result; 0 at the deadline. With
/// `has_signals`, polls every 10 ms: only the real call applies the caller's mask of signals.
template <class Poll>
inline int wait_until(const char* function, const pollfd* descriptors, nfds_t count,
                      TimePoint deadline, bool has_signals, Poll poll_now) noexcept {
  constexpr Duration between_signals = std::chrono::milliseconds{10};
  try {
    Interests interests{descriptors, count};
    FalseAlarms false_alarms;
    std::sig_atomic_t handlers = handlers_that_end(Restart::never);
    while (true) {
      TimePoint until =
          has_signals ? std::min(deadline, deadline_after(between_signals)) : deadline;
      std::span<const Interest> watched = interests.all();
      if (false_alarms.are_many()) {
        watched = {};
        until = std::min(until, deadline_after(false_alarms.pause()));
      }
      false_alarms.wait_begins();
      Ended ended = wait_for(function, watched, until, Restart::never);
      if (ended == Ended::ready || ended == Ended::timed_out || ended == Ended::closed) {
        if (const int found = poll_now(); found != 0) return found;
        if (ended == Ended::timed_out && until == deadline) return 0;
        false_alarms.one_more();
        const bool is_interrupted = have_handlers_run(handlers, Restart::never);
        if (ended != Ended::closed && !is_interrupted) continue;
        ended = is_interrupted ? Ended::interrupted : ended;
      }
      errno = errno_of(ended, 0);
      return -1;
    }
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

/// `timeout` in milliseconds, for ever if negative.
inline TimePoint deadline_of(int timeout) noexcept {
  return timeout < 0 ? never : deadline_after(std::chrono::milliseconds{timeout});
}

inline TimePoint deadline_of(const timespec* timeout) noexcept {
  return timeout == nullptr ? never : deadline_after(duration_of(*timeout));
}

/// Whether a call with this timeout waits; the system refuses one that is not valid.
inline bool waits(const timespec* timeout) noexcept {
  if (timeout == nullptr) return true;
  return is_valid(*timeout) && (timeout->tv_sec != 0 || timeout->tv_nsec != 0);
}

/// What `poll_now()` returns, and if that is 0, what `wait()` does.
template <class Poll, class Wait>
inline int poll_or_wait(Poll poll_now, Wait wait) {
  const ErrnoBefore before;
  if (const int found = poll_now(); found != 0) return before.after(at_once(found));
  return before.after(wait());
}

}  // namespace weft::bridge
