#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/await.hpp"
#include "weft/channel.hpp"
#include "weft/detail/select_case.hpp"
#include "weft/token.hpp"

namespace weft::detail {

template <class T, class F>
class RecvCase final : public ChannelCase {
 public:
  RecvCase(Channel<T>& channel, F function, Place place)
      : ChannelCase{channel, place}, channel_{channel}, function_{std::move(function)} {}
  [[nodiscard]] bool is_ready() noexcept override { return can_receive(); }
  Event& join(const void* selecting) override { return join_receivers(selecting); }
  void execute() { std::invoke(function_, channel_.recv()); }
  void finish() { execute(); }

 private:
  Channel<T>& channel_;
  F function_;
};

template <class T, class F>
class SendCase final : public ChannelCase {
 public:
  /// `value` is moved from only when it is sent.
  SendCase(Channel<T>& channel, T&& value, F function, Place place)
      : ChannelCase{channel, place},
        channel_{channel},
        value_{std::addressof(value)},
        function_{std::move(function)} {}
  /// A value that must be copied or converted is so at once.
  template <class V>
  SendCase(Channel<T>& channel, std::in_place_t, V&& value, F function, Place place)
      : ChannelCase{channel, place},
        channel_{channel},
        own_{std::in_place, std::forward<V>(value)},
        value_{std::addressof(*own_)},
        function_{std::move(function)} {}
  [[nodiscard]] bool is_ready() noexcept override { return can_send(); }
  Event& join(const void* selecting) override { return join_senders(value_, selecting); }
  void execute() {
    channel_.send(std::move(*value_));
    finish();
  }
  void finish() { std::invoke(function_); }

 private:
  Channel<T>& channel_;
  std::optional<T> own_;
  T* value_;
  F function_;
};

/// What on() calls when `E` has happened: it takes nothing, or the value that await() returns.
template <class F, class E>
concept EventFunction = std::convertible_to<E&, Token> &&
    (std::invocable<F&> || requires(F & function, std::remove_reference_t<E>& awaited) {
      std::invoke(function, await(awaited));
    });

template <class E, class F>
class EventCase final : public AnyEventCase {
 public:
  EventCase(E& awaitable, F function, Place place)
      : AnyEventCase{*Token{awaitable}.event(), place},
        awaitable_{awaitable},
        function_{std::move(function)} {}
  void execute() {
    throw_error();
    finish();
  }
  void finish() {
    if constexpr (std::is_invocable_v<F&>) {
      std::invoke(function_);
    } else {
      std::invoke(function_, await(awaitable_));
    }
  }

 private:
  E& awaitable_;
  F function_;
};

template <class F>
class OtherwiseCase final {
 public:
  explicit OtherwiseCase(F function) : function_{std::move(function)} {}
  void execute() { std::invoke(function_); }

 private:
  F function_;
};

template <class C>
inline constexpr bool is_otherwise = false;

template <class F>
inline constexpr bool is_otherwise<OtherwiseCase<F>> = true;

}  // namespace weft::detail
