#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/place.hpp"

namespace weft {

struct SpawnOptions;

}  // namespace weft

// What spawn() can be called with, and the one sentence for each call that it cannot.
namespace weft::detail {

/// A body that a coroutine can keep, and call with copies of the arguments.
template <class F, class... Args>
concept SpawnBody = std::invocable<std::decay_t<F>, std::decay_t<Args>...> &&
                    std::constructible_from<std::decay_t<F>, F> &&
                    (std::constructible_from<std::decay_t<Args>, Args>&&...) &&
                    (sizeof...(Args) == 0 || (std::move_constructible<std::decay_t<F>> && ... &&
                                              std::move_constructible<std::decay_t<Args>>));

inline constexpr std::size_t most_spawn_arguments = 4;

/// The body and its arguments in a call of spawn(), without leading SpawnOptions and trailing
/// Place.
template <class... Given>
struct SpawnArguments;

template <class All, class Indices, std::size_t first>
struct SpawnPart;
template <class All, std::size_t... I, std::size_t first>
struct SpawnPart<All, std::index_sequence<I...>, first> {
  using type = SpawnArguments<std::tuple_element_t<first + I, All>...>;
};

template <class... Given>
constexpr auto spawn_arguments() {
  using All = std::tuple<Given...>;
  constexpr std::size_t count = sizeof...(Given);
  constexpr std::size_t first =
      std::is_same_v<std::remove_cvref_t<std::tuple_element_t<0, All>>, SpawnOptions> ? 1 : 0;
  constexpr std::size_t last =
      std::is_same_v<std::remove_cvref_t<std::tuple_element_t<count - 1, All>>, Place> ? 1 : 0;
  constexpr std::size_t left = count > first + last ? count - first - last : 0;
  return typename SpawnPart<All, std::make_index_sequence<left>, first>::type{};
}

enum class SpawnMistake : std::uint8_t {
  none,
  not_callable,
  argument_missing,
  wrong_arguments,
  too_many_arguments,
  cannot_be_copied,
  cannot_be_moved,
};

struct OneCall {
  void operator()();
};
template <class F>
struct BothCalls : F, OneCall {};

/// Whether `F` can be called with anything: perhaps its operator() is a template, or there are
/// several.
template <class F>
constexpr bool may_be_called() {
  if constexpr (std::is_class_v<F> && !std::is_final_v<F>) {
    return !requires { &BothCalls<F>::operator(); };  // ambiguous: F has one
  } else {
    return std::is_class_v<F> || std::is_member_pointer_v<F> ||
           std::is_function_v<std::remove_pointer_t<F>>;
  }
}

template <class... Given>
struct SpawnArguments {  // nothing to call
  static constexpr SpawnMistake mistake = SpawnMistake::not_callable;
};
template <class F, class... Args>
struct SpawnArguments<F, Args...> {
  static constexpr SpawnMistake find() {
    using Body = std::decay_t<F>;
    if (sizeof...(Args) <= most_spawn_arguments && SpawnBody<F, Args...>) return SpawnMistake::none;
    if (!may_be_called<Body>()) return SpawnMistake::not_callable;
    if (sizeof...(Args) > most_spawn_arguments) return SpawnMistake::too_many_arguments;
    if (!std::is_invocable_v<Body, std::decay_t<Args>...>) {
      return sizeof...(Args) == 0 ? SpawnMistake::argument_missing : SpawnMistake::wrong_arguments;
    }
    return (std::move_constructible<Body> && ... && std::move_constructible<std::decay_t<Args>>)
               ? SpawnMistake::cannot_be_copied
               : SpawnMistake::cannot_be_moved;
  }
  static constexpr SpawnMistake mistake = find();
};

template <class... Given>
inline constexpr SpawnMistake spawn_mistake = decltype(spawn_arguments<Given...>())::mistake;

/// A call that no other overload of spawn() takes.
template <class... Given>
concept MistakenSpawn = sizeof...(Given) > 0 && spawn_mistake<Given...> != SpawnMistake::none;

/// Says what is wrong with a call of spawn().
template <SpawnMistake mistake>
constexpr void explain_spawn() {
  static_assert(mistake != SpawnMistake::not_callable,
                "spawn() needs a function or a lambda to run: this cannot be called");
  static_assert(mistake != SpawnMistake::argument_missing,
                "spawn(): the body needs an argument that was not given: write "
                "spawn(body, argument), or let the body capture it");
  static_assert(mistake != SpawnMistake::wrong_arguments,
                "spawn(): the body cannot be called with these arguments. It gets copies of them: "
                "for a parameter T& give std::ref(argument)");
  static_assert(mistake != SpawnMistake::too_many_arguments,
                "spawn() takes up to four arguments for the body: let it capture the others");
  static_assert(mistake != SpawnMistake::cannot_be_copied,
                "spawn(): the body or an argument cannot be copied: give it with std::move()");
  static_assert(mistake != SpawnMistake::cannot_be_moved,
                "spawn(): the body or an argument can be neither copied nor moved: keep it "
                "elsewhere and capture a reference to it");
}

}  // namespace weft::detail
