#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/place.hpp"
#include "weft/select.hpp"
#include "weft/thread_channel.hpp"

// Thread channels as cases of select(). Another thread may be faster at any moment, so a case that
// says it is ready has taken its value, or sent it, already.
namespace weft {

/// Stands in a line of a thread channel.
class ThreadChannelCase : public SelectCase {
 public:
  [[nodiscard]] bool is_ready() noexcept final;
  Event& join(const void* selecting) final;
  void leave() noexcept final;
  Woken woken() final;

 protected:
  using Side = ThreadChannelCore::Side;
  ThreadChannelCase(std::shared_ptr<ThreadChannelCore> core, Side side, Place place) noexcept
      : SelectCase{place}, core_{std::move(core)}, side_{side} {}
  ~ThreadChannelCase() { leave(); }

  /// Does it, if that is possible now. Throws ChannelClosed.
  virtual bool attempt() = 0;
  /// Throws what the attempt threw.
  void throw_failure() {
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  std::shared_ptr<ThreadChannelCore> core_;
  Side side_;
  std::optional<ThreadWaiter> waiter_;
  std::exception_ptr failure_;
  bool again_ = false;  // it was woken in vain and keeps its place
};

template <class T, class F>
class ThreadRecvCase final : public ThreadChannelCase {
 public:
  ThreadRecvCase(std::shared_ptr<TypedThreadChannel<T>> channel, F function, Place place)
      : ThreadChannelCase{channel, Side::receivers, place},
        channel_{std::move(channel)},
        function_{std::move(function)} {}
  void happen() {
    throw_failure();
    std::invoke(function_, T(std::move(*value_)));
  }
  void finish() { happen(); }

 private:
  bool attempt() override { return channel_->recv_now(value_); }

  std::shared_ptr<TypedThreadChannel<T>> channel_;
  std::optional<T> value_;
  F function_;
};

template <class T, class F>
class ThreadSendCase final : public ThreadChannelCase {
 public:
  /// The value stays where it is until it is sent.
  ThreadSendCase(std::shared_ptr<TypedThreadChannel<T>> channel, T&& value, F function, Place place)
      : ThreadChannelCase{channel, Side::senders, place},
        channel_{std::move(channel)},
        value_{std::addressof(value)},
        function_{std::move(function)} {}
  /// One that has to be copied or converted is so at once.
  template <class V>
  ThreadSendCase(std::shared_ptr<TypedThreadChannel<T>> channel, std::in_place_t, V&& value,
                 F function, Place place)
      : ThreadChannelCase{channel, Side::senders, place},
        channel_{std::move(channel)},
        own_{std::in_place, std::forward<V>(value)},
        value_{std::addressof(*own_)},
        function_{std::move(function)} {}
  void happen() {
    throw_failure();
    std::invoke(function_);
  }
  void finish() { happen(); }

 private:
  bool attempt() override { return channel_->send_now(std::move(*value_)); }

  std::shared_ptr<TypedThreadChannel<T>> channel_;
  std::optional<T> own_;
  T* value_;
  F function_;
};

/// Receive from `channel`, then `function(value)`. A closed channel throws ChannelClosed once it is
/// empty, as recv() does.
template <class T, std::invocable<T> F>
[[nodiscard]] ThreadRecvCase<T, F> on_recv(ThreadChannel<T>& channel, F function,
                                           Place place = Place::here()) {
  return {channel.core(), std::move(function), place};
}

/// Send `value` to `channel`, then `function()`. If another case wins, or the select throws, an
/// rvalue stays with the caller as it was. A closed channel throws ChannelClosed.
template <class T, class V, std::invocable F>
[[nodiscard]] ThreadSendCase<T, F> on_send(ThreadChannel<T>& channel, V&& value, F function,
                                           Place place = Place::here()) {
  if constexpr (std::is_same_v<V, T>) {
    return {channel.core(), std::move(value), std::move(function), place};
  } else {
    return {channel.core(), std::in_place, std::forward<V>(value), std::move(function), place};
  }
}

}  // namespace weft
