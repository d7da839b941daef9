#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "weft/channel_error.hpp"
#include "weft/channel_options.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/hint_event.hpp"
#include "weft/extend/origin.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {
class ChannelGuard;
}

namespace weft::detail {

class ChannelBase;

/// A sender or receiver that waits for a channel. Underneath Channel and select().
class ChannelWaiter : public Waiter {
 public:
  /// `offer`: the value of a sender. `selecting`: the select() it belongs to, whose cases are not
  /// matched with each other.
  ChannelWaiter(const char* what, const WaitedFor& channel, void* offer = nullptr,
                const void* selecting = nullptr) noexcept
      : Waiter{what, &channel}, offer_{offer}, selecting_{selecting} {}
  ~ChannelWaiter() override = default;

  /// Why it was refused; `none` if it was not.
  [[nodiscard]] CloseReason refused() const noexcept { return refused_; }
  /// A receiver has taken the value that it offered.
  [[nodiscard]] bool is_taken() const noexcept { return taken_; }
  [[nodiscard]] void* offer() const noexcept { return offer_; }
  /// The channel has released it, and may be destroyed already.
  [[nodiscard]] bool is_dismissed() const noexcept { return dismissed_; }
  /// Names the channel and the operation.
  [[nodiscard]] std::string describe() const override;

 protected:
  /// Whether it still waits: not if its wait has ended otherwise.
  [[nodiscard]] bool is_waiting() const noexcept { return is_served_ || is_awaited(); }
  /// Makes the channel serve() it: without a coroutine it cannot hold a promise until later.
  void expect_service() noexcept { is_served_ = true; }
  /// Takes a value at once and leaves the queue.
  virtual void serve() noexcept {}
  /// Leaves the queue because the channel was closed. Wakes without an error object, which would
  /// need memory: the woken coroutine checks `refused()`.
  virtual void send_away() noexcept { refuse(nullptr); }

 private:
  friend class ChannelBase;
  inline void wait_once(const char* operation, Token token, PackedPlace place);
  inline void be_taken() noexcept;
  // Before the pointers: they lie beside the flags of the Waiter and are set together with them.
  CloseReason refused_ = CloseReason::none;
  bool is_served_ = false;
  bool taken_ = false;
  bool dismissed_ = false;
  void* offer_;
  const void* selecting_;
};

/// The promises of a channel: each waiter in here was woken for one value, or one slot, that no
/// other gets, and has not run since. It belongs to the waiter from make() to end(), which its
/// coroutine calls when it runs, whether it takes it or its wait has ended otherwise.
class ChannelPromises {
 public:
  [[nodiscard]] std::size_t count() const noexcept { return waiters_.size(); }
  /// Wakes `waiter`, which leaves its queue.
  void make(ChannelWaiter& waiter) noexcept {
    waiter.grant_and_leave();
    waiters_.push_back(waiter);
  }
  /// Ends the promise: its coroutine runs and takes what is free now, or the channel hands it on.
  /// False if nothing was promised to `waiter`.
  bool end(ChannelWaiter& waiter) noexcept {
    if (!waiters_.has(waiter)) return false;
    waiters_.remove(waiter);
    return true;
  }

 private:
  friend class ChannelBase;
  WaitList waiters_;
};

/// Closes the channels that are bound to an object, usually a scope, without references in either
/// direction.
class ChannelBindings {
 public:
  ChannelBindings() noexcept = default;
  ~ChannelBindings();
  ChannelBindings(const ChannelBindings&) = delete;
  ChannelBindings& operator=(const ChannelBindings&) = delete;

  /// Makes close_all() close `channel`, and removes it from the bindings it was in before.
  void bind(ChannelBase& channel) noexcept;
  void close_all(CloseReason reason = CloseReason::scope_disposed) noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return channels_.empty(); }

 private:
  SlimList<ChannelBase> channels_;
};

/// What all channels have in common: the waiters, the promises, and whether it is closed.
///
/// A woken waiter has been promised a value or a slot that no other gets. Promises are only
/// counted, the values stay where they are: a waiter that runs takes the oldest. So handing a
/// promise on moves no value.
///
/// A channel has two events, receivable() and sendable(): hints, which reserve nothing.
class ChannelBase : public WaitedFor {
 public:
  ChannelBase(const ChannelBase&) = delete;
  ChannelBase& operator=(const ChannelBase&) = delete;

  // What programs call of it is restated and documented in Channel.
  void close(CloseReason reason) noexcept;
  [[nodiscard]] bool is_closed() const noexcept { return reason_ != CloseReason::none; }
  [[nodiscard]] CloseReason close_reason() const noexcept { return reason_; }

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t size() const noexcept {
    return capacity_ == 0 && held_ == 0 && !senders_.is_empty() ? 1 : held_;
  }
  [[nodiscard]] bool is_empty() const noexcept { return size() == 0; }
  [[nodiscard]] bool is_full() const noexcept { return size() >= slots(); }

  [[nodiscard]] Event& receivable();
  [[nodiscard]] Event& sendable();

  [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id(); }
  [[nodiscard]] std::string info() const;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::string brief() const override { return info(); }

  // Reference-counted, so that a channel can be held by a Ref. Not by Counted: an object of a host
  // may count instead, and one that is no heap object may be released to the end.
  void retain() noexcept {
    if (hosted_) [[unlikely]]
      return host_retain();
    ++references_;
  }
  void release() noexcept {
    if (hosted_) [[unlikely]]
      return host_release();
    if (--references_ == 0 && counted_) delete this;
  }
  void free_with_last_reference() noexcept { counted_ = true; }

 protected:
  ChannelBase(std::size_t capacity, const ChannelOptions& options, Place place);
  virtual ~ChannelBase();

  /// Makes its references those of an object of a host; see HostChannel.
  void belong_to_host() noexcept { hosted_ = true; }
  virtual void host_retain() noexcept {}
  virtual void host_release() noexcept {}
  [[nodiscard]] virtual void* host_object() const noexcept { return nullptr; }

  /// Closes, and ensures that no woken coroutine touches the channel again.
  void dispose() noexcept;

  [[nodiscard]] std::size_t slots() const noexcept { return capacity_ == 0 ? 1 : capacity_; }
  /// Whether a value is not promised to a receiver.
  [[nodiscard]] bool has_free_value() const noexcept { return held_ > promised_values_.count(); }
  /// Whether a slot of the buffer is not promised to a sender. Never in a rendezvous or a closed
  /// channel.
  [[nodiscard]] bool has_free_slot() const noexcept {
    return held_ + promised_slots_.count() < open_slots_;
  }
  /// Whether send() could put a value in: a free slot, or a rendezvous with a receiver to wake.
  [[nodiscard]] bool can_put() const noexcept {
    return has_free_slot() || (capacity_ == 0 && !receivers_.is_empty() && can_meet());
  }
  /// Whether try_send() could: a rendezvous stores one value for the next receiver.
  [[nodiscard]] bool can_leave() const noexcept;
  /// A parked sender of a rendezvous whose value may be taken directly; nullptr if there is none,
  /// or another receiver or an earlier value comes first.
  [[nodiscard]] ChannelWaiter* offering() const noexcept {
    if (senders_.is_empty() || !is_slot_unused()) return nullptr;
    auto* const first = static_cast<ChannelWaiter*>(senders_.first());
    return receivers_.is_empty() && first->is_waiting() ? first : find_offering();
  }
  /// A value went in.
  void put_one() noexcept {
    ++held_;
    if (!receivers_.is_empty() || watched_) match_waiters(true);
  }
  /// A value went out.
  void took_one() noexcept {
    --held_;
    if (!senders_.is_empty() || watched_) match_waiters(true);
  }
  /// The value of `sender` was taken: its send is complete, and close() cannot fail it.
  void took_offer(ChannelWaiter& sender) noexcept;
  /// A promised value could not be taken: it is free again.
  void untaken() noexcept { match_waiters(false); }

  /// Suspends until a value is free for the caller, who takes it at once. Throws ChannelClosed.
  void wait_for_value(Token token, PackedPlace place) {
    while (!wait_in_queue(token, place)) {
    }
  }
  /// Suspends until there is a slot for `offer`, which the caller fills at once, or until it was
  /// taken: true. Throws ChannelClosed.
  [[nodiscard]] bool wait_for_slot(void* offer, Token token, PackedPlace place) {
    return offer_in_queue(offer, token, place, false) || offer_again(offer, token, place);
  }

  void join_receivers(ChannelWaiter& waiter) noexcept;
  /// `again`: it was woken for a receiver that has left meanwhile, and keeps its place in the
  /// queue.
  void join_senders(ChannelWaiter& waiter, bool again) noexcept;
  /// The wait of `waiter` ended otherwise: what it was promised, if anything, is handed on.
  void leave(ChannelWaiter& waiter) noexcept {
    if (!end_promise(waiter)) waiter.leave();
    match_waiters(false);
  }
  /// False if nothing was promised to `waiter`.
  bool end_promise(ChannelWaiter& waiter) noexcept {
    return promised_values_.end(waiter) || promised_slots_.end(waiter);
  }
  /// Promises free values and slots to the oldest waiters. `traffic`: a value went in or out.
  void match_waiters(bool traffic) noexcept;

  std::size_t held_ = 0;  // values in the buffer

 private:
  class Hint;
  friend class ChannelBindings;
  friend class ListAccess;
  friend class weft::ChannelGuard;
  friend class ChannelCase;

  /// In a rendezvous: no value is in the slot, and it is promised to no sender.
  [[nodiscard]] bool is_slot_unused() const noexcept {
    return capacity_ == 0 && held_ == 0 && promised_slots_.count() == 0;
  }
  bool wait_in_queue(Token token, PackedPlace place);
  bool offer_in_queue(void* offer, Token token, PackedPlace place, bool again);
  bool offer_again(void* offer, Token token, PackedPlace place);
  [[nodiscard]] bool can_meet() const noexcept;
  [[nodiscard]] ChannelWaiter* find_offering() const noexcept;
  /// The oldest waiter in `line` whose wait has not ended; those before it are dropped.
  ChannelWaiter* oldest(WaitList& line) const noexcept {
    auto* const first = static_cast<ChannelWaiter*>(line.first());
    return first == nullptr || first->is_waiting() ? first : drop_decided(line);
  }
  ChannelWaiter* drop_decided(WaitList& line) const noexcept;
  static ChannelWaiter* oldest_after(ChannelWaiter& waiter) noexcept;
  void match_rendezvous() noexcept;
  void refuse_all(WaitList& line, CloseReason reason) noexcept;
  Event& show(Ref<Hint>& hint, bool sends);
  // Only if it is watched: notifies the guard and the events.
  void changed(bool traffic) noexcept;
  void receiver_joined() noexcept;
  void sender_joined() noexcept;
  void update_hints_later() const noexcept;
  void end_hints() noexcept;
  void unbind() noexcept;

  const std::size_t capacity_;
  std::size_t open_slots_;           // of the buffer; 0 in a rendezvous and when closed
  ChannelPromises promised_values_;  // to woken receivers
  ChannelPromises promised_slots_;   // to woken senders
  // Mutable, because const functions drop waiters whose wait has ended.
  mutable WaitList receivers_;
  mutable WaitList senders_;
  std::unique_ptr<ChannelGuard> guard_;  // the timers of ChannelOptions, if any
  Ref<Hint> receivable_;                 // made on first use, as is sendable_
  Ref<Hint> sendable_;
  ListLinks<ChannelBase> list_links_;  // in its ChannelBindings
  Origin origin_;
  std::uint32_t references_ = 1;
  bool counted_ = false;
  bool hosted_ = false;
  bool watched_ = false;  // there is a guard or an event
  CloseReason reason_ = CloseReason::none;
};

}  // namespace weft::detail
