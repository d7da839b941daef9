#include "concurrency/channel_hint.hpp"

#include "concurrency/channel_guard.hpp"

// A channel as an event.
namespace weft::detail {

Event& ChannelBase::receivable() { return show(receivable_, false); }

Event& ChannelBase::sendable() { return show(sendable_, true); }

Event& ChannelBase::show(Ref<Hint>& hint, bool sends) {
  if (!hint) {
    hint = make_ref<Hint>(*this, sends);
    watched_ = true;
    if (hosted_) hint->set(Event::host_object_flag);
    if (is_closed() && (sends || held_ == 0)) hint->end();
  }
  return *hint;
}

void ChannelBase::changed(bool traffic) noexcept {
  if (guard_ != nullptr) guard_->update(traffic);
  // A callback of the first hint may destroy the channel.
  const Ref<Hint> receivable = receivable_;
  const Ref<Hint> sendable = sendable_;
  const bool closed = is_closed();
  const bool drained = closed && held_ == 0;
  if (receivable) drained ? receivable->end() : receivable->update();
  if (sendable) closed ? sendable->end() : sendable->update();
}

void ChannelBase::receiver_joined() noexcept {
  if (guard_ != nullptr) guard_->receiver_joined();
  // The waiter is queued but not parked yet, so the hint is updated before the next switch.
  if (capacity_ == 0) update_hints_later();
}

void ChannelBase::sender_joined() noexcept {
  if (guard_ != nullptr) guard_->sender_joined();
  if (capacity_ == 0) update_hints_later();
}

void ChannelBase::update_hints_later() const noexcept {
  if (receivable_) receivable_->update_later();
  if (sendable_) sendable_->update_later();
}

void ChannelBase::end_hints() noexcept {
  if (const Ref<Hint> hint = std::move(receivable_)) hint->detach_channel();
  if (const Ref<Hint> hint = std::move(sendable_)) hint->detach_channel();
}

bool ChannelBase::Hint::is_available() const noexcept {
  if (channel_ == nullptr) return false;
  if (sends_) return channel_->can_leave();
  return channel_->has_free_value() || channel_->offering() != nullptr;
}

void ChannelBase::Hint::detach_channel() noexcept {
  const ChannelBase* const channel = std::exchange(channel_, nullptr);
  set(host_object_flag, false);  // only the channel's own reference is left
  if (is_closed()) return;
  std::exception_ptr error;
  if (subscribers() > 0) {
    try {
      throw ChannelClosed{channel->is_closed() ? channel->close_reason() : CloseReason::disposed};
    } catch (...) {  // or std::bad_alloc while making it
      error = std::current_exception();
    }
  }
  end(error);
}

std::string ChannelBase::Hint::info() const {
  return channel_ != nullptr ? channel_->info() : "Channel";
}

std::string ChannelBase::Hint::describe() const {
  if (channel_ == nullptr) return "Channel that is gone";
  return channel_->describe() + (sends_ ? ", to send" : ", to receive");
}

}  // namespace weft::detail
