#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstddef>
#include <fcntl.h>
#include <new>
#include <string_view>
#include <sys/select.h>
#include <vector>

#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/timespec.hpp"
#include "bridge/wait.hpp"
#include "bridge/waiting.hpp"
#include "weft/bridge.hpp"

// select and pselect.
namespace weft::bridge {
namespace {

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
  const int status = real.open("/proc/self/status", O_RDONLY | O_CLOEXEC);
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

}  // namespace

void add_selecting(Hooks& hooks) {
  hooks.push_back(hook("select", outside<&hooked_select, &Real::select>, real.select, waiting));
  hooks.push_back(hook("__select", outside<&hooked_select, &Real::select>, real.select, waiting));
  hooks.push_back(hook("pselect", outside<&hooked_pselect, &Real::pselect>, real.pselect, waiting));
}

}  // namespace weft::bridge
