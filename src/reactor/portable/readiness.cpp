#include "reactor/readiness.hpp"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>
#include <vector>

#include <uv.h>

#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {
namespace {

int to_uv(unsigned mask) noexcept {
  int events = 0;
  if ((mask & Readiness::readable) != 0) events |= UV_READABLE;
  if ((mask & Readiness::writable) != 0) events |= UV_WRITABLE;
  if ((mask & Readiness::disconnect) != 0) events |= UV_DISCONNECT;
  if ((mask & Readiness::prioritized) != 0) events |= UV_PRIORITIZED;
  return events;
}

unsigned from_uv(int status, int events) noexcept {
  if (status < 0) return Readiness::failed;
  unsigned mask = 0;
  if ((events & UV_READABLE) != 0) mask |= Readiness::readable;
  if ((events & UV_WRITABLE) != 0) mask |= Readiness::writable;
  if ((events & UV_DISCONNECT) != 0) mask |= Readiness::disconnect;
  if ((events & UV_PRIORITIZED) != 0) mask |= Readiness::prioritized;
  return mask;
}

/// Whether a loop can still watch the number.
bool can_be_watched(int number) noexcept {
  struct stat status {};
  return ::fstat(number, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// libuv also runs due timers before it polls: if the alarm is among them, libuv must not sleep.
void stop_loop(uv_timer_t* alarm) { uv_stop(alarm->loop); }

/// Rounded up: a sleep that ends early would have to begin again.
std::uint64_t milliseconds(Duration wait) noexcept {
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

constexpr int list_end = -1;
constexpr int not_listed = -2;

}  // namespace

/// A libuv handle for each descriptor. libuv is level-triggered; for an edge-triggered watch, what
/// was reported is masked until it is expected again.
struct Readiness::Native {
  struct Watched {
    Native& owner;
    int number;
    Key key;
    Style style;
    unsigned mask;  // what libuv watches for
    UvHandle<uv_poll_t> handle = {};
  };

  Native(uv_loop_t& libuv_loop, Reactor& owner) noexcept : loop{libuv_loop}, reactor{owner} {}
  Watched* find(int number) noexcept {
    const auto index = static_cast<std::size_t>(number);
    return index < by_number.size() ? by_number[index].get() : nullptr;
  }
  /// Replaces the present handle: the number may be another file's now. Throws std::system_error
  /// and std::bad_alloc.
  void open(int number, Key key, Style style, unsigned mask);
  /// libuv tells the kernel in the next turn.
  void start(Watched& watched) noexcept;
  static void on_report(uv_poll_t* handle, int status, int events) noexcept;

  /// libuv aborts if the kernel refuses a watch, as it does after a close without our knowledge:
  /// such watches fail here, before libuv sees them. True: one did.
  bool report_unwatchable() noexcept;

  uv_loop_t& loop;
  Reactor& reactor;
  UvHandle<uv_timer_t> alarm;  // ends a turn in time
  std::vector<std::unique_ptr<Watched>> by_number;
  std::vector<int> next_started;  // list, by number, of watches that the kernel does not know yet
  int first_started = list_end;
};

void Readiness::Native::open(int number, Key key, Style style, unsigned mask) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= by_number.size()) {
    const std::size_t room = index + 1 + index / 2;
    // Resized first: if the second resize throws, next_started still covers every number.
    next_started.resize(room, not_listed);
    by_number.resize(room);
  }
  std::unique_ptr<Watched>& place = by_number[index];
  place.reset();
  std::unique_ptr<Watched> made{new Watched{*this, number, key, style, mask}};
  made->handle.open(
      [&](uv_poll_t* handle) {
        handle->data = made.get();
        const int flags = ::fcntl(number, F_GETFL);
        const int status = uv_poll_init(&loop, handle, number);
        // libuv has made it non-blocking, which is for its owner to decide.
        if (flags >= 0 && (flags & O_NONBLOCK) == 0) ::fcntl(number, F_SETFL, flags);
        return status;
      },
      "cannot watch a descriptor");
  place = std::move(made);
  start(*place);
}

void Readiness::Native::start(Watched& watched) noexcept {
  uv_poll_start(watched.handle.get(), to_uv(watched.mask), &on_report);
  int& next = next_started[static_cast<std::size_t>(watched.number)];
  if (next == not_listed) next = std::exchange(first_started, watched.number);
}

void Readiness::Native::on_report(uv_poll_t* handle, int status, int events) noexcept {
  Watched& watched = *static_cast<Watched*>(handle->data);
  const unsigned mask = from_uv(status, events);
  if (status < 0 || watched.style == Style::edge) {
    watched.mask = status < 0 ? 0 : watched.mask & ~mask;
    if (watched.mask == 0) {
      uv_poll_stop(handle);
    } else {
      watched.owner.start(watched);
    }
  }
  watched.owner.reactor.report(watched.key, mask);  // may end the watch
}

Readiness::Readiness() noexcept = default;
Readiness::~Readiness() = default;

void Readiness::open(uv_loop_t& loop, Reactor& reactor) {
  auto made = std::make_unique<Native>(loop, reactor);
  made->alarm.open([&](uv_timer_t* handle) { return uv_timer_init(&loop, handle); },
                   "cannot make the loop's timer");
  native_ = std::move(made);
}

void Readiness::renew() {}  // uv_loop_fork() renews the handles

void Readiness::close() noexcept { native_.reset(); }

void Readiness::abandon() noexcept {
  if (native_ == nullptr) return;
  native_->alarm.forget();
  for (const auto& watched : native_->by_number) {
    if (watched != nullptr) watched->handle.forget();
  }
  native_.reset();
}

bool Readiness::Native::report_unwatchable() noexcept {
  bool reported = false;
  while (first_started != list_end) {
    const int number = first_started;
    const auto index = static_cast<std::size_t>(number);
    first_started = std::exchange(next_started[index], not_listed);
    const Watched* const watched = find(number);
    if (watched == nullptr || watched->mask == 0 || can_be_watched(number)) continue;
    const Key key = watched->key;
    by_number[index].reset();
    reactor.report(key, failed);
    reported = true;
  }
  return reported;
}

void Readiness::turn(Duration longest) noexcept {
  uv_loop_t* const loop = &native_->loop;
  uv_timer_t* const alarm = native_->alarm.get();
  const bool reported = native_->report_unwatchable();
  if (reported || longest <= Duration::zero()) {
    uv_run(loop, UV_RUN_NOWAIT);
    return;
  }
  if (longest != forever) {
    uv_update_time(loop);
    uv_timer_start(alarm, &stop_loop, milliseconds(longest), 0);
  }
  uv_run(loop, UV_RUN_ONCE);
  uv_timer_stop(alarm);
}

int Readiness::descriptor() const noexcept { return uv_backend_fd(&native_->loop); }

int Readiness::watch(int number, unsigned mask, Style style, Key key, bool /*known*/) noexcept {
  ++changes_;
  // Level-triggered, these two are enough to see an end or an error after the data.
  if (style == Style::edge) mask &= unsigned{readable | writable};
  try {
    native_->open(number, key, style, mask);
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int Readiness::expect(int number, unsigned way) noexcept {
  Native::Watched* const watched = native_->find(number);
  if (watched == nullptr) return EBADF;
  if ((watched->mask & way) == way) return 0;
  ++changes_;
  watched->mask |= way;
  native_->start(*watched);
  return 0;
}

void Readiness::forget(int number) noexcept {
  ++changes_;
  if (native_->find(number) != nullptr)
    native_->by_number[static_cast<std::size_t>(number)].reset();
}

std::size_t Readiness::count_reports() noexcept {
  std::size_t count = 0;
  for (const auto& watched : native_->by_number) {
    if (watched == nullptr || watched->mask == 0) continue;
    const bool reads = (watched->mask & ~unsigned{writable}) != 0;
    const bool writes = (watched->mask & unsigned{writable}) != 0;
    pollfd query{watched->number, 0, 0};
    if (reads) query.events |= POLLIN;
    if (writes) query.events |= POLLOUT;
    if (::poll(&query, 1, 0) > 0) ++count;
  }
  return count;
}

void Readiness::note_fork() noexcept {}

/// libuv must stop a watch before its descriptor is closed.
bool Readiness::may_be_shared() noexcept { return true; }

}  // namespace weft
