#pragma once

#include "weft/detail/abi.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "weft/detail/await_all.hpp"
#include "weft/detail/await_pack.hpp"
#include "weft/detail/gather_range.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/result.hpp"
#include "weft/with_scope.hpp"

// Waiting for several coroutines or futures. All of these share some rules:
//
// - A range is a container of handles, or a source whose iteration may suspend; such a source is
//   read in a coroutine of its own, and an error it throws ends the wait at once.
// - Members that have ended already count. When the condition is met the call returns; the others
//   keep running, and their errors count as handled.
// - Members may also be given one by one, handles or functions of any types, with a token behind
//   them or without. Functions are spawned, so they run concurrently, and belong to the call: those
//   that still run when it ends are cancelled and waited for, so that they may refer to the
//   caller's frame. Handles keep running as always.
// - All throw, when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled, even
//   if it fired before the call and all members have ended. An empty range returns before the token
//   is checked.
namespace weft {

/// The functions of await_all(), which is an object because it has two names, and because reports
/// name the line of a call: a place cannot follow any number of members.
class AwaitAll {
 public:
  /// await_all(range): suspends until all members have a value. Returns a vector of the values,
  /// each AsElement, in the order of the range, or nothing for void; or throws the first error.
  template <detail::AwaitRange Range>
  auto operator()(Range&& range, Token token = {}, Place place = Place::here()) const {
    using H = detail::RangeElement<Range>;
    using T = typename H::value_type;
    detail::GatheredRange<H> members{range, {.fail_fast = true}, token, place};
    members.throw_first_failure();
    if constexpr (!std::is_void_v<T>) {
      std::vector<AsElement<T>> values;
      values.reserve(members.size());
      for (const H& handle : members.handles()) values.push_back(detail::element_of(handle));
      return values;
    }
  }

  /// await_all(a, b, ...): suspends until all members, handles or functions of any types, have a
  /// value. Returns a tuple of the values, each AsElement, or throws the first error.
  template <detail::AwaitMember A, detail::AwaitMember B>
  auto operator()(A&& a, B&& b, Place place = Place::here()) const {
    return detail::await_members({}, place, std::forward<A>(a), std::forward<B>(b));
  }
  /// The same; a token that fires first ends the wait.
  template <detail::AwaitMember A, detail::AwaitMember B>
  auto operator()(A&& a, B&& b, Token token, Place place = Place::here()) const {
    return detail::await_members(token, place, std::forward<A>(a), std::forward<B>(b));
  }
  /// The same for three members.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C>
  auto operator()(A&& a, B&& b, C&& c, Place place = Place::here()) const {
    return detail::await_members({}, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c));
  }
  /// The same with a token.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C>
  auto operator()(A&& a, B&& b, C&& c, Token token, Place place = Place::here()) const {
    return detail::await_members(token, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c));
  }
  /// The same for four members.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C,
            detail::AwaitMember D>
  auto operator()(A&& a, B&& b, C&& c, D&& d, Place place = Place::here()) const {
    return detail::await_members({}, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c), std::forward<D>(d));
  }
  /// The same with a token.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C,
            detail::AwaitMember D>
  auto operator()(A&& a, B&& b, C&& c, D&& d, Token token, Place place = Place::here()) const {
    return detail::await_members(token, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c), std::forward<D>(d));
  }
  /// The same for five members.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C,
            detail::AwaitMember D, detail::AwaitMember E>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, Place place = Place::here()) const {
    return detail::await_members({}, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c), std::forward<D>(d), std::forward<E>(e));
  }
  /// The same with a token.
  template <detail::AwaitMember A, detail::AwaitMember B, detail::AwaitMember C,
            detail::AwaitMember D, detail::AwaitMember E>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, Token token,
                  Place place = Place::here()) const {
    return detail::await_members(token, place, std::forward<A>(a), std::forward<B>(b),
                                 std::forward<C>(c), std::forward<D>(d), std::forward<E>(e));
  }
  /// The same for six members or more, with a token behind them or without; reports do not name the
  /// line of the call.
  template <class... M, std::enable_if_t<(detail::count_members<M...>() > 5), int> = 0>
  auto operator()(M&&... given) const {
    return detail::await_pack(std::forward<M>(given)...);
  }

  template <class... M>
  requires detail::MistakenAwait<M...>
  auto operator()(M&&... /*given*/) const {
    static_assert(detail::always_false<M...>,
                  "await_all() takes a range of coroutines or futures, or two and more coroutines, "
                  "futures and functions without parameters, and then perhaps a token");
    return detail::AnyResult{};
  }
};

/// Suspends until all members of a range, or all that are given one by one, have a value; returns
/// these values, or throws the first error. The functions are those of AwaitAll.
inline constexpr AwaitAll await_all{};
/// An alias of await_all.
inline constexpr const AwaitAll& await_all_or_fail = await_all;

/// Suspends until all members have ended; returns their results in the order of the range. Does not
/// throw errors of members.
template <detail::AwaitRange Range>
auto await_settled(Range&& range, Token token = {}, Place place = Place::here()) {
  using H = detail::RangeElement<Range>;
  detail::GatheredRange<H> members{range, {.operation = "await_settled()"}, token, place};
  std::vector<Result<typename H::value_type>> all;
  all.reserve(members.size());
  for (const H& handle : members.handles()) all.push_back(detail::result_of(handle));
  return all;
}

/// await_settled(a, b, ...): the same; returns a tuple.
template <class... M, std::enable_if_t<detail::is_await_pack<M...>, int> = 0>
auto await_settled(M&&... given) {
  return detail::with_gathered(
      {.operation = "await_settled()"}, [](const auto& pack) { return pack.results(); },
      std::forward<M>(given)...);
}

template <class... M>
requires detail::MistakenAwait<M...>
auto await_settled(M&&... /*given*/) {
  static_assert(
      detail::always_false<M...>,
      "await_settled() takes a range of coroutines or futures, or two and more coroutines, "
      "futures and functions without parameters, and then perhaps a token");
  return detail::AnyResult{};
}

/// Suspends until the first member has ended; returns its value or throws its error. Throws
/// ValueError for an empty range.
template <detail::AwaitRange Range>
decltype(auto) await_any(Range&& range, Token token = {}, Place place = Place::here()) {
  using H = detail::RangeElement<Range>;
  detail::GatheredRange<H> members{range, {.operation = "await_any()", .settled = 1}, token, place};
  if (members.size() == 0) throw ValueError{"await_any() was given nothing to wait for"};
  return await(members[members.gathering().first_settled()]);
}

/// await_any(a, b, ...): the same; members of different types are converted to their
/// std::common_type.
template <class... M, std::enable_if_t<detail::is_await_pack<M...>, int> = 0>
auto await_any(M&&... given) {
  return detail::with_gathered(
      {.operation = "await_any()", .settled = 1},
      [](const auto& pack) { return pack.give(pack.value(pack.gathering().first_settled())); },
      std::forward<M>(given)...);
}

template <class... M>
requires detail::MistakenAwait<M...>
auto await_any(M&&... /*given*/) {
  static_assert(detail::always_false<M...>,
                "await_any() takes a range of coroutines or futures, or two and more coroutines, "
                "futures and functions without parameters, and then perhaps a token");
  return detail::AnyResult{};
}

/// The order in which await_any_of() returns values: that of the range or of completion.
enum class Order : std::uint8_t { range, completion };

/// Suspends until `count` members have a value, or all if there are fewer, and returns these
/// values, in the order of the range or of completion. Throws the first error before that.
template <detail::AwaitRange Range>
auto await_any_of(std::size_t count, Range&& range, Token token = {}, Order order = Order::range,
                  Place place = Place::here()) {
  using H = detail::RangeElement<Range>;
  std::vector<AsElement<typename H::value_type>> values;
  if (count == 0) return values;
  detail::GatheredRange<H> members{
      range, {.operation = "await_any_of()", .successes = count, .fail_fast = true}, token, place};
  members.throw_first_failure();
  values.reserve(members.size());
  if (order == Order::completion) {
    members.gathering().for_each_settled(
        [&](std::size_t member, bool) { values.push_back(detail::element_of(members[member])); });
  } else {
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members.gathering().is_counted(i)) values.push_back(detail::element_of(members[i]));
    }
  }
  return values;
}

/// Suspends until `count` members have a value, or all have ended. Returns the result of each
/// member in the order of the range; nothing for members that have not ended.
template <detail::AwaitRange Range>
auto await_any_of_settled(std::size_t count, Range&& range, Token token = {},
                          Place place = Place::here()) {
  using H = detail::RangeElement<Range>;
  std::vector<std::optional<Result<typename H::value_type>>> all;
  detail::GatheredRange<H> members{
      range, {.operation = "await_any_of_settled()", .successes = count}, token, place};
  all.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members.gathering().is_counted(i)) all[i].emplace(detail::result_of(members[i]));
  }
  return all;
}

/// The first value, and the errors that came before it, each with the position of its member in the
/// range.
template <class T>
struct FirstSuccess {
  using value_type = T;
  /// The value; nothing if all members failed.
  std::optional<AsElement<T>> value = {};
  /// The errors, each with the position of its member.
  std::vector<std::pair<std::size_t, std::exception_ptr>> errors = {};
};

/// Throws a CompositeError of the errors in `failed`.
[[noreturn]] inline void throw_all_errors(
    std::vector<std::pair<std::size_t, std::exception_ptr>> failed) {
  std::vector<std::exception_ptr> errors;
  for (auto& [member, error] : failed) errors.push_back(std::move(error));
  throw CompositeError{std::move(errors)};
}

/// Suspends until one member has a value; if all fail, FirstSuccess::value is empty. Does not throw
/// errors of members.
template <detail::AwaitRange Range>
auto await_first_success_with_errors(Range&& range, Token token = {}, Place place = Place::here()) {
  using H = detail::RangeElement<Range>;
  detail::GatheredRange<H> members{
      range, {.operation = "await_first_success()", .successes = 1}, token, place};
  FirstSuccess<typename H::value_type> first;
  members.gathering().for_each_settled([&](std::size_t member, bool failed) {
    if (!failed) {
      first.value.emplace(detail::element_of(members[member]));
    } else {
      first.errors.emplace_back(member, detail::result_of(members[member]).error());
    }
  });
  return first;
}

/// Suspends until one member has a value and returns it. Throws CompositeError if all fail.
template <detail::AwaitRange Range>
decltype(auto) await_first_success(Range&& range, Token token = {}, Place place = Place::here()) {
  using T = typename detail::RangeElement<Range>::value_type;
  auto first = await_first_success_with_errors(range, token, place);
  if (!first.value) throw_all_errors(std::move(first.errors));
  if constexpr (!std::is_void_v<T>) return static_cast<T>(std::move(*first.value));
}

/// await_first_success_with_errors(a, b, ...): the same; members of different types are converted
/// to their std::common_type.
template <class... M, std::enable_if_t<detail::is_await_pack<M...>, int> = 0>
auto await_first_success_with_errors(M&&... given) {
  const auto results_of = [](const auto& pack) {
    FirstSuccess<typename std::remove_cvref_t<decltype(pack)>::Common> first;
    pack.gathering().for_each_settled([&](std::size_t member, bool failed) {
      if (!failed) {
        first.value.emplace(pack.value(member));
      } else {
        first.errors.emplace_back(member, pack.error(member));
      }
    });
    return first;
  };
  return detail::with_gathered({.operation = "await_first_success()", .successes = 1}, results_of,
                               std::forward<M>(given)...);
}

/// await_first_success(a, b, ...): the same.
template <class... M, std::enable_if_t<detail::is_await_pack<M...>, int> = 0>
auto await_first_success(M&&... given) {
  auto first = await_first_success_with_errors(std::forward<M>(given)...);
  if (!first.value) throw_all_errors(std::move(first.errors));
  if constexpr (!std::is_void_v<typename decltype(first)::value_type>) {
    return std::move(*first.value);
  }
}

template <class... M>
requires detail::MistakenAwait<M...>
auto await_first_success(M&&... /*given*/) {
  static_assert(
      detail::always_false<M...>,
      "await_first_success() takes a range of coroutines or futures, or two and more coroutines, "
      "futures and functions without parameters, and then perhaps a token");
  return detail::AnyResult{};
}

}  // namespace weft
