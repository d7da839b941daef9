#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/detail/gather_range.hpp"
#include "weft/scope.hpp"

// Combinators with their members given one by one: handles and functions of any types, and perhaps
// a token behind them.
namespace weft::detail {

/// A member of a combinator: a handle, or a function to be spawned.
template <class M>
concept AwaitMember = AwaitHandle<M> || std::invocable<std::decay_t<M>>;

/// Returns a handle as it is; spawns a function in `scope`.
template <class M>
auto as_handle(Scope& scope, M&& member, Place place) {
  if constexpr (AwaitHandle<M>) {
    return std::remove_cvref_t<M>{std::forward<M>(member)};
  } else {
    return scope.spawn(std::forward<M>(member), place);
  }
}
template <class M>
using HandleOf =
    decltype(as_handle(std::declval<Scope&>(), std::declval<M>(), std::declval<Place>()));
template <class M>
using ValueOf = typename HandleOf<M>::value_type;

/// How many of M... are members; 0 unless they are members with at most a token behind them.
template <class... M>
constexpr std::size_t count_members() {
  constexpr std::size_t given = sizeof...(M);
  constexpr bool member[] = {AwaitMember<M>..., false};
  constexpr bool token[] = {std::convertible_to<M, Token>..., false};
  std::size_t count = 0;
  while (member[count]) ++count;
  return count == given || (count + 1 == given && token[count]) ? count : 0;
}
template <class... M>
inline constexpr bool is_await_pack = count_members<M...>() >= 2;

/// Whether a combinator can be called with these types.
template <class... M>
constexpr bool is_await_call() {
  using All = std::tuple<M...>;
  if constexpr (sizeof...(M) == 0) {
    return false;
  } else if constexpr (AwaitRange<std::tuple_element_t<0, All>> ||
                       std::is_same_v<
                           std::remove_cvref_t<std::tuple_element_t<sizeof...(M) - 1, All>>,
                           Place>) {
    return true;  // a call with a Place that still does not match gets the compiler's own error
  } else {
    return is_await_pack<M...>;
  }
}
/// A call of a combinator that matches no other overload.
template <class... M>
concept MistakenAwait = !is_await_call<M...>();

/// The spawned functions of a call: they end with it, so that they may refer to the caller's frame.
class CalledFunctions {
 public:
  CalledFunctions() : scope_{Scope::inherit()} {}
  /// Suspends until all have ended; cancels those that still run, and what they have spawned. This
  /// wait cannot be cancelled.
  ~CalledFunctions();
  CalledFunctions(const CalledFunctions&) = delete;
  CalledFunctions& operator=(const CalledFunctions&) = delete;
  [[nodiscard]] Scope& scope() const noexcept { return *scope_; }

 private:
  Ref<Scope> scope_;
};

/// The common type of the values of several members; NoCommonValue if there is none.
struct NoCommonValue {};
template <class... T>
constexpr auto common_value() {
  if constexpr ((std::is_void_v<T> && ...)) {
    return std::type_identity<void>{};
  } else if constexpr (requires { typename std::common_type_t<T...>; }) {
    return std::type_identity<std::common_type_t<T...>>{};
  } else {
    return std::type_identity<NoCommonValue>{};
  }
}

/// Members given one by one, and the wait for them.
template <class... H>
class GatheredPack {
 public:
  using Common = typename decltype(common_value<typename H::value_type...>())::type;

  /// Suspends until `goal` is reached.
  template <class... M>
  GatheredPack(const CalledFunctions& functions, GatherGoal goal, Token token, M&&... given)
      : handles_{as_handle(functions.scope(), std::forward<M>(given), Place{})...},
        gathering_{goal} {
    std::apply([&](const H&... handle) { (gathering_.add(handle, owner_of<M>), ...); }, handles_);
    gathering_.close_entry();
    gathering_.wait(token, Place{});
  }
  [[nodiscard]] const Gathering& gathering() const noexcept { return gathering_; }

  [[nodiscard]] std::tuple<Result<typename H::value_type>...> results() const {
    return std::apply([](const H&... handle) { return std::tuple{result_of(handle)...}; },
                      handles_);
  }
  /// Returns the value of `member`, which has ended, or throws its error.
  [[nodiscard]] AsElement<Common> value(std::size_t member) const {
    static_assert(!std::is_same_v<Common, NoCommonValue>,
                  "the values of these members have no type in common");
    std::optional<AsElement<Common>> found;
    visit(member, [&](const auto& handle) { found.emplace(element_of(handle)); });
    return std::move(*found);
  }
  /// A value as the combinator returns it: nothing for void.
  static Common give([[maybe_unused]] AsElement<Common>&& value) {
    if constexpr (!std::is_void_v<Common>) return std::move(value);
  }
  [[nodiscard]] std::exception_ptr error(std::size_t member) const {
    std::exception_ptr found;
    visit(member, [&](const auto& handle) { found = result_of(handle).error(); });
    return found;
  }

 private:
  template <class M>
  static constexpr auto owner_of =
      AwaitHandle<M> ? Gathering::Owner::caller : Gathering::Owner::wait;

  template <class F>
  void visit(std::size_t member, F call) const {
    std::apply(
        [&](const H&... handle) {
          std::size_t position = 0;
          (void)((position++ == member && (call(handle), true)) || ...);
        },
        handles_);
  }

  std::tuple<H...> handles_;
  Gathering gathering_;
};

/// Suspends until `goal` is reached among `given`, a list of members and perhaps a token; then
/// calls `use(gathered)`. Functions that have not ended by then are cancelled and waited for.
template <class Use, class... M>
auto with_gathered(GatherGoal goal, Use use, M&&... given) {
  constexpr std::size_t count = count_members<M...>();
  auto all = std::forward_as_tuple(std::forward<M>(given)...);
  Token token;
  if constexpr (count < sizeof...(M)) token = Token(std::get<count>(std::move(all)));
  const CalledFunctions functions;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using Pack = GatheredPack<HandleOf<std::tuple_element_t<I, decltype(all)>>...>;
    const Pack pack{functions, goal, token, std::get<I>(std::move(all))...};
    return use(pack);
  }
  (std::make_index_sequence<count>{});
}

}  // namespace weft::detail
