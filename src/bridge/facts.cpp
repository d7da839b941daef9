#include "bridge/facts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/current.hpp"
#include "bridge/forking.hpp"
#include "bridge/real.hpp"
#include "bridge/signals.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "reactor/reactor.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/foreign_descriptor.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft::bridge {
namespace {

// Descriptors share 1024 counters by modulo: a collision only causes a redundant system call.
constexpr std::size_t counters = 1024;
constinit std::array<std::atomic<std::uint32_t>, counters> generations{};
constinit std::atomic<std::uint32_t> settings{0};

std::atomic<std::uint32_t>& generation_counter(int descriptor) noexcept {
  return generations[static_cast<std::size_t>(descriptor) % counters];
}

Duration option_of(int descriptor, int option) noexcept {
  timeval value{};
  socklen_t size = sizeof value;
  if (::getsockopt(descriptor, SOL_SOCKET, option, &value, &size) != 0) return {};
  return std::chrono::seconds{value.tv_sec} + std::chrono::microseconds{value.tv_usec};
}

}  // namespace

std::uint32_t generation_of(int descriptor) noexcept {
  return generation_counter(descriptor).load(std::memory_order_relaxed);
}

namespace {

bool is_among(int descriptor, unsigned first, unsigned last) noexcept {
  const auto number = static_cast<unsigned>(descriptor);
  return first <= number && number <= last;
}

/// Whether a number from `first` to `last` has a timeout of set_read_timeout().
bool have_read_timeout(const ThreadState* mine, unsigned first, unsigned last) noexcept {
  if (mine == nullptr || mine->read_timeouts.empty()) [[likely]]
    return false;
  return std::any_of(mine->read_timeouts.begin(), mine->read_timeouts.end(),
                     [&](const auto& known) { return is_among(known.first, first, last); });
}

/// Ends the waits of this thread for the numbers from `first` to `last`, and their read timeouts.
void end_numbers(unsigned first, unsigned last) noexcept {
  ThreadState* const mine = ThreadState::if_made();
  std::size_t next = first;
  std::size_t end = first;
  if (current_thread.reactor != nullptr) {
    const DescriptorTable& known = current_thread.reactor->descriptors();
    end = std::min(known.end_of_numbers(), std::size_t{last} + 1);
    while (next < end && known.find(static_cast<int>(next)) == nullptr) ++next;
  }
  if (next >= end && !holds_number(first, last) && !have_read_timeout(mine, first, last)) return;
  const int error = errno;
  // The child of vfork() closes numbers of its own, but has the memory of its parent.
  if (::getpid() == process_id()) {
    for (; next < end; ++next) descriptor_closed(static_cast<int>(next));
    numbers_pass_on(first, last);
    if (mine != nullptr) {
      std::erase_if(mine->read_timeouts,
                    [&](const auto& known) { return is_among(known.first, first, last); });
    }
  }
  errno = error;
}

}  // namespace

void number_changes(int descriptor) noexcept {
  if (descriptor < 0) return;
  generation_counter(descriptor).fetch_add(1, std::memory_order_relaxed);
  if (is_in_handler()) return;  // it may have interrupted the tables that are needed
  end_numbers(static_cast<unsigned>(descriptor), static_cast<unsigned>(descriptor));
}

void forget_numbers() noexcept {
  for (std::atomic<std::uint32_t>& counter : generations) {
    counter.fetch_add(1, std::memory_order_relaxed);
  }
}

void numbers_change(unsigned first, unsigned last) noexcept {
  if (first > last) return;
  forget_numbers();
  if (is_in_handler()) return;
  end_numbers(first, last);
}

int next_generation(int descriptor) noexcept {
  if (descriptor >= 0) number_changes(descriptor);
  return descriptor;
}

void settings_change() noexcept { settings.fetch_add(1, std::memory_order_relaxed); }

namespace {

/// The facts that hold now; unknown ones are marked as such.
Facts& facts_of(int descriptor) noexcept {
  ThreadState& mine = ThreadState::here();
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= mine.facts.size()) {
    try {
      mine.facts.resize(index + 1 + index / 2);  // a negative one is too large as well
    } catch (...) {                              // no memory: found out each time
      mine.unkept = {};
      return mine.unkept;
    }
  }
  Facts& facts = mine.facts[index];
  const std::uint32_t generation = generation_of(descriptor);
  if (facts.generation != generation) {
    facts = {};
    facts.generation = generation;
  }
  const std::uint32_t set = settings.load(std::memory_order_relaxed);
  if (facts.settings != set) {
    facts.has_mode = facts.has_timeouts = false;
    facts.settings = set;
  }
  return facts;
}

}  // namespace

namespace {

bool is_terminal(int descriptor, mode_t mode) noexcept {
  if (!S_ISCHR(mode)) return false;
  const int error = errno;
  const bool is = ::isatty(descriptor) != 0;
  errno = error;
  return is;
}

}  // namespace

Facts::Kind kind_of(int descriptor) noexcept {
  Facts& facts = facts_of(descriptor);
  if (facts.kind != Facts::Kind::unknown) return facts.kind;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return Facts::Kind::unknown;
  switch (status.st_mode & S_IFMT) {
    case S_IFSOCK:
      facts.kind = Facts::Kind::socket;
      break;
    case S_IFIFO:
      facts.kind = Facts::Kind::pipe;
      break;
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
      facts.kind = Facts::Kind::regular;
      break;
    default:
      facts.kind =
          is_terminal(descriptor, status.st_mode) ? Facts::Kind::terminal : Facts::Kind::other;
  }
  return facts.kind;
}

bool is_non_blocking(int descriptor) noexcept {
  Facts& facts = facts_of(descriptor);
  if (!facts.has_mode) {
    const int flags = real.fcntl(descriptor, F_GETFL);
    facts.is_non_blocking = flags >= 0 && (flags & O_NONBLOCK) != 0;
    facts.has_mode = true;
  }
  return facts.is_non_blocking;
}

namespace {

ThreadState::ReadTimeout* read_timeout_of(int descriptor) noexcept {
  ThreadState* const mine = ThreadState::if_made();
  if (mine == nullptr || mine->read_timeouts.empty()) [[likely]]
    return nullptr;
  const auto found = mine->read_timeouts.find(descriptor);
  return found != mine->read_timeouts.end() ? &found->second : nullptr;
}

}  // namespace

void set_read_timeout(int descriptor, std::chrono::nanoseconds timeout) {
  if (timeout > Duration::zero()) {
    ThreadState::here().read_timeouts[descriptor] = {timeout, false};
  } else {
    ThreadState::here().read_timeouts.erase(descriptor);
  }
}

bool has_read_timed_out(int descriptor) noexcept {
  const ThreadState::ReadTimeout* const known = read_timeout_of(descriptor);
  return known != nullptr && known->has_passed;
}

void note_read(int descriptor, bool has_timed_out) noexcept {
  if (ThreadState::ReadTimeout* const known = read_timeout_of(descriptor)) {
    known->has_passed = has_timed_out;
  }
}

bool can_be_watched(int descriptor) noexcept {
  const Facts::Kind kind = kind_of(descriptor);
  if (kind != Facts::Kind::other) return kind != Facts::Kind::regular;
  const int epoll = real.epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return true;
  epoll_event wanted{};
  const bool is_refused =
      ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &wanted) != 0 && errno == EPERM;
  real.close(epoll);
  return !is_refused;
}

Duration timeout_of(int descriptor, unsigned way) noexcept {
  if (way == Poll::readable) {
    if (const ThreadState::ReadTimeout* const known = read_timeout_of(descriptor)) {
      return known->after;
    }
  }
  Facts& facts = facts_of(descriptor);
  if (!facts.has_timeouts) {
    facts.receive_timeout = option_of(descriptor, SO_RCVTIMEO);
    facts.send_timeout = option_of(descriptor, SO_SNDTIMEO);
    facts.has_timeouts = true;
  }
  return way == Poll::readable ? facts.receive_timeout : facts.send_timeout;
}

int type_of(int descriptor) noexcept {
  Facts& facts = facts_of(descriptor);
  if (facts.type == 0) {
    int type = 0;
    socklen_t size = sizeof type;
    const bool known = ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
    facts.type = known ? type : -1;
  }
  return facts.type;
}

bool is_unix(int descriptor) noexcept {
  int family = 0;
  socklen_t size = sizeof family;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX;
}

}  // namespace weft::bridge
