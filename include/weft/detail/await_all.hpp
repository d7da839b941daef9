#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "weft/detail/await_pack.hpp"
#include "weft/detail/gather_range.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/with_scope.hpp"

namespace weft::detail {

/// Suspends until `handle`... have a value; returns the tuple of their values or throws the first
/// error.
template <AwaitHandle... H>
auto await_handles(Token token, Place place, const H&... handle) {
  Gathering gathering{{.fail_fast = true}};
  (gathering.add(handle), ...);
  gathering.close_entry();
  gathering.wait(token, place);
  std::size_t position = 0;
  const std::size_t failed = gathering.first_failure();
  (void)((position++ == failed && (static_cast<void>(await(handle)), true)) || ...);
  return std::tuple<AsElement<typename H::value_type>...>{element_of(handle)...};
}

/// The same for handles and functions, which are spawned in a scope of this call.
template <AwaitMember... M>
auto await_members(Token token, Place place, M&&... given) {
  if constexpr ((AwaitHandle<M> && ...)) {
    return await_handles(token, place, given...);
  } else {
    return with_scope(
        [&](Scope& scope) {
          const auto handles =
              std::tuple<decltype(as_handle(scope, std::forward<M>(given), place))...>{
                  as_handle(scope, std::forward<M>(given), place)...};
          return std::apply(
              [&](const auto&... handle) { return await_handles(token, place, handle...); },
              handles);
        },
        place);
  }
}

/// The same for members with perhaps a token behind them.
template <class... M>
auto await_pack(M&&... given) {
  constexpr std::size_t count = count_members<M...>();
  auto members = std::forward_as_tuple(std::forward<M>(given)...);
  Token token;
  if constexpr (count < sizeof...(M)) token = Token(std::get<count>(std::move(members)));
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return await_members(token, Place{}, std::get<I>(std::move(members))...);
  }
  (std::make_index_sequence<count>{});
}

}  // namespace weft::detail
