#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/await.hpp"
#include "weft/channel.hpp"
#include "weft/detail/channel_cases.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/detail/select_case.hpp"
#include "weft/token.hpp"

namespace weft {

/// A case of select(): receives from `channel`, then calls `function(value)`. Throws ChannelClosed
/// if the channel is closed and empty, as recv() does.
template <class T, std::invocable<T> F>
[[nodiscard]] auto on_recv(Channel<T>& channel, F function, Place place = Place::here()) {
  return detail::RecvCase<T, F>{channel, std::move(function), place};
}

template <class T, class F>
requires(!std::invocable<F, T>) auto on_recv(Channel<T>& channel, F /*function*/,
                                             Place place = {}) {
  static_assert(detail::always_false<F>,
                "on_recv() calls its function with the value that was received: "
                "this function does not take one of that type");
  return detail::RecvCase<T, detail::AnyFunction>{channel, {}, place};
}

/// A case of select(): sends `value` to `channel`, then calls `function()`. If another case is
/// chosen, or select() throws, an rvalue is left unchanged. Throws ChannelClosed if the channel is
/// closed.
template <class T, class V, std::invocable F>
[[nodiscard]] auto on_send(Channel<T>& channel, V&& value, F function,
                           Place place = Place::here()) {
  using Case = detail::SendCase<T, F>;
  if constexpr (std::is_same_v<V, T>) {
    return Case{channel, std::forward<V>(value), std::move(function), place};
  } else {
    return Case{channel, std::in_place, std::forward<V>(value), std::move(function), place};
  }
}

template <class T, class V, class F>
requires(!std::invocable<F>) auto on_send(Channel<T>& channel, V&& value, F /*function*/,
                                          Place place = {}) {
  static_assert(detail::always_false<F>,
                "on_send() calls its function without arguments: this function "
                "needs some");
  using Case = detail::SendCase<T, detail::AnyFunction>;
  return Case{channel, std::in_place, std::forward<V>(value), {}, place};
}

/// A case of select(): waits for `awaitable`, which is any event, a timeout() or a coroutine. Then
/// calls `function()`, or, for a coroutine, `function(its value)`. Throws its error if it fails, as
/// await() does, except that an expired timeout() is no failure here.
template <class E, detail::EventFunction<E> F>
[[nodiscard]] auto on(E&& awaitable, F function, Place place = Place::here()) {
  return detail::EventCase<std::remove_reference_t<E>, F>{awaitable, std::move(function), place};
}
template <class E, class F>
requires(std::convertible_to<E&, Token> &&
         !detail::EventFunction<F, E>) auto on(E&& awaitable, F /*function*/, Place place = {}) {
  static_assert(detail::always_false<F>,
                "on() calls its function without arguments, or with the value of "
                "the coroutine or future: this function takes something else");
  using Case = detail::EventCase<std::remove_reference_t<E>, detail::AnyFunction>;
  return Case{awaitable, {}, place};
}
template <class E, class F>
requires(!std::convertible_to<E&, Token>) auto on(E&& /*awaitable*/, F /*function*/,
                                                  Place place = {}) {
  static_assert(detail::always_false<E>,
                "on() waits for an event, a coroutine or a future, and this is "
                "none");
  AnyCoroutine none;
  return detail::EventCase<AnyCoroutine, detail::AnyFunction>{none, {}, place};
}

/// The case of select() that is chosen instead of waiting, if no other is ready. Stands last.
template <std::invocable F>
[[nodiscard]] auto otherwise(F function) {
  return detail::OtherwiseCase<F>{std::move(function)};
}

template <class F>
requires(!std::invocable<F>) auto otherwise(F /*function*/) {
  static_assert(detail::always_false<F>,
                "otherwise() calls its function without arguments: this function "
                "needs some");
  return detail::OtherwiseCase<detail::AnyFunction>{{}};
}

/// Suspends until one of the cases is ready; exactly one is executed, and the others have no
/// effect. If several are ready the first of them is executed, without a suspension. Returns its
/// index. Throws what the case or its function throws, and Cancelled, after which none was
/// executed, except that a value may have been taken already, as with send().
///
///     select(on_recv(lines, [](std::string line) { handle(line); }),
///            on_send(out, 42, [] { sent(); }),
///            on(timeout(100ms), [] { idle(); }));
template <class... Cases>
std::size_t select(Cases&&... cases) {
  static_assert(sizeof...(Cases) > 0, "select() needs something to choose from");
  constexpr bool otherwise_given[] = {detail::is_otherwise<std::remove_cvref_t<Cases>>...};
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
  const auto execute_if_ready = [&index](auto& one) {
    if constexpr (!detail::is_otherwise<std::remove_cvref_t<decltype(one)>>) {
      if (!one.is_ready()) {
        ++index;
        return false;
      }
    }
    one.execute();
    return true;
  };
  if ((execute_if_ready(cases) || ...)) return index;

  if constexpr (!otherwise_given[count - 1]) {
    detail::SelectCase* const all[] = {&cases...};
    const detail::Selected selected = detail::wait_for_one(all, count);
    std::size_t position = 0;
    const auto ends = [&](auto& one) {
      if (position++ != selected.index) return false;
      selected.done ? one.finish() : one.execute();
      return true;
    };
    (ends(cases) || ...);
    return selected.index;
  }
  return index;
}

}  // namespace weft
