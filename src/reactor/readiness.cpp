#include "reactor/readiness.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

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

}  // namespace

void Readiness::open() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) {
    throw std::system_error{errno, std::generic_category(), "cannot make an event loop"};
  }
}

void Readiness::renew() {
  Readiness fresh;
  fresh.open();
  if (::dup3(fresh.epoll_, epoll_, O_CLOEXEC) < 0) {
    throw std::system_error{errno, std::generic_category(), "cannot renew an event loop"};
  }
}

void Readiness::close() noexcept {
  if (epoll_ >= 0) ::close(std::exchange(epoll_, -1));
}

int Readiness::watch(int number, unsigned mask, Style style, Key key, bool known) noexcept {
  epoll_event event{};
  event.events = to_epoll(mask, style);
  event.data.u64 = key;
  ++changes_;
  if (::epoll_ctl(epoll_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, number, &event) == 0) return 0;
  // The number belongs to another file than we thought: it was closed behind our back, or is a
  // duplicate that came back.
  if (errno != (known ? ENOENT : EEXIST)) return errno;
  ++changes_;
  const int other = known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  return ::epoll_ctl(epoll_, other, number, &event) == 0 ? 0 : errno;
}

void Readiness::forget(int number) noexcept {
  ++changes_;
  epoll_event unused{};
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, number, &unused);
}

std::size_t Readiness::look() noexcept {
  const int count = ::epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), 0);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

Readiness::Report Readiness::report(std::size_t index) const noexcept {
  return {events_[index].data.u64, from_epoll(events_[index].events)};
}

void Readiness::note_fork() noexcept { process_has_forked.store(true, std::memory_order_relaxed); }

bool Readiness::may_be_shared() noexcept {
  return process_has_forked.load(std::memory_order_relaxed);
}

}  // namespace weft
