#include "concurrency/channel_guard.hpp"

#include "scheduler/scheduler.hpp"

namespace weft {

ChannelGuard::Watch::Watch(detail::ChannelBase& channel, WaitList& queue, CloseReason reason,
                           Duration limit, bool hard)
    : channel_{channel},
      queue_{queue},
      reason_{reason},
      limit_{limit},
      timer_{limit, Timer::Kind::multishot} {
  timer_.set_hidden(!hard);
  timer_.add_callback(*this);
}

ChannelGuard::Watch::~Watch() {
  timer_.close();
  timer_.remove_callback(*this);
}

void ChannelGuard::Watch::update(bool traffic) noexcept {
  if (limit_ <= Duration::zero()) return;
  if (channel_.is_closed() || channel_.oldest(queue_) == nullptr) {
    timer_.stop();
  } else if (traffic || !timer_.is_armed()) {
    timer_.rearm(limit_);  // without memory there is no protection
  }
}

void ChannelGuard::Watch::joined() noexcept {
  if (limit_ > Duration::zero() && !timer_.is_armed()) timer_.rearm(limit_);
}

void ChannelGuard::Watch::on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept {
  if (channel_.oldest(queue_) != nullptr) channel_.close(reason_);
}

ChannelGuard::ChannelGuard(detail::ChannelBase& channel, const ChannelOptions& options)
    : channel_{channel},
      producers_{channel, channel.receivers_, CloseReason::no_producers, options.no_producer,
                 options.hard},
      consumers_{channel, channel.senders_, CloseReason::no_consumers, options.no_consumer,
                 options.hard},
      hard_{options.hard} {}

/// The channel may be older than the runtime in which a coroutine waits, or outlive it.
void ChannelGuard::watch() noexcept {
  if (!hard_ && current_thread.scheduler != nullptr)
    current_thread.scheduler->deadlock_hooks().add(*this);
}

void ChannelGuard::receiver_joined() noexcept {
  watch();
  producers_.joined();
}

void ChannelGuard::sender_joined() noexcept {
  watch();
  consumers_.joined();
}

bool ChannelGuard::on_deadlock() noexcept {
  if (!producers_.is_armed() && !consumers_.is_armed()) return false;
  channel_.close(CloseReason::deadlock);
  return true;
}

void ChannelGuard::update(bool traffic) noexcept {
  producers_.update(traffic);
  consumers_.update(traffic);
}

}  // namespace weft
