#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstddef>
#include <fcntl.h>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/timespec.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// poll, ppoll, select, pselect, epoll_wait: the real call without a timeout says what is true; in
// between, the coroutine waits until that may have changed.
namespace weft::bridge {
namespace {

constexpr short reads = POLLIN | POLLRDNORM;
constexpr short writes = POLLOUT | POLLWRNORM;
constexpr short urgent = POLLPRI | POLLRDBAND;

Interest interest_of(int descriptor, short events) noexcept {
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
int wait_until(const char* function, const pollfd* descriptors, nfds_t count, TimePoint deadline,
               bool has_signals, Poll poll_now) noexcept {
  constexpr Duration between_signals = std::chrono::milliseconds{10};
  try {
    Interests interests{descriptors, count};
    FalseAlarms false_alarms;
    while (true) {
      TimePoint until =
          has_signals ? std::min(deadline, deadline_after(between_signals)) : deadline;
      std::span<const Interest> watched = interests.all();
      if (false_alarms.are_many()) {
        watched = {};
        until = std::min(until, deadline_after(false_alarms.pause()));
      }
      false_alarms.wait_begins();
      const Ended ended = wait_for(function, watched, until, Restart::never);
      if (ended == Ended::ready || ended == Ended::timed_out || ended == Ended::closed) {
        if (const int found = poll_now(); found != 0) return found;
        if (ended == Ended::timed_out && until == deadline) return 0;
        false_alarms.one_more();
        if (ended != Ended::closed) continue;
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
TimePoint deadline_of(int timeout) noexcept {
  return timeout < 0 ? never : deadline_after(std::chrono::milliseconds{timeout});
}

TimePoint deadline_of(const timespec* timeout) noexcept {
  return timeout == nullptr ? never : deadline_after(duration_of(*timeout));
}

/// Whether a call with this timeout waits; the system refuses one that is not valid.
bool waits(const timespec* timeout) noexcept {
  if (timeout == nullptr) return true;
  return is_valid(*timeout) && (timeout->tv_sec != 0 || timeout->tv_nsec != 0);
}

/// For a call that did not wait. A program may ask again and again until another coroutine has done
/// something.
int at_once(int found) noexcept {
  count_immediate();
  return found;
}

/// What `poll_now()` returns, and if that is 0, what `wait()` does.
template <class Poll, class Wait>
int poll_or_wait(Poll poll_now, Wait wait) {
  const ErrnoBefore before;
  if (const int found = poll_now(); found != 0) return before.after(at_once(found));
  return before.after(wait());
}

int hooked_poll(pollfd* descriptors, nfds_t count, int timeout) {
  if (!may_suspend()) return real.poll(descriptors, count, timeout);
  const auto poll_now = [&] { return real.poll(descriptors, count, 0); };
  if (timeout == 0) return at_once(poll_now());
  return poll_or_wait(poll_now, [&] {
    return wait_until("poll", descriptors, count, deadline_of(timeout), false, poll_now);
  });
}

int hooked_poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  if (room / sizeof(pollfd) < count) return real.poll_chk(descriptors, count, timeout, room);
  return hooked_poll(descriptors, count, timeout);
}

int hooked_ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                 const sigset_t* signals) {
  if (!may_suspend()) return real.ppoll(descriptors, count, timeout, signals);
  if (!waits(timeout)) return at_once(real.ppoll(descriptors, count, timeout, signals));
  const timespec none{};
  const auto poll_now = [&] { return real.ppoll(descriptors, count, &none, signals); };
  return poll_or_wait(poll_now, [&] {
    return wait_until("ppoll", descriptors, count, deadline_of(timeout), signals != nullptr,
                      poll_now);
  });
}

int hooked_ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout,
                     const sigset_t* signals, std::size_t room) {
  if (room / sizeof(pollfd) < count) {
    return real.ppoll_chk(descriptors, count, timeout, signals, room);
  }
  return hooked_ppoll(descriptors, count, timeout, signals);
}

/// The three sets of a select(): the real call overwrites them, so it gets copies. A call that
/// fails leaves the caller's as they are, because many try again with them.
class Sets {
 public:
  /// Throws std::bad_alloc.
  Sets(int count, fd_set* readable, fd_set* writable, fd_set* urgent_ones)
      : count_{static_cast<std::size_t>(count)}, sets_{readable, writable, urgent_ones} {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (sets_[i] == nullptr) continue;
      asked_[i].assign(words_of(i), words_of(i) + words_of_all());
    }
  }
  /// Throws std::bad_alloc.
  [[nodiscard]] std::vector<pollfd> as_poll() const {
    std::vector<pollfd> all;
    for (std::size_t fd = 0; fd < count_; ++fd) {
      short events = 0;
      if (has(0, fd)) events |= POLLIN;
      if (has(1, fd)) events |= POLLOUT;
      if (has(2, fd)) events |= POLLPRI;
      if (events != 0) all.push_back({static_cast<int>(fd), events, 0});
    }
    return all;
  }
  /// Asks the system with `call`, which takes three sets.
  template <class Call>
  int ask(Call call) {
    std::array<std::vector<Word>, 3> answer = asked_;
    const auto set = [&](std::size_t i) {
      return sets_[i] == nullptr ? nullptr : reinterpret_cast<fd_set*>(answer[i].data());
    };
    const int found = call(set(0), set(1), set(2));
    if (found > 0) {
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        if (sets_[i] != nullptr) std::copy(answer[i].begin(), answer[i].end(), words_of(i));
      }
    }
    return found;
  }
  /// Nothing was found until the end.
  void clear() noexcept {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (sets_[i] != nullptr) std::fill_n(words_of(i), words_of_all(), Word{0});
    }
  }

 private:
  using Word = unsigned long;
  static constexpr std::size_t bits = sizeof(Word) * CHAR_BIT;
  [[nodiscard]] Word* words_of(std::size_t i) const noexcept {
    return reinterpret_cast<Word*>(sets_[i]);
  }
  [[nodiscard]] std::size_t words_of_all() const noexcept { return (count_ + bits - 1) / bits; }
  [[nodiscard]] bool has(std::size_t set, std::size_t fd) const noexcept {
    return sets_[set] != nullptr && ((asked_[set][fd / bits] >> (fd % bits)) & 1U) != 0;
  }

  std::size_t count_;
  std::array<fd_set*, 3> sets_;
  std::array<std::vector<Word>, 3> asked_;
};

/// How many descriptors of sets the system looks at: no more than it has room for now. There may be
/// no more, as in select(getdtablesize(), ...) with sets of the usual size.
int as_the_system_counts(int count) noexcept {
  if (count <= FD_SETSIZE) return count;
  const int status = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (status < 0) return count;
  std::array<char, 2048> text{};
  const ssize_t size = real.read(status, text.data(), text.size());
  real.close(status);
  constexpr std::string_view key = "FDSize:\t";
  const std::string_view all{text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  const std::size_t found = all.find(key);
  if (found == all.npos) return count;
  int room = count;
  std::from_chars(text.data() + found + key.size(), text.data() + all.size(), room);
  return std::min(count, room);
}

/// Both kinds of select: `call` takes their number and three sets, and asks the system without a
/// timeout.
template <class Call>
int select_until(const char* function, int count, fd_set* readable, fd_set* writable,
                 fd_set* urgent_ones, TimePoint deadline, bool has_signals, Call call) {
  try {
    const int looked_at = as_the_system_counts(count);
    Sets sets{looked_at, readable, writable, urgent_ones};
    const auto poll_now = [&] {
      return sets.ask([&](auto*... asked) { return call(looked_at, asked...); });
    };
    const int found = poll_or_wait(poll_now, [&] {
      const std::vector<pollfd> descriptors = sets.as_poll();
      return wait_until(function, descriptors.data(), descriptors.size(), deadline, has_signals,
                        poll_now);
    });
    if (found == 0) sets.clear();
    return found;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

int hooked_select(int count, fd_set* readable, fd_set* writable, fd_set* urgent_ones,
                  timeval* timeout) {
  if (!may_suspend()) return real.select(count, readable, writable, urgent_ones, timeout);
  const bool has_time = timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_usec != 0;
  const bool is_valid =
      count >= 0 && (timeout == nullptr || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0));
  if (!has_time || !is_valid) {
    return at_once(real.select(count, readable, writable, urgent_ones, timeout));
  }
  TimePoint deadline = never;
  if (timeout != nullptr) {
    const std::chrono::microseconds more{timeout->tv_usec};
    const Duration seconds = saturated(std::chrono::seconds{timeout->tv_sec});
    deadline = seconds > Duration::max() - more ? never : deadline_after(seconds + more);
  }
  const int found = select_until("select", count, readable, writable, urgent_ones, deadline, false,
                                 [](int all, fd_set* r, fd_set* w, fd_set* u) {
                                   timeval none{};
                                   return real.select(all, r, w, u, &none);
                                 });
  if (timeout != nullptr) {  // what is left, as the system says it
    const int error = errno;
    const Duration left = time_until(deadline, clock_now());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    timeout->tv_sec = seconds.count();
    timeout->tv_usec =
        std::chrono::duration_cast<std::chrono::microseconds>(left - seconds).count();
    errno = error;
  }
  return found;
}

int hooked_pselect(int count, fd_set* readable, fd_set* writable, fd_set* urgent_ones,
                   const timespec* timeout, const sigset_t* signals) {
  if (!may_suspend()) return real.pselect(count, readable, writable, urgent_ones, timeout, signals);
  if (!waits(timeout) || count < 0) {
    return at_once(real.pselect(count, readable, writable, urgent_ones, timeout, signals));
  }
  return select_until("pselect", count, readable, writable, urgent_ones, deadline_of(timeout),
                      signals != nullptr, [&](int all, fd_set* r, fd_set* w, fd_set* u) {
                        const timespec none{};
                        return real.pselect(all, r, w, u, &none, signals);
                      });
}

/// Waits until the epoll descriptor is readable, which means that it has events; `take()` is the
/// real call without a timeout. Such a call delivers no signal, so a ppoll() delivers those that
/// `signals` admits.
template <class Timeout, class Take>
int epoll_until(const char* function, int epoll, Timeout timeout, const sigset_t* signals,
                Take take) {
  const pollfd itself{epoll, POLLIN, 0};
  const auto poll_now = [&] {
    const int found = take();
    if (found != 0 || signals == nullptr) return found;
    const timespec none{};
    return std::min(real.ppoll(nullptr, 0, &none, signals), 0);
  };
  return poll_or_wait(poll_now, [&] {
    return wait_until(function, &itself, 1, deadline_of(timeout), signals != nullptr, poll_now);
  });
}

int hooked_epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
  if (!may_suspend()) return real.epoll_wait(epoll, events, count, timeout);
  const auto take = [&] { return real.epoll_wait(epoll, events, count, 0); };
  if (timeout == 0) return at_once(take());
  return epoll_until("epoll_wait", epoll, timeout, nullptr, take);
}

int hooked_epoll_pwait(int epoll, epoll_event* events, int count, int timeout,
                       const sigset_t* signals) {
  if (!may_suspend()) return real.epoll_pwait(epoll, events, count, timeout, signals);
  const auto take = [&] { return real.epoll_pwait(epoll, events, count, 0, signals); };
  if (timeout == 0) return at_once(take());
  return epoll_until("epoll_pwait", epoll, timeout, signals, take);
}

int hooked_epoll_pwait2(int epoll, epoll_event* events, int count, const timespec* timeout,
                        const sigset_t* signals) {
  if (!may_suspend()) return real.epoll_pwait2(epoll, events, count, timeout, signals);
  if (!waits(timeout)) return at_once(real.epoll_pwait2(epoll, events, count, timeout, signals));
  return epoll_until("epoll_pwait2", epoll, timeout, signals, [&] {
    const timespec none{};
    return real.epoll_pwait2(epoll, events, count, &none, signals);
  });
}

}  // namespace

void add_waiting(Hooks& hooks) {
  hooks.push_back(hook("poll", &hooked_poll, real.poll, waiting));
  hooks.push_back(hook("__poll", &hooked_poll, real.poll, waiting));
  hooks.push_back(hook("__poll_chk", &hooked_poll_chk, real.poll_chk, waiting));
  hooks.push_back(hook("ppoll", &hooked_ppoll, real.ppoll, waiting));
  hooks.push_back(hook("__ppoll_chk", &hooked_ppoll_chk, real.ppoll_chk, waiting));
  hooks.push_back(hook("select", &hooked_select, real.select, waiting));
  hooks.push_back(hook("__select", &hooked_select, real.select, waiting));
  hooks.push_back(hook("pselect", &hooked_pselect, real.pselect, waiting));
  hooks.push_back(hook("epoll_wait", &hooked_epoll_wait, real.epoll_wait, waiting));
  hooks.push_back(hook("epoll_pwait", &hooked_epoll_pwait, real.epoll_pwait, waiting));
  hooks.push_back(hook("epoll_pwait2", &hooked_epoll_pwait2, real.epoll_pwait2, waiting));
}

}  // namespace weft::bridge
