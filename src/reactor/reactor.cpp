#include "reactor/reactor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/assert.hpp"
#include "base/warning.hpp"
#include "reactor/process_table.hpp"
#include "reactor/signal_table.hpp"

namespace weft {

/// The libuv loop, the one timer that drives all of ours, and the descriptor for embedding.
struct Reactor::Loop {
  uv_loop_t loop{};
  UvHandle<uv_timer_t> alarm;
  int epoll = -1;
  int timerfd = -1;
};

namespace {

/// libuv runs due timers before it polls as well: an alarm that rings there must not let it sleep.
void rang(uv_timer_t* alarm) { uv_stop(alarm->loop); }

}  // namespace

Reactor::Reactor(Clock& clock, Choice* choice) noexcept : clock_{clock}, choice_{choice} {}

Reactor::~Reactor() {
  disarm_all();
  processes_.reset();
  descriptors_.abandon_all();
  if (loop_ != nullptr) close_loop();
}

uv_loop_t& Reactor::loop() {
  if (loop_ == nullptr) {
    auto made = std::make_unique<Loop>();
    if (const int status = uv_loop_init(&made->loop); status != 0) {
      throw std::system_error{-status, std::generic_category(), "cannot make an event loop"};
    }
    try {
      made->alarm.open([&](uv_timer_t* handle) { return uv_timer_init(&made->loop, handle); },
                       "cannot make the loop's timer");
    } catch (...) {
      uv_loop_close(&made->loop);
      throw;
    }
    uv_unref(made->alarm.base());
    loop_ = std::move(made);
    // A peer that closes early must be an error of one write, not the end of the process.
    struct sigaction present {};
    if (::sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
      ::signal(SIGPIPE, SIG_IGN);
    }
  }
  return loop_->loop;
}

Mailbox& Reactor::mailbox() {
  if (mailbox_ == nullptr) mailbox_ = std::make_unique<Mailbox>(*this);
  return *mailbox_;
}

SignalTable& Reactor::signals() {
  if (signals_ == nullptr) signals_ = std::make_unique<SignalTable>(*this);
  return *signals_;
}

ProcessTable& Reactor::processes() {
  if (processes_ == nullptr) processes_ = std::make_unique<ProcessTable>(*this);
  return *processes_;
}

void Reactor::armed(LoopEvent& event) noexcept {
  event.reactor_ = this;
  event.armed_previous_ = nullptr;
  event.armed_next_ = first_armed_;
  if (first_armed_ != nullptr) first_armed_->armed_previous_ = &event;
  first_armed_ = &event;
  ++(event.is_hidden() ? hidden_ : active_);
}

void Reactor::disarmed(LoopEvent& event) noexcept {
  event.reactor_ = nullptr;
  (event.armed_previous_ != nullptr ? event.armed_previous_->armed_next_ : first_armed_) =
      event.armed_next_;
  if (event.armed_next_ != nullptr) event.armed_next_->armed_previous_ = event.armed_previous_;
  --(event.is_hidden() ? hidden_ : active_);
}

void Reactor::visibility_changes(bool hidden) noexcept {
  if (hidden) {
    --active_;
    ++hidden_;
  } else {
    --hidden_;
    ++active_;
  }
}

void Reactor::disarm_all() noexcept {
  while (first_armed_ != nullptr) {
    const Ref<LoopEvent> keep{first_armed_};  // leaving may drop the last reference
    keep->stop_all();
  }
}

bool Reactor::outside_possible() const noexcept {
  return active_ + hidden_ > timers_.size() || closing_ + time_holds_ > 0 ||
         (processes_ != nullptr && processes_->has_orphans());
}

bool Reactor::poll(Wait wait, TimePoint limit) noexcept {
  if (forgotten_) return false;
  const bool fired = timers_.fire_due(clock_.now(), choice_);
  if (wait == Wait::yes && active_ > 0 && !fired) {
    ++waits_;
    wait_in_loop(limit);
  } else {
    ++ticks_;
    if (loop_ != nullptr && outside_possible() && !is_look_premature()) turn_loop();
  }
  return active_ > 0;
}

/// Who was woken and has not run has not read either: the kernel would report all of them again,
/// and whoever is new would stand in line behind them anyway. Every other look happens all the
/// same, so that nobody waits longer than two of them are apart.
bool Reactor::is_look_premature() noexcept {
  constexpr std::size_t few = 16;
  left_out_ = woken_ > few && !left_out_;
  return left_out_;
}

void Reactor::turn_loop() noexcept { uv_run(&loop_->loop, UV_RUN_NOWAIT); }

/// Sleeps until the first deadline, `limit`, or something from outside.
void Reactor::wait_in_loop(TimePoint limit) noexcept {
  const TimePoint deadline = std::min(timers_.next(), limit);
  const TimePoint now = clock_.now();
  if (deadline <= now) {
    if (loop_ != nullptr && outside_possible()) turn_loop();
    return;
  }
  if (clock_.is_virtual() && deadline != never) {
    const std::uint64_t before = deliveries_;
    if (loop_ != nullptr && outside_possible()) turn_loop();
    if (deliveries_ != before) return;  // somebody may be ready now: time stands still for them
    if (time_holds_ > 0) {              // and for what no jump can hasten
      uv_run(&loop_->loop, UV_RUN_ONCE);
      return;
    }
    if (active_ > 0 && timers_.next() == deadline) clock_.jump_to(deadline);
    if (deadline == limit) clock_.jump_to(limit);
    timers_.fire_due(clock_.now(), choice_);
    return;
  }
  try {
    uv_loop_t& loop = this->loop();
    if (deadline != never) arm_alarm(deadline);
    // The armed events keep us here, not libuv's own count: one handle stands for all timers.
    uv_ref(loop_->alarm.base());
    if (!uv_is_active(loop_->alarm.base())) {
      uv_timer_start(loop_->alarm.get(), rang, 3'600'000, 0);
    }
    uv_run(&loop, UV_RUN_ONCE);
    uv_timer_stop(loop_->alarm.get());
    uv_unref(loop_->alarm.base());
  } catch (const std::exception& error) {  // no loop to be had, or no memory for it
    warn(error.what());
  }
  timers_.fire_due(clock_.now(), choice_);
}

void Reactor::arm_alarm(TimePoint deadline) noexcept {
  uv_update_time(&loop_->loop);
  // Rounded up: an alarm that rings early would only have to be set again.
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.now());
  const std::uint64_t ms = wait.count() > 0 ? static_cast<std::uint64_t>(wait.count()) : 0;
  uv_timer_start(loop_->alarm.get(), rang, ms, 0);
}

int Reactor::descriptor(bool busy) {
  uv_loop_t& made = loop();
  if (loop_->epoll < 0) {
    loop_->epoll = ::epoll_create1(EPOLL_CLOEXEC);
    loop_->timerfd = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (loop_->epoll < 0 || loop_->timerfd < 0) {
      const int error = errno;
      if (loop_->epoll >= 0) ::close(std::exchange(loop_->epoll, -1));
      if (loop_->timerfd >= 0) ::close(std::exchange(loop_->timerfd, -1));
      errno = error;
      throw std::system_error{errno, std::generic_category(),
                              "cannot make the runtime's descriptor"};
    }
    struct epoll_event readable {};
    readable.events = EPOLLIN;
    ::epoll_ctl(loop_->epoll, EPOLL_CTL_ADD, uv_backend_fd(&made), &readable);
    ::epoll_ctl(loop_->epoll, EPOLL_CTL_ADD, loop_->timerfd, &readable);
  }
  struct itimerspec alarm {};
  const TimePoint next = busy ? clock_.now() : timers_.next();
  if (next != never) {
    const Duration wait = std::max(next - clock_.now(), Duration{1});
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    alarm.it_value.tv_sec = seconds.count();
    alarm.it_value.tv_nsec = (wait - seconds).count();
  }
  ::timerfd_settime(loop_->timerfd, 0, &alarm, nullptr);
  return loop_->epoll;
}

void Reactor::after_fork() {
  forgotten_ = false;
  if (loop_ == nullptr) return;
  if (const int status = uv_loop_fork(&loop_->loop); status != 0) {
    throw std::system_error{-status, std::generic_category(), "cannot renew the loop after fork()"};
  }
  if (signals_ != nullptr) signals_->after_fork();
  if (processes_ != nullptr) processes_->check();
}

/// Lets everything that closes close, then closes the loop. A handle that is still there is ours
/// and a bug; a request still running on a worker leaves the loop open rather than freed under it.
void Reactor::close_loop() noexcept {
  if (mailbox_ != nullptr) mailbox_->close();
  if (signals_ != nullptr) signals_->close();
  loop_->alarm.close();
  if (loop_->epoll >= 0) ::close(loop_->epoll);
  if (loop_->timerfd >= 0) ::close(loop_->timerfd);
  if (forgotten_) {
    static_cast<void>(loop_.release());
    return;
  }
  for (int i = 0; i < 100 && uv_loop_alive(&loop_->loop); ++i) uv_run(&loop_->loop, UV_RUN_NOWAIT);
  for (int i = 0; i < 500 && uv_loop_alive(&loop_->loop); ++i) uv_run(&loop_->loop, UV_RUN_ONCE);
  if (uv_loop_close(&loop_->loop) != 0) {
    warn("the event loop could not be closed: something of it is still in use");
    static_cast<void>(loop_.release());
  }
}

}  // namespace weft
