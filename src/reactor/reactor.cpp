#include "reactor/reactor.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "reactor/host_descriptor.hpp"
#include "reactor/standard_descriptors.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

/// The libuv loop, and a handle that keeps it alive when it has no other.
struct Reactor::Loop {
  uv_loop_t loop{};
  UvHandle<uv_async_t> anchor;
};

Reactor::Reactor(Clock& clock, Choice* choice) noexcept : clock_{clock}, choice_{choice} {}

Reactor::~Reactor() {
  disarm_all();
  while (!tables_.empty()) tables_.pop_back();
  descriptors_.abandon_all();
  if (loop_ != nullptr) close_loop();
}

uv_loop_t& Reactor::loop() {
  if (loop_ == nullptr) make_loop();
  return loop_->loop;
}

void Reactor::make_loop() {
  fill_standard_descriptors();
  auto made = std::make_unique<Loop>();
  if (const int status = uv_loop_init(&made->loop); status != 0) {
    throw std::system_error{-status, std::generic_category(), "cannot make an event loop"};
  }
  try {
    readiness_.open(made->loop, *this);
    made->anchor.open(
        [&](uv_async_t* handle) { return uv_async_init(&made->loop, handle, [](uv_async_t*) {}); },
        "cannot make an event loop");
    uv_run(&made->loop, UV_RUN_NOWAIT);  // libuv tells the kernel of its handles in a turn
  } catch (...) {
    readiness_.close();
    made->anchor.close();
    uv_run(&made->loop, UV_RUN_NOWAIT);
    uv_loop_close(&made->loop);
    throw;
  }
  loop_ = std::move(made);
}

void Reactor::interrupt() noexcept {
  if (loop_ != nullptr) uv_async_send(loop_->anchor.get());
}

Mailbox& Reactor::mailbox() {
  if (mailbox_ == nullptr) mailbox_ = std::make_unique<Mailbox>(*this);
  return *mailbox_;
}

void Reactor::armed(LoopEvent& event) noexcept {
  event.reactor_ = this;
  if (event.listed_ == LoopEvent::Listed::yes) armed_.push_front(event);
  ++(event.is_hidden() ? hidden_ : active_);
}

void Reactor::disarmed(LoopEvent& event) noexcept {
  event.reactor_ = nullptr;
  if (event.listed_ == LoopEvent::Listed::yes) armed_.remove(event);
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
  while (!armed_.empty()) {
    const Ref<LoopEvent> keep{armed_.first()};  // stop_all() may drop the last reference
    keep->stop_all();
  }
  while (!timers_.empty()) timers_.any().leave();
  descriptors_.remove_waiters();
}

bool Reactor::outside_possible() const noexcept {
  return active_ + hidden_ > timers_.size() || time_holds_ + loop_holds_ > 0 ||
         (loop_ != nullptr && uv_backend_timeout(&loop_->loop) == 0);
}

bool Reactor::poll(Wait wait, TimePoint limit) noexcept {
  if (forgotten_) return false;
  const bool fired = timers_.fire_due(clock_.now(), choice_);
  if (wait == Wait::yes && active_ + background_ops_ > 0 && !fired) {
    ++waits_;
    wait_in_loop(limit);
  } else {
    ++ticks_;
    if (outside_possible()) poll_now();
  }
  return active_ + background_ops_ > 0;
}

void Reactor::poll_now() noexcept {
  if (polling_ || loop_ == nullptr) return;  // called from a callback of a turn, which goes on
  polling_ = true;
  readiness_.turn(Duration::zero());
  polling_ = false;
}

void Reactor::sleep_until(TimePoint deadline) noexcept {
  if (polling_) return;
  polling_ = true;
  readiness_.turn(deadline == never ? Readiness::forever : time_until(deadline, clock_.now()));
  polling_ = false;
}

void Reactor::report(Readiness::Key key, unsigned mask) noexcept {
  if (Descriptor* descriptor = descriptors_.find(key)) [[likely]] {
    descriptor->report(mask);
  } else {        // it was removed in this turn, or its watch outlived its close
    delivered();  // more reports may be pending in the kernel
    WEFT_PROBE("a report came for a descriptor that has gone");
  }
}

/// Sleeps until the first deadline, `limit`, or an event from outside.
void Reactor::wait_in_loop(TimePoint limit) noexcept {
  const TimePoint deadline = std::min(timers_.next(), limit);
  const TimePoint now = clock_.now();
  if (deadline <= now) {
    if (outside_possible()) poll_now();
    return;
  }
  if (clock_.is_virtual() && deadline != never) {
    const std::uint64_t before = deliveries_;
    if (outside_possible()) poll_now();
    if (deliveries_ != before) return;  // a coroutine may be ready: virtual time does not advance
    if (time_holds_ > 0) return sleep_until(never);  // nor while work takes real time
    if (active_ + background_ops_ > 0 && timers_.next() == deadline) clock_.jump_to(deadline);
    if (deadline == limit) clock_.jump_to(limit);
    timers_.fire_due(clock_.now(), choice_);
    return;
  }
  try {
    static_cast<void>(loop());
    sleep_until(deadline);
  } catch (const std::exception& error) {  // no loop, or no memory for it
    warn(error.what());
  }
  timers_.fire_due(clock_.now(), choice_);
}

int Reactor::descriptor(bool busy, TimePoint limit) {
  uv_loop_t& loop = this->loop();
  if (host_ == nullptr) host_ = std::make_unique<HostDescriptor>(loop, readiness_.descriptor());
  if (host_->needs_turn()) {
    const std::uint64_t before = deliveries_;
    poll_now();
    busy = busy || deliveries_ != before;
  }
  const TimePoint now = clock_.now();
  // libuv may have work to do at once, or changes that the kernel must know before a sleep.
  return host_->prepare(
      busy || uv_backend_timeout(&loop) == 0 ? now : std::min(timers_.next(), limit), now);
}

void Reactor::after_fork() {
  host_.reset();
  if (loop_ == nullptr) {
    forgotten_ = false;
    return;
  }
  // The kernel's part of the loop is shared with the parent: it is made anew.
  if (const int status = uv_loop_fork(&loop_->loop); status != 0) {
    throw std::system_error{-status, std::generic_category(), "cannot renew the loop after fork()"};
  }
  readiness_.renew();
  inherited_ = true;
  forgotten_ = false;  // after what may throw: a shared loop must not be touched
  descriptors_.watch_anew();
  for (const std::unique_ptr<LoopTable>& table : tables_) table->after_fork();
}

/// Lets all closing handles close, then closes the loop. A handle that is still open is a bug of
/// weft; a request that still runs on a worker leaves the loop open, because the worker uses it. In
/// a forked child such a request may be the parent's, which never ends here: there is no waiting.
void Reactor::close_loop() noexcept {
  if (mailbox_ != nullptr) mailbox_->close();
  if (forgotten_) {
    loop_->anchor.forget();
    readiness_.abandon();
    if (host_ != nullptr) host_->abandon();
    static_cast<void>(loop_.release());
    return;
  }
  loop_->anchor.close();
  readiness_.close();
  host_.reset();
  for (int i = 0; i < 100 && uv_loop_alive(&loop_->loop); ++i) uv_run(&loop_->loop, UV_RUN_NOWAIT);
  for (int i = 0; i < 500 && !inherited_ && uv_loop_alive(&loop_->loop); ++i) {
    uv_run(&loop_->loop, UV_RUN_ONCE);
  }
  if (uv_loop_close(&loop_->loop) != 0) {
    if (!inherited_) warn("the event loop could not be closed: something of it is still in use");
    static_cast<void>(loop_.release());
  }
}

}  // namespace weft
