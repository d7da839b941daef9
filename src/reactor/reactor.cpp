#include "reactor/reactor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "reactor/process_table.hpp"
#include "reactor/signal_table.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

/// The libuv loop, and a handle that does nothing but keep it turning: without any, libuv would not
/// even take in what its own descriptor reports.
struct Reactor::Loop {
  uv_loop_t loop{};
  UvHandle<uv_check_t> keeper;

  /// How long libuv lets us sleep: 0 if it has something to do or to tell the kernel, -1: any time.
  [[nodiscard]] int patience() noexcept {
    const int most = uv_backend_timeout(&loop);
    if (most <= 0) return most;
    uv_update_time(&loop);  // it counts from its last turn
    return uv_backend_timeout(&loop);
  }
};

namespace {

// What is watched and is no descriptor of a user; theirs are never below 2^32.
constexpr Readiness::Key loop_key = 1;
constexpr Readiness::Key alarm_key = 2;

/// Rounded up: a sleep that ends early would only have to begin again.
int milliseconds_until(TimePoint deadline, TimePoint now) noexcept {
  if (deadline == never) return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::clamp<decltype(wait)>(wait, 0, std::numeric_limits<int>::max()));
}

}  // namespace

Reactor::Reactor(Clock& clock, Choice* choice) noexcept : clock_{clock}, choice_{choice} {}

Reactor::~Reactor() {
  disarm_all();
  processes_.reset();
  descriptors_.abandon_all();
  if (loop_ != nullptr) close_loop();
  if (alarm_ >= 0) ::close(alarm_);
}

void Reactor::open_readiness() {
  readiness_.open();
  // A peer that closes early must be an error of one write, not the end of the process.
  struct sigaction present {};
  if (::sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
    ::signal(SIGPIPE, SIG_IGN);
  }
}

uv_loop_t& Reactor::loop() {
  if (loop_ == nullptr) {
    static_cast<void>(readiness());
    auto made = std::make_unique<Loop>();
    if (const int status = uv_loop_init(&made->loop); status != 0) {
      throw std::system_error{-status, std::generic_category(), "cannot make an event loop"};
    }
    try {
      made->keeper.open([&](uv_check_t* handle) { return uv_check_init(&made->loop, handle); },
                        "cannot make the loop's handle");
      watch_loop(made->loop);
    } catch (...) {
      made->keeper.close();
      uv_run(&made->loop, UV_RUN_NOWAIT);
      uv_loop_close(&made->loop);
      throw;
    }
    uv_check_start(made->keeper.get(), [](uv_check_t*) {});
    loop_ = std::move(made);
  }
  return loop_->loop;
}

void Reactor::watch_loop(uv_loop_t& loop) {
  const int error = readiness_.watch(uv_backend_fd(&loop), Readiness::readable,
                                     Readiness::Style::level, loop_key, false);
  if (error != 0) {
    throw std::system_error{error, std::generic_category(), "cannot watch the event loop"};
  }
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
  descriptors_.clear_seats();
}

bool Reactor::outside_possible() const noexcept {
  return active_ + hidden_ > timers_.size() || time_holds_ > 0 ||
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
    if (outside_possible()) look(0);
  }
  return active_ > 0;
}

void Reactor::look(int milliseconds) noexcept {
  if (looking_ || !readiness_.is_open()) return;  // from inside a look: that one goes on
  looking_ = true;
  bool turn = false;
  if (loop_ != nullptr) {
    if (const int most = loop_->patience(); most >= 0) {
      turn = true;
      milliseconds = milliseconds < 0 ? most : std::min(milliseconds, most);
    }
  }
  const std::size_t count = readiness_.look(milliseconds);
  for (std::size_t i = 0; i < count; ++i) {
    const Readiness::Report report = readiness_.report(i);
    // Who waits was parked a while ago: its memory is far away, and would be missed one by one.
    if (i + 4 < count) descriptors_.prefetch(readiness_.key(i + 4));
    if (i + 2 < count) {
      if (const Descriptor* soon = descriptors_.find(readiness_.key(i + 2)))
        soon->prefetch_waiters();
    }
    if (Descriptor* descriptor = descriptors_.find(report.key)) [[likely]] {
      descriptor->report(report.mask);
    } else if (report.key == loop_key) {
      turn = true;
    } else if (report.key == alarm_key) {
      silence_alarm();
    } else {  // it has gone, by what others were told in this look or in spite of its close
      WEFT_PROBE("a report came for a descriptor that has gone");
    }
  }
  if (turn) uv_run(&loop_->loop, UV_RUN_NOWAIT);
  looking_ = false;
}

/// Sleeps until the first deadline, `limit`, or something from outside.
void Reactor::wait_in_loop(TimePoint limit) noexcept {
  const TimePoint deadline = std::min(timers_.next(), limit);
  const TimePoint now = clock_.now();
  if (deadline <= now) {
    if (outside_possible()) look(0);
    return;
  }
  if (clock_.is_virtual() && deadline != never) {
    const std::uint64_t before = deliveries_;
    if (outside_possible()) look(0);
    if (deliveries_ != before) return;     // somebody may be ready now: time stands still for them
    if (time_holds_ > 0) return look(-1);  // and for what no jump can hasten
    if (active_ > 0 && timers_.next() == deadline) clock_.jump_to(deadline);
    if (deadline == limit) clock_.jump_to(limit);
    timers_.fire_due(clock_.now(), choice_);
    return;
  }
  try {
    static_cast<void>(readiness());
    look(milliseconds_until(deadline, now));
  } catch (const std::exception& error) {  // nothing to sleep on
    warn(error.what());
  }
  timers_.fire_due(clock_.now(), choice_);
}

int Reactor::descriptor(bool busy) {
  const int all = readiness().descriptor();
  if (alarm_ < 0) {
    const int made = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    int error = made < 0 ? errno : 0;
    if (error == 0) {
      error =
          readiness_.watch(made, Readiness::readable, Readiness::Style::level, alarm_key, false);
      if (error != 0) ::close(made);
    }
    if (error != 0) {
      throw std::system_error{error, std::generic_category(),
                              "cannot make the runtime's descriptor"};
    }
    alarm_ = made;
  }
  const TimePoint now = clock_.now();
  TimePoint next = busy ? now : timers_.next();
  if (loop_ != nullptr) {
    if (const int most = loop_->patience(); most >= 0) {
      next = std::min(next, now + std::chrono::milliseconds{most});
    }
  }
  struct itimerspec alarm {};
  if (next != never) {
    const Duration wait = std::max(next - now, Duration{1});
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    alarm.it_value.tv_sec = seconds.count();
    alarm.it_value.tv_nsec = (wait - seconds).count();
  }
  ::timerfd_settime(alarm_, 0, &alarm, nullptr);
  return all;
}

/// It has rung, and would keep us from sleeping ourselves.
void Reactor::silence_alarm() noexcept {
  const struct itimerspec none {};
  ::timerfd_settime(alarm_, 0, &none, nullptr);
}

void Reactor::after_fork() {
  forgotten_ = false;
  // All of them share the kernel's side with the parent: they are made anew.
  if (alarm_ >= 0) ::close(std::exchange(alarm_, -1));
  if (!readiness_.is_open()) return;
  readiness_.close();
  readiness_.open();
  if (loop_ != nullptr) {
    if (const int status = uv_loop_fork(&loop_->loop); status != 0) {
      throw std::system_error{-status, std::generic_category(),
                              "cannot renew the loop after fork()"};
    }
    watch_loop(loop_->loop);
  }
  descriptors_.watch_anew();
  if (signals_ != nullptr) signals_->after_fork();
  if (processes_ != nullptr) processes_->check();
}

/// Lets everything that closes close, then closes the loop. A handle that is still there is ours
/// and a bug; a request still running on a worker leaves the loop open rather than freed under it.
void Reactor::close_loop() noexcept {
  if (mailbox_ != nullptr) mailbox_->close();
  if (signals_ != nullptr) signals_->close();
  if (forgotten_) {
    loop_->keeper.forget();
    static_cast<void>(loop_.release());
    return;
  }
  loop_->keeper.close();
  for (int i = 0; i < 100 && uv_loop_alive(&loop_->loop); ++i) uv_run(&loop_->loop, UV_RUN_NOWAIT);
  for (int i = 0; i < 500 && uv_loop_alive(&loop_->loop); ++i) uv_run(&loop_->loop, UV_RUN_ONCE);
  if (uv_loop_close(&loop_->loop) != 0) {
    warn("the event loop could not be closed: something of it is still in use");
    static_cast<void>(loop_.release());
  }
}

}  // namespace weft
