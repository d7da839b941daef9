#include "reactor/readiness.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <fcntl.h>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

#include <uv.h>

#include "base/linux/linux_calls.hpp"
#include "base/real_calls.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"

namespace weft {
namespace {

std::atomic<bool> process_has_forked{false};

std::uint32_t to_epoll(unsigned mask, Readiness::Style style) noexcept {
  std::uint32_t events = 0;
  if ((mask & Readiness::readable) != 0) events |= EPOLLIN;
  if ((mask & Readiness::writable) != 0) events |= EPOLLOUT;
  if ((mask & Readiness::disconnect) != 0) events |= EPOLLRDHUP;
  if ((mask & Readiness::prioritized) != 0) events |= EPOLLPRI;
  if (style == Readiness::Style::edge) events |= EPOLLET;
  return events;
}

unsigned from_epoll(std::uint32_t events) noexcept {
  unsigned mask = 0;
  if ((events & EPOLLIN) != 0) mask |= Readiness::readable;
  if ((events & EPOLLOUT) != 0) mask |= Readiness::writable;
  if ((events & EPOLLRDHUP) != 0) mask |= Readiness::disconnect;
  if ((events & EPOLLPRI) != 0) mask |= Readiness::prioritized;
  if ((events & EPOLLHUP) != 0) mask |= Readiness::hung_up;
  if ((events & EPOLLERR) != 0) mask |= Readiness::failed;
  return mask;
}

/// The most reports in one turn. Few, because a woken coroutine should run while its memory is
/// still in the cache: with a thousand busy connections 256 cost 8 percent more.
constexpr std::size_t reports_at_once = 64;

/// The key of libuv's descriptor, which no Descriptor has.
constexpr Readiness::Key key_of_libuv = ~Readiness::Key{0};

/// In the unit of epoll_wait() and libuv, -1 for ever. Rounded up: a sleep that ends early would
/// have to begin again.
int milliseconds(Duration wait) noexcept {
  if (wait == Readiness::forever) return -1;
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  return static_cast<int>(std::clamp<decltype(count)>(count, 0, INT_MAX));
}

/// The shorter one of two such times.
int shorter(int one, int other) noexcept {
  return one < 0 || (other >= 0 && other < one) ? other : one;
}

}  // namespace

/// An epoll descriptor of the reactor's own, which contains the watched descriptors and libuv's. A
/// turn sleeps there and runs libuv only if it has something to do.
struct Readiness::Native {
  Native(uv_loop_t& libuv_loop, Reactor& owner);
  ~Native() { real_calls.close(epoll); }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

  std::size_t poll_kernel(int wait_ms) noexcept {
    const int count =
        linux_calls.epoll_wait(epoll, events.data(), static_cast<int>(events.size()), wait_ms);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  void turn(int wait_ms) noexcept;
  void deliver(std::size_t count) noexcept;

  uv_loop_t& loop;
  Reactor& reactor;
  int epoll;
  std::array<epoll_event, reports_at_once> events;
};

Readiness::Native::Native(uv_loop_t& libuv_loop, Reactor& owner)
    : loop{libuv_loop}, reactor{owner}, epoll{::epoll_create1(EPOLL_CLOEXEC)} {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = key_of_libuv;
  if (epoll >= 0 && ::epoll_ctl(epoll, EPOLL_CTL_ADD, uv_backend_fd(&loop), &event) == 0) return;
  const int error = errno;
  if (epoll >= 0) real_calls.close(epoll);
  throw std::system_error{error, std::generic_category(), "cannot make an event loop"};
}

void Readiness::Native::turn(int wait_ms) noexcept {
  // 0 if libuv has handles to close, changes for the kernel or a due timer, none of which its
  // descriptor shows. Otherwise the time until its first timer.
  int libuv_ms = uv_backend_timeout(&loop);
  if (libuv_ms > 0) {  // relative to libuv's cached time
    uv_update_time(&loop);
    libuv_ms = uv_backend_timeout(&loop);
  }
  // Its callbacks may wake coroutines, which must not wait for the end of a sleep.
  if (libuv_ms == 0) uv_run(&loop, UV_RUN_NOWAIT);
  const std::size_t count = poll_kernel(shorter(wait_ms, libuv_ms));
  uv_update_time(&loop);  // timers of libuv that start now count from here
  deliver(count);
}

void Readiness::Native::deliver(std::size_t count) noexcept {
  const DescriptorTable& descriptors = reactor.descriptors();
  for (std::size_t i = 0; i < count; ++i) {
    // Waiters parked a while ago are not in the cache: prefetch, to overlap the misses.
    if (i + 4 < count) descriptors.prefetch(events[i + 4].data.u64);
    if (i + 2 < count) {
      if (const Descriptor* soon = descriptors.find(events[i + 2].data.u64)) {
        soon->prefetch_waiters();
      }
    }
    if (events[i].data.u64 == key_of_libuv) [[unlikely]] {
      uv_run(&loop, UV_RUN_NOWAIT);
    } else {
      reactor.report(events[i].data.u64, from_epoll(events[i].events));
    }
  }
}

Readiness::Readiness() noexcept = default;
Readiness::~Readiness() = default;

void Readiness::open(uv_loop_t& loop, Reactor& reactor) {
  native_ = std::make_unique<Native>(loop, reactor);
}

void Readiness::renew() {
  const Native fresh{native_->loop, native_->reactor};
  if (linux_calls.dup3(fresh.epoll, native_->epoll, O_CLOEXEC) < 0) {
    throw std::system_error{errno, std::generic_category(), "cannot renew an event loop"};
  }
}

void Readiness::close() noexcept { native_.reset(); }

void Readiness::abandon() noexcept { native_.reset(); }

void Readiness::turn(Duration longest) noexcept { native_->turn(milliseconds(longest)); }

int Readiness::descriptor() const noexcept { return native_->epoll; }

int Readiness::watch(int number, unsigned mask, Style style, Key key, bool known) noexcept {
  epoll_event event{};
  event.events = to_epoll(mask, style);
  event.data.u64 = key;
  ++changes_;
  const int operation = known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(native_->epoll, operation, number, &event) == 0) return 0;
  // The number is another file's than expected: it was closed without our knowledge, or is a
  // duplicate that came back.
  if (errno != (known ? ENOENT : EEXIST)) return errno;
  ++changes_;
  const int other = known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  return ::epoll_ctl(native_->epoll, other, number, &event) == 0 ? 0 : errno;
}

int Readiness::expect(int /*number*/, unsigned /*way*/) noexcept { return 0; }

void Readiness::forget(int number) noexcept {
  ++changes_;
  epoll_event unused{};
  ::epoll_ctl(native_->epoll, EPOLL_CTL_DEL, number, &unused);
}

std::size_t Readiness::count_reports() noexcept { return native_->poll_kernel(0); }

void Readiness::note_fork() noexcept { process_has_forked.store(true, std::memory_order_relaxed); }

bool Readiness::may_be_shared() noexcept {
  return process_has_forked.load(std::memory_order_relaxed);
}

}  // namespace weft
