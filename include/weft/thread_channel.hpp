#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/channel_error.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/detail/taking_iterator.hpp"
#include "weft/detail/thread_channel_core.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Passes values between threads, in order, each to exactly one receiver. Waiting parks the
/// coroutine and not its thread; the try_ functions never wait and need no runtime. Values move
/// between threads, so `T` must not share data that is not thread-safe.
///
/// The longest waiter is woken first, but a wake-up reserves nothing: another coroutine may be
/// faster, and then the woken one goes on waiting at the head of the queue.
///
/// The channel is closed when it is destroyed, and when the runtime that it was created in ends.
template <class T>
class ThreadChannel {
 public:
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a channel carries values");
  using value_type = T;

  /// Throws ValueError if `capacity` is 0: threads have no rendezvous.
  explicit ThreadChannel(std::size_t capacity = 16)
      : core_{std::make_shared<detail::TypedThreadChannel<T>>(capacity)} {
    static_assert(std::is_move_constructible_v<T>,
                  "the values of a channel are moved through it, and these cannot be: let it carry "
                  "std::unique_ptr<T>");
    detail::close_with_runtime(core_);
  }
  ~ThreadChannel() { core_->close(CloseReason::disposed); }
  ThreadChannel(const ThreadChannel&) = delete;
  ThreadChannel& operator=(const ThreadChannel&) = delete;

  /// Suspends until there is room. Throws ChannelClosed, Cancelled, and, when `token` fires first,
  /// TimedOut for a timeout, otherwise OperationCancelled; then `value` is unchanged.
  void send(T&& value, Token token = {}, Place place = Place::here()) {
    const auto core = core_;
    core->send(std::move(value), token, place);
  }
  void send(const T& value, Token token = {}, Place place = Place::here()) {
    send(T(value), token, place);
  }
  /// Returns false and leaves `value` unchanged if there is no room or the channel is closed.
  bool try_send(T&& value) { return core_->try_send(std::move(value)); }
  bool try_send(const T& value) { return core_->try_send(T(value)); }

  /// Suspends until there is a value. Throws ChannelClosed when the channel is closed and empty,
  /// Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; then no value is lost.
  T recv(Token token = {}, Place place = Place::here()) {
    const auto core = core_;
    return core->recv(token, place);
  }
  /// Takes a value, if there is one; never waits.
  [[nodiscard]] std::optional<T> try_recv() { return core_->try_recv(); }

  class Iterator;
  /// Suspends, as each step does, until there is a value: `for (T value : channel)`. The loop ends
  /// when the channel was closed with close() and is empty; any other CloseReason is thrown as
  /// ChannelClosed. Each value can be read once, by one of several loops.
  [[nodiscard]] Iterator begin(Place place = Place::here()) { return Iterator{core_, place}; }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Nothing can be sent any more; values in the channel can still be received. Wakes all waiters.
  void close() noexcept { core_->close(); }
  /// Whether it is closed; values may be left.
  [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }
  /// How many values it stores.
  [[nodiscard]] std::size_t capacity() const noexcept { return core_->capacity(); }
  /// How many values are stored now; another thread may change that at once.
  [[nodiscard]] std::size_t size() const noexcept { return core_->size(); }
  /// Whether none is stored now.
  [[nodiscard]] bool is_empty() const noexcept { return size() == 0; }

 private:
  friend struct detail::ThreadChannelAccess;

  // The shared state, which outlives this object while coroutines wait.
  const std::shared_ptr<detail::TypedThreadChannel<T>> core_;
};

/// Iterates over the values as they come.
template <class T>
class ThreadChannel<T>::Iterator : public detail::TakingIterator<Iterator, T> {
  using Base = detail::TakingIterator<Iterator, T>;
  using Base::value_;
  friend Base;
  friend class ThreadChannel;

  Iterator(std::shared_ptr<detail::TypedThreadChannel<T>> core, Place place)
      : core_{std::move(core)}, place_{place} {
    next();
  }
  void next() {
    value_.reset();
    try {
      value_.emplace(core_->recv({}, place_));
    } catch (const ChannelClosed& closed) {
      if (closed.reason() != CloseReason::explicitly) throw;
    }
  }

  std::shared_ptr<detail::TypedThreadChannel<T>> core_;
  Place place_;
};

template <class T>
class ThreadChannel<T&> : public ThreadChannel<T> {
  static_assert(detail::always_false<T>,
                "a channel carries values, not references: other threads must not "
                "share them");
  using ThreadChannel<T>::ThreadChannel;
};

}  // namespace weft
