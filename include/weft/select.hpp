#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/await.hpp"
#include "weft/channel.hpp"
#include "weft/mistake.hpp"
#include "weft/select_case.hpp"
#include "weft/token.hpp"

namespace weft {

template <class T, class F>
class RecvCase final : public ChannelCase {
 public:
  RecvCase(Channel<T>& channel, F function, Place place)
      : ChannelCase{channel, place}, channel_{channel}, function_{std::move(function)} {}
  [[nodiscard]] bool is_ready() noexcept override { return can_receive(); }
  Event& join(const void* selecting) override { return join_receivers(selecting); }
  void happen() { std::invoke(function_, channel_.recv()); }
  void finish() { happen(); }

 private:
  Channel<T>& channel_;
  F function_;
};

template <class T, class F>
class SendCase final : public ChannelCase {
 public:
  /// The value stays where it is until it is sent.
  SendCase(Channel<T>& channel, T&& value, F function, Place place)
      : ChannelCase{channel, place},
        channel_{channel},
        value_{std::addressof(value)},
        function_{std::move(function)} {}
  /// One that has to be copied or converted is so at once.
  template <class V>
  SendCase(Channel<T>& channel, std::in_place_t, V&& value, F function, Place place)
      : ChannelCase{channel, place},
        channel_{channel},
        own_{std::in_place, std::forward<V>(value)},
        value_{std::addressof(*own_)},
        function_{std::move(function)} {}
  [[nodiscard]] bool is_ready() noexcept override { return can_send(); }
  Event& join(const void* selecting) override { return join_senders(value_, selecting); }
  void happen() {
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

/// What on() calls when `E` has happened: it takes nothing, or the value that await() gives.
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
  void happen() {
    look();
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
  void happen() { std::invoke(function_); }

 private:
  F function_;
};

/// Receive from `channel`, then `function(value)`. A closed channel throws ChannelClosed once it is
/// empty, as recv() does.
template <class T, std::invocable<T> F>
[[nodiscard]] RecvCase<T, F> on_recv(Channel<T>& channel, F function, Place place = Place::here()) {
  return {channel, std::move(function), place};
}

template <class T, class F>
requires(!std::invocable<F, T>) RecvCase<T, AnyFunction> on_recv(Channel<T>& channel,
                                                                 F /*function*/, Place place = {}) {
  static_assert(always_false<F>,
                "on_recv() calls its function with the value that was received: "
                "this function does not take one of that type");
  return {channel, {}, place};
}

/// Send `value` to `channel`, then `function()`. If another case wins, or the select throws, an
/// rvalue stays with the caller as it was. A closed channel throws ChannelClosed.
template <class T, class V, std::invocable F>
[[nodiscard]] SendCase<T, F> on_send(Channel<T>& channel, V&& value, F function,
                                     Place place = Place::here()) {
  if constexpr (std::is_same_v<V, T>) {
    return {channel, std::move(value), std::move(function), place};
  } else {
    return {channel, std::in_place, std::forward<V>(value), std::move(function), place};
  }
}

template <class T, class V, class F>
requires(!std::invocable<F>) SendCase<T, AnyFunction> on_send(Channel<T>& channel, V&& value,
                                                              F /*function*/, Place place = {}) {
  static_assert(always_false<F>,
                "on_send() calls its function without arguments: this function "
                "needs some");
  return {channel, std::in_place, std::forward<V>(value), {}, place};
}

/// Wait for `awaitable`: any event, a timeout(), a coroutine. Then `function()`, or, for a
/// coroutine, `function(its value)`. If it fails its error is thrown, as await() does; only for a
/// timeout to pass is no failure here.
template <class E, EventFunction<E> F>
[[nodiscard]] EventCase<std::remove_reference_t<E>, F> on(E&& awaitable, F function,
                                                          Place place = Place::here()) {
  return {awaitable, std::move(function), place};
}
template <class E, class F>
requires(std::convertible_to<E&, Token> && !EventFunction<F, E>)
    EventCase<std::remove_reference_t<E>, AnyFunction> on(E&& awaitable, F /*function*/,
                                                          Place place = {}) {
  static_assert(always_false<F>,
                "on() calls its function without arguments, or with the value of "
                "the coroutine or future: this function takes something else");
  return {awaitable, {}, place};
}
template <class E, class F>
requires(!std::convertible_to<E&, Token>) EventCase<AnyCoroutine, AnyFunction> on(
    E&& /*awaitable*/, F /*function*/, Place place = {}) {
  static_assert(always_false<E>,
                "on() waits for an event, a coroutine or a future, and this is "
                "none");
  AnyCoroutine none;
  return {none, {}, place};
}

/// What to do instead of waiting, if no other case is ready. Stands last.
template <std::invocable F>
[[nodiscard]] OtherwiseCase<F> otherwise(F function) {
  return OtherwiseCase<F>{std::move(function)};
}

template <class F>
requires(!std::invocable<F>) OtherwiseCase<AnyFunction> otherwise(F /*function*/) {
  static_assert(always_false<F>,
                "otherwise() calls its function without arguments: this function "
                "needs some");
  return OtherwiseCase<AnyFunction>{{}};
}

template <class C>
inline constexpr bool is_otherwise = false;
template <class F>
inline constexpr bool is_otherwise<OtherwiseCase<F>> = true;

/// Suspends until one of the cases can happen; exactly one does, and the others leave no trace. If
/// several are ready the first of them happens, without a suspension. Returns which it was, counted
/// from 0. Throws what the case or its function throws, and Cancelled; then none has happened,
/// except that a value may have been taken already, as with send().
///
///     select(on_recv(lines, [](std::string line) { handle(line); }),
///            on_send(out, 42, [] { sent(); }),
///            on(timeout(100ms), [] { idle(); }));
template <class... Cases>
std::size_t select(Cases&&... cases) {
  static_assert(sizeof...(Cases) > 0, "select() needs something to choose from");
  constexpr bool otherwise_given[] = {is_otherwise<std::remove_cvref_t<Cases>>...};
  constexpr std::size_t count = sizeof...(Cases);
  static_assert(
      [](const bool(&given)[count]) {
        for (std::size_t i = 0; i + 1 < count; ++i) {
          if (given[i]) return false;
        }
        return true;
      }(otherwise_given),
      "otherwise() stands last, and once");

  std::size_t index = 0;
  const auto happens_now = [&index](auto& one) {
    if constexpr (!is_otherwise<std::remove_cvref_t<decltype(one)>>) {
      if (!one.is_ready()) {
        ++index;
        return false;
      }
    }
    one.happen();
    return true;
  };
  if ((happens_now(cases) || ...)) return index;

  if constexpr (!otherwise_given[count - 1]) {
    SelectCase* const all[] = {&cases...};
    const Selected selected = wait_for_one(all, count);
    std::size_t position = 0;
    const auto ends = [&](auto& one) {
      if (position++ != selected.index) return false;
      selected.happened ? one.finish() : one.happen();
      return true;
    };
    (ends(cases) || ...);
    return selected.index;
  }
  return index;
}

}  // namespace weft
