#include "base/assert.hpp"
#include "base/planted.hpp"
#include "concurrency/channel_guard.hpp"
#include "concurrency/channel_hint.hpp"
#include "concurrency/scope_core.hpp"
#include "scheduler/park.hpp"
#include "weft/detail/channel_base.hpp"

namespace weft::detail {

ChannelBase::ChannelBase(std::size_t capacity, const ChannelOptions& options, Place place)
    : capacity_{capacity}, open_slots_{capacity}, origin_{place} {
  if (options.no_producer > Duration::zero() || options.no_consumer > Duration::zero()) {
    guard_ = std::make_unique<ChannelGuard>(*this, options);
    watched_ = true;
  }
  if (current_thread.scheduler == nullptr) return;
  Owner& owner = current_thread.scheduler->owner_for_spawn();
  if (owner.watches()) static_cast<ScopeCore&>(owner).channels().bind(*this);
}

ChannelBase::~ChannelBase() {
  unbind();  // a constructor of a derived class may have thrown
  WEFT_ASSERT(promised_values_.count() == 0 && promised_slots_.count() == 0,
              "a channel releases all waiters before it is destroyed");
}

void ChannelBase::dispose() noexcept {
  if (watched_) end_hints();
  close(CloseReason::disposed);
  refuse_all(promised_values_.waiters_, CloseReason::disposed);
  refuse_all(promised_slots_.waiters_, CloseReason::disposed);
}

void ChannelBase::close(CloseReason reason) noexcept {
  if (is_closed()) return;
  reason_ = reason;
  open_slots_ = 0;
  refuse_all(receivers_, reason);
  refuse_all(senders_, reason);
  if (watched_) changed(false);
}

void ChannelBase::refuse_all(WaitList& line, CloseReason reason) noexcept {
  while (!line.is_empty()) {
    auto& waiter = static_cast<ChannelWaiter&>(*line.first());
    waiter.refused_ = reason;
    waiter.dismissed_ = true;
    waiter.send_away();
  }
}

ChannelWaiter* ChannelBase::drop_decided(WaitList& line) const noexcept {
  if (watched_) update_hints_later();
  while (!line.is_empty()) {
    auto& waiter = static_cast<ChannelWaiter&>(*line.first());
    if (waiter.is_waiting()) return &waiter;
    waiter.dismissed_ = true;
    waiter.leave();
  }
  return nullptr;
}

ChannelWaiter* ChannelBase::oldest_after(ChannelWaiter& waiter) noexcept {
  auto* next = static_cast<ChannelWaiter*>(waiter.next());
  while (next != nullptr && !next->is_waiting()) next = static_cast<ChannelWaiter*>(next->next());
  return next;
}

void ChannelBase::match_waiters(bool traffic) noexcept {
  while (has_free_value()) {
    ChannelWaiter* receiver = oldest(receivers_);
    if (receiver == nullptr) break;
    if (receiver->is_served_) {
      receiver->serve();
    } else {
      promised_values_.make(*receiver);
    }
  }
  if (capacity_ == 0) {
    match_rendezvous();
  } else {
    while (has_free_slot()) {
      ChannelWaiter* sender = oldest(senders_);
      if (sender == nullptr) break;
      promised_slots_.make(*sender);
    }
  }
  if (watched_) changed(traffic);
}

/// Senders and receivers can both wait while the only slot is in use. When it is free, the oldest
/// sender gets it, if there is a receiver that is not a case of the same select().
void ChannelBase::match_rendezvous() noexcept {
  if (!is_slot_unused() || oldest(receivers_) == nullptr) return;
  for (ChannelWaiter* sender = oldest(senders_); sender != nullptr;
       sender = oldest_after(*sender)) {
    for (ChannelWaiter* receiver = oldest(receivers_); receiver != nullptr;
         receiver = oldest_after(*receiver)) {
      if (sender->selecting_ != nullptr && sender->selecting_ == receiver->selecting_) continue;
      return promised_slots_.make(*sender);
    }
  }
}

bool ChannelBase::can_meet() const noexcept {
  return !is_closed() && is_slot_unused() && oldest(receivers_) != nullptr;
}

bool ChannelBase::can_leave() const noexcept {
  if (capacity_ != 0 || is_closed()) return has_free_slot();
  return is_slot_unused() && (oldest(senders_) == nullptr || oldest(receivers_) != nullptr);
}

ChannelWaiter* ChannelBase::find_offering() const noexcept {
  ChannelWaiter* sender = oldest(senders_);
  if (sender == nullptr) return nullptr;
  for (ChannelWaiter* receiver = oldest(receivers_); receiver != nullptr;
       receiver = oldest_after(*receiver)) {
    if (sender->selecting_ == nullptr || sender->selecting_ != receiver->selecting_) return nullptr;
  }
  return sender;
}

/// Its value was taken. Wakes the coroutine of the sender, or the select() that this is a case of.
[[gnu::always_inline]] inline void ChannelWaiter::be_taken() noexcept {
  taken_ = true;
  dismissed_ = true;
  leave();
  if (waker() == nullptr) [[unlikely]]
    return grant();
  waker()->complete_here();
}

void ChannelBase::took_offer(ChannelWaiter& sender) noexcept {
  sender.be_taken();
  if (watched_) changed(true);
}

void ChannelBase::join_receivers(ChannelWaiter& waiter) noexcept {
  receivers_.push_back(waiter);
  if (watched_) [[unlikely]]
    receiver_joined();
}

void ChannelBase::join_senders(ChannelWaiter& waiter, bool again) noexcept {
  if (again) {
    senders_.push_front(waiter);
  } else {
    senders_.push_back(waiter);
  }
  if (watched_) [[unlikely]]
    sender_joined();
}

/// The waiter is destroyed after its wait, so the wait need not be reset.
[[gnu::always_inline]] inline void ChannelWaiter::wait_once(const char* operation, Token token,
                                                            PackedPlace place) {
  if (token) [[unlikely]] {
    wait_with(operation, token, place);
  } else {
    Scheduler::wait_for(*this, operation, place);
  }
}

// `uninitialized`: the constructor sets every field, so the build need not clear the waiter before.

/// There was no free value. Waits once; false if it was resumed without one.
__attribute__((no_stack_protector)) bool ChannelBase::wait_in_queue(Token token,
                                                                    PackedPlace place) {
  if (is_closed()) throw ChannelClosed{reason_};
  __attribute__((uninitialized)) ChannelWaiter waiter{"Channel::recv()", *this};
  join_receivers(waiter);
  try {
    waiter.wait_once("Channel::recv()", token, place);
  } catch (...) {
    if (!waiter.is_dismissed() && !WEFT_PLANTED(value_not_handed_on)) leave(waiter);
    throw;
  }
  if (waiter.refused() != CloseReason::none) throw ChannelClosed{waiter.refused()};
  return promised_values_.end(waiter);
}

/// There was no free slot. Waits once; true if the offer was taken. `again`: the sender has waited
/// before, and keeps its place in the queue.
__attribute__((no_stack_protector)) bool ChannelBase::offer_in_queue(void* offer, Token token,
                                                                     PackedPlace place,
                                                                     bool again) {
  if (is_closed()) throw ChannelClosed{reason_};
  __attribute__((uninitialized)) ChannelWaiter waiter{"Channel::send()", *this, offer};
  join_senders(waiter, again);
  try {
    waiter.wait_once("Channel::send()", token, place);
  } catch (...) {
    if (!waiter.is_dismissed() && !WEFT_PLANTED(slot_not_handed_on)) leave(waiter);
    throw;
  }
  if (waiter.is_taken()) return true;
  if (waiter.refused() != CloseReason::none) throw ChannelClosed{waiter.refused()};
  promised_slots_.end(waiter);
  return false;
}

bool ChannelBase::offer_again(void* offer, Token token, PackedPlace place) {
  while (!can_put()) {
    if (offer_in_queue(offer, token, place, true)) return true;
  }
  return false;
}

void ChannelBase::unbind() noexcept {
  if (list_links_.is_listed()) SlimList<ChannelBase>::remove(*this);
}

ChannelBindings::~ChannelBindings() {
  while (!channels_.empty()) channels_.first()->unbind();
}

void ChannelBindings::bind(ChannelBase& channel) noexcept {
  channel.unbind();
  channels_.push_front(channel);
}

void ChannelBindings::close_all(CloseReason reason) noexcept {
  while (ChannelBase* const channel = channels_.first()) {
    channel->unbind();
    channel->close(reason);
  }
}

}  // namespace weft::detail
