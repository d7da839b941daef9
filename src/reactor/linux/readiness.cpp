#include "reactor/readiness.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

#include <uv.h>

#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"

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

/// So many reports in one turn; the others wait for the next. Few, because who is woken should run
/// while its memory is still near: with a thousand busy connections 256 cost 8 percent more.
constexpr std::size_t reports_at_once = 64;

int make_epoll() {
  const int made = ::epoll_create1(EPOLL_CLOEXEC);
  if (made >= 0) return made;
  throw std::system_error{errno, std::generic_category(), "cannot make an event loop"};
}

}  // namespace

/// An epoll descriptor of our own, which is one handle in the loop.
struct Readiness::Native {
  explicit Native(Reactor& owner) : reactor{owner} {}
  ~Native() {
    handle.close();  // before its descriptor
    ::close(epoll);
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

  std::size_t look() noexcept {
    const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), 0);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  void deliver() noexcept;

  Reactor& reactor;
  int epoll = make_epoll();
  UvHandle<uv_poll_t> handle;
  std::array<epoll_event, reports_at_once> events;
};

void Readiness::Native::deliver() noexcept {
  const DescriptorTable& descriptors = reactor.descriptors();
  const std::size_t count = look();
  for (std::size_t i = 0; i < count; ++i) {
    // Who waits was parked a while ago: its memory is far away, and would be missed one by one.
    if (i + 4 < count) descriptors.prefetch(events[i + 4].data.u64);
    if (i + 2 < count) {
      if (const Descriptor* soon = descriptors.find(events[i + 2].data.u64)) {
        soon->prefetch_waiters();
      }
    }
    reactor.report(events[i].data.u64, from_epoll(events[i].events));
  }
}

Readiness::Readiness() noexcept = default;
Readiness::~Readiness() = default;

void Readiness::open(uv_loop_t& loop, Reactor& reactor) {
  auto made = std::make_unique<Native>(reactor);
  made->handle.open(
      [&](uv_poll_t* handle) {
        handle->data = made.get();
        return uv_poll_init(&loop, handle, made->epoll);
      },
      "cannot watch descriptors");
  const int status = uv_poll_start(made->handle.get(), UV_READABLE,
                                   [](uv_poll_t* handle, int /*status*/, int /*events*/) {
                                     static_cast<Native*>(handle->data)->deliver();
                                   });
  if (status != 0) {
    throw std::system_error{-status, std::generic_category(), "cannot watch descriptors"};
  }
  native_ = std::move(made);
}

void Readiness::renew() {
  const Native fresh{native_->reactor};
  if (::dup3(fresh.epoll, native_->epoll, O_CLOEXEC) < 0) {
    throw std::system_error{errno, std::generic_category(), "cannot renew an event loop"};
  }
}

void Readiness::close() noexcept { native_.reset(); }

void Readiness::abandon() noexcept {
  if (native_ == nullptr) return;
  native_->handle.forget();
  native_.reset();
}

bool Readiness::prepare_turn() noexcept { return false; }

int Readiness::watch(int number, unsigned mask, Style style, Key key, bool known) noexcept {
  epoll_event event{};
  event.events = to_epoll(mask, style);
  event.data.u64 = key;
  ++changes_;
  const int operation = known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(native_->epoll, operation, number, &event) == 0) return 0;
  // The number belongs to another file than we thought: it was closed behind our back, or is a
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

std::size_t Readiness::count_reports() noexcept { return native_->look(); }

void Readiness::note_fork() noexcept { process_has_forked.store(true, std::memory_order_relaxed); }

bool Readiness::may_be_shared() noexcept {
  return process_has_forked.load(std::memory_order_relaxed);
}

}  // namespace weft
