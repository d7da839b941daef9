#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/detail/await_pack.hpp"
#include "weft/detail/gather_range.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/with_scope.hpp"

namespace weft::detail {

/// The functions await_all().
class AwaitAll {
 public:
  template <AwaitRange Range>
  auto operator()(Range&& range, Token token = {}, Place place = Place::here()) const {
    using H = RangeElement<Range>;
    using T = typename H::value_type;
    GatheredRange<H> members{range, {.fail_fast = true}, token, place};
    members.throw_first_failure();
    if constexpr (!std::is_void_v<T>) {
      std::vector<Element<T>> values;
      values.reserve(members.size());
      for (const H& handle : members.handles()) values.push_back(element_of(handle));
      return values;
    }
  }

  template <AwaitMember A, AwaitMember B>
  auto operator()(A&& a, B&& b, Place place = Place::here()) const {
    return all({}, place, std::forward<A>(a), std::forward<B>(b));
  }
  template <AwaitMember A, AwaitMember B>
  auto operator()(A&& a, B&& b, Token token, Place place = Place::here()) const {
    return all(token, place, std::forward<A>(a), std::forward<B>(b));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C>
  auto operator()(A&& a, B&& b, C&& c, Place place = Place::here()) const {
    return all({}, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C>
  auto operator()(A&& a, B&& b, C&& c, Token token, Place place = Place::here()) const {
    return all(token, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C, AwaitMember D>
  auto operator()(A&& a, B&& b, C&& c, D&& d, Place place = Place::here()) const {
    return all({}, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
               std::forward<D>(d));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C, AwaitMember D>
  auto operator()(A&& a, B&& b, C&& c, D&& d, Token token, Place place = Place::here()) const {
    return all(token, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
               std::forward<D>(d));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C, AwaitMember D, AwaitMember E>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, Place place = Place::here()) const {
    return all({}, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
               std::forward<D>(d), std::forward<E>(e));
  }
  template <AwaitMember A, AwaitMember B, AwaitMember C, AwaitMember D, AwaitMember E>
  auto operator()(A&& a, B&& b, C&& c, D&& d, E&& e, Token token,
                  Place place = Place::here()) const {
    return all(token, place, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
               std::forward<D>(d), std::forward<E>(e));
  }

  template <class... M>
  requires MistakenAwait<M...>
  auto operator()(M&&... /*given*/) const {
    static_assert(always_false<M...>,
                  "await_all() takes a range of coroutines or futures, or two and more coroutines, "
                  "futures and functions without parameters, and then perhaps a token");
    return AnyResult{};
  }
  template <class... M, std::enable_if_t<(count_members<M...>() > 5), int> = 0>
  auto operator()(M&&... given) const {
    constexpr std::size_t count = count_members<M...>();
    auto members = std::forward_as_tuple(std::forward<M>(given)...);
    Token token;
    if constexpr (count < sizeof...(M)) token = Token(std::get<count>(std::move(members)));
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return all(token, Place{}, std::get<I>(std::move(members))...);
    }
    (std::make_index_sequence<count>{});
  }

 private:
  template <class... M>
  static auto all(Token token, Place place, M&&... given) {
    if constexpr ((AwaitHandle<M> && ...)) {
      return gather(token, place, given...);
    } else {
      return with_scope(
          [&](Scope& scope) {
            const auto handles =
                std::tuple<decltype(as_handle(scope, std::forward<M>(given), place))...>{
                    as_handle(scope, std::forward<M>(given), place)...};
            return std::apply(
                [&](const auto&... handle) { return gather(token, place, handle...); }, handles);
          },
          place);
    }
  }
  template <class... H>
  static auto gather(Token token, Place place, const H&... handle) {
    Gathering gathering{{.fail_fast = true}};
    (gathering.add(handle), ...);
    gathering.close_entry();
    gathering.wait(token, place);
    std::size_t position = 0;
    const std::size_t failed = gathering.first_failure();
    (void)((position++ == failed && (static_cast<void>(await(handle)), true)) || ...);
    return std::tuple<Element<typename H::value_type>...>{element_of(handle)...};
  }
};

}  // namespace weft::detail
