#include "concurrency/channel_face.hpp"

#include "concurrency/channel_guard.hpp"

// A channel as an event.
namespace weft::detail {

ChannelBase::operator Event&() { return show(receivable_, false); }

Event& ChannelBase::sendable() { return show(sendable_, true); }

Event& ChannelBase::show(Ref<Face>& face, bool sends) {
  if (!face) {
    face = make_ref<Face>(*this, sends);
    watched_ = true;
    if (hosted_) face->set(Event::host_object_flag);
    if (is_closed() && (sends || held_ == 0)) face->end();
  }
  return *face;
}

void ChannelBase::changed(bool traffic) noexcept {
  if (guard_ != nullptr) guard_->update(traffic);
  // A callback of the first face may destroy the channel.
  const Ref<Face> receivable = receivable_;
  const Ref<Face> sendable = sendable_;
  const bool closed = is_closed();
  const bool drained = closed && held_ == 0;
  if (receivable) drained ? receivable->end() : receivable->look();
  if (sendable) closed ? sendable->end() : sendable->look();
}

void ChannelBase::receiver_joined() noexcept {
  if (guard_ != nullptr) guard_->receiver_joined();
  if (capacity_ == 0) faces_look_later();  // it does not wait yet, but will
}

void ChannelBase::sender_joined() noexcept {
  if (guard_ != nullptr) guard_->sender_joined();
  if (capacity_ == 0) faces_look_later();
}

void ChannelBase::faces_look_later() const noexcept {
  if (receivable_) receivable_->look_later();
  if (sendable_) sendable_->look_later();
}

void ChannelBase::end_faces() noexcept {
  if (const Ref<Face> face = std::move(receivable_)) face->lose_channel();
  if (const Ref<Face> face = std::move(sendable_)) face->lose_channel();
}

bool ChannelBase::Face::can_be_had() const noexcept {
  if (channel_ == nullptr) return false;
  if (sends_) return channel_->can_leave();
  return channel_->has_free_value() || channel_->offering() != nullptr;
}

void ChannelBase::Face::lose_channel() noexcept {
  const ChannelBase* const channel = std::exchange(channel_, nullptr);
  set(host_object_flag, false);  // only the channel's own reference is left
  if (is_closed()) return;
  std::exception_ptr error;
  if (subscribers() > 0) {
    try {
      throw ChannelClosed{channel->is_closed() ? channel->close_reason() : CloseReason::disposed};
    } catch (...) {  // or another error, for want of memory
      error = std::current_exception();
    }
  }
  end(error);
}

std::string ChannelBase::Face::info() const {
  return channel_ != nullptr ? channel_->info() : "Channel";
}

std::string ChannelBase::Face::describe() const {
  if (channel_ == nullptr) return "Channel that is gone";
  return channel_->describe() + (sends_ ? ", to send" : ", to receive");
}

}  // namespace weft::detail
