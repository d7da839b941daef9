#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/detail/channel_base.hpp"
#include "weft/detail/channel_future.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/detail/taking_iterator.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/future.hpp"

namespace weft {

namespace detail {
class Held;
}  // namespace detail

/// Passes values between coroutines: each to exactly one receiver, in order. On both sides the
/// coroutine that has waited longest is served first.
///
/// A channel of capacity 0 is a rendezvous: send() returns when a receiver has the value, or has
/// been woken for it.
///
/// send() moves from `value` only when the channel or a receiver takes it: a send() that throws
/// leaves `value` unchanged. Exception: a cancellation that arrives after the receiver of a
/// rendezvous has taken the value is still thrown.
template <class T>
class Channel : public detail::ChannelBase {
 public:
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a channel carries values");
  using value_type = T;

  /// A channel that stores up to `capacity` values.
  explicit Channel(std::size_t capacity = 0, const ChannelOptions& options = {},
                   Place place = Place::here())
      : detail::ChannelBase{capacity, options, place}, storage_{allocator().allocate(slots())} {
    static_assert(std::is_move_constructible_v<T>,
                  "the values of a channel are moved through it, and these cannot be: let it carry "
                  "std::unique_ptr<T>");
  }
  ~Channel() override {
    dispose();
    for (; held_ > 0; --held_) drop_front();
    allocator().deallocate(storage_, slots());
  }

  /// Suspends until there is room, or, in a rendezvous, until a receiver takes `value`. Throws
  /// ChannelClosed, Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled.
  void send(T&& value, Token token = {}, Place place = Place::here()) {
    if (!can_put() && wait_for_slot(&value, token, PackedPlace{place})) return;
    put(std::move(value));
  }
  void send(const T& value, Token token = {}, Place place = Place::here()) {
    if (can_put()) return put(value);
    T copy(value);
    if (!wait_for_slot(&copy, token, PackedPlace{place})) put(std::move(copy));
  }
  /// Returns false and leaves `value` unchanged if there is no room or the channel is closed. A
  /// rendezvous stores one value for the next receiver.
  bool try_send(T&& value) {
    if (!can_leave()) return false;
    put(std::move(value));
    return true;
  }
  bool try_send(const T& value) {
    if (!can_leave()) return false;
    put(value);
    return true;
  }

  /// Suspends until there is a value. Throws ChannelClosed when the channel is closed and empty,
  /// Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; then no value is lost.
  T recv(Token token = {}, Place place = Place::here()) {
    if (!has_free_value()) {
      if (detail::ChannelWaiter* sender = offering()) {
        const ReceiveGuard taking{*this, sender};
        return T(std::move(*static_cast<T*>(sender->offer())));
      }
      wait_for_value(token, PackedPlace{place});
    }
    const ReceiveGuard taking{*this, nullptr};
    return T(std::move(front()));
  }
  /// Takes a value that is not reserved for a woken receiver; nothing if there is none.
  [[nodiscard]] std::optional<T> try_recv() {
    if (has_free_value()) {
      const ReceiveGuard taking{*this, nullptr};
      return std::optional<T>{std::in_place, std::move(front())};
    }
    if (detail::ChannelWaiter* sender = offering()) {
      const ReceiveGuard taking{*this, sender};
      return std::optional<T>{std::in_place, std::move(*static_cast<T*>(sender->offer()))};
    }
    return std::nullopt;
  }

  /// A future of the next value: completed if a value is free, failed with ChannelClosed if none
  /// can come, else queued behind the other receivers. A dropped future leaves the queue.
  [[nodiscard]] Future<T> recv_async(Place place = Place::here()) {
    const auto state = make_ref<detail::ChannelFuture<T>>(*this, place);
    Future<T> future{state};
    state->begin();
    return future;
  }

  class Iterator;
  /// Suspends, as each step does, until there is a value: `for (T value : channel)`. The loop ends
  /// when the channel was closed with close() and is empty; any other CloseReason is thrown as
  /// ChannelClosed. Each value can be read once.
  [[nodiscard]] Iterator begin(Place place = Place::here()) { return Iterator{*this, place}; }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Nothing can be sent any more; values in the channel can still be received. Waiting operations
  /// throw ChannelClosed, except receivers that were woken for a value already. Does nothing if it
  /// is closed.
  void close() noexcept { ChannelBase::close(CloseReason::explicitly); }
  /// The same for another reason, which ChannelClosed then has.
  void close(CloseReason reason) noexcept { ChannelBase::close(reason); }
  /// Whether it is closed; values may be left.
  [[nodiscard]] bool is_closed() const noexcept { return ChannelBase::is_closed(); }
  /// Why it was closed; `none` if it is open.
  [[nodiscard]] CloseReason close_reason() const noexcept { return ChannelBase::close_reason(); }

  /// 0 for a rendezvous.
  [[nodiscard]] std::size_t capacity() const noexcept { return ChannelBase::capacity(); }
  /// How many values are in the channel, including those promised to woken receivers. The value
  /// that a rendezvous offers counts as one.
  [[nodiscard]] std::size_t size() const noexcept { return ChannelBase::size(); }
  /// Whether no value is in the channel.
  [[nodiscard]] bool is_empty() const noexcept { return ChannelBase::is_empty(); }
  /// Whether the channel holds as many values as it can; a rendezvous holds one.
  [[nodiscard]] bool is_full() const noexcept { return ChannelBase::is_full(); }

  /// A channel is an event: ready when try_recv() would succeed, closed when it is closed and
  /// empty. A hint, which reserves nothing: a notified coroutine calls try_recv().
  operator Event&() { return receivable(); }  // NOLINT(google-explicit-constructor)
  /// The event for sending: ready when try_send() would succeed, closed with the channel.
  [[nodiscard]] Event& sendable() { return ChannelBase::sendable(); }

  /// Unique in the process while its runtime lives; 0 if it was created outside one.
  [[nodiscard]] std::uint64_t id() const noexcept { return ChannelBase::id(); }
  /// "Channel(capacity=1, receivers=1, senders=0, reserved=1/0)": the waiters of either side, and
  /// how many of them were promised a value or a slot and have not run yet.
  [[nodiscard]] std::string info() const { return ChannelBase::info(); }
  /// "Channel #3 (capacity 0, 2 senders) created at foo.cpp:10"
  [[nodiscard]] std::string describe() const override { return ChannelBase::describe(); }

 private:
  friend class detail::ChannelFuture<T>;
  friend class detail::Held;

  /// Ends a receive. The value is moved straight into the caller's result and counts as taken
  /// unless that throws, so that a value whose move throws is not lost.
  class ReceiveGuard {
   public:
    ReceiveGuard(Channel& channel, detail::ChannelWaiter* sender) noexcept
        : channel_{channel}, sender_{sender} {
      if constexpr (!std::is_nothrow_move_constructible_v<T>) before_ = std::uncaught_exceptions();
    }
    ~ReceiveGuard() {
      if (failed()) {
        channel_.untaken();
      } else if (sender_ != nullptr) {
        channel_.took_offer(*sender_);
      } else {
        channel_.drop_front();
        channel_.took_one();
      }
    }
    ReceiveGuard(const ReceiveGuard&) = delete;
    ReceiveGuard& operator=(const ReceiveGuard&) = delete;

   private:
    [[nodiscard]] bool failed() const noexcept {
      if constexpr (std::is_nothrow_move_constructible_v<T>) return false;
      return std::uncaught_exceptions() != before_;
    }
    Channel& channel_;
    detail::ChannelWaiter* sender_;
    int before_ = 0;
  };

  static std::allocator<T> allocator() noexcept { return {}; }
  [[nodiscard]] T& front() noexcept { return storage_[head_]; }

  template <class U>
  void put(U&& value) {
    const std::size_t to_end = slots() - head_;
    T* const place = storage_ + (held_ < to_end ? head_ + held_ : held_ - to_end);
    if constexpr (std::is_nothrow_constructible_v<T, U&&>) {
      ::new (static_cast<void*>(place)) T(std::forward<U>(value));
    } else {
      try {
        ::new (static_cast<void*>(place)) T(std::forward<U>(value));
      } catch (...) {
        untaken();
        throw;
      }
    }
    put_one();
  }
  void drop_front() noexcept {
    std::destroy_at(storage_ + head_);
    if (++head_ == slots()) head_ = 0;
  }

  T* storage_;
  std::size_t head_ = 0;
};

/// An input iterator over a channel.
template <class T>
class Channel<T>::Iterator : public detail::TakingIterator<Iterator, T> {
  using Base = detail::TakingIterator<Iterator, T>;
  using Base::value_;
  friend Base;
  friend class Channel;

  Iterator(Channel& channel, Place place) : channel_{&channel}, place_{place} { next(); }
  void next() {
    value_.reset();
    try {
      if (detail::ChannelWaiter* sender =
              channel_->has_free_value() ? nullptr : channel_->offering()) {
        const ReceiveGuard taking{*channel_, sender};
        value_.emplace(std::move(*static_cast<T*>(sender->offer())));
        return;
      }
      if (!channel_->has_free_value()) channel_->wait_for_value({}, PackedPlace{place_});
    } catch (const ChannelClosed& closed) {
      if (closed.reason() != CloseReason::explicitly) throw;
      return;
    }
    const ReceiveGuard taking{*channel_, nullptr};
    value_.emplace(std::move(channel_->front()));
  }

  Channel* channel_;
  Place place_;
};

template <class T>
class Channel<T&> : public Channel<T> {
  static_assert(detail::always_false<T>,
                "a channel carries values, not references: let it carry T* or "
                "std::reference_wrapper<T>");
  using Channel<T>::Channel;
};

}  // namespace weft
