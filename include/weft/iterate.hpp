#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/gather_range.hpp"
#include "weft/detail/iteration.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/place.hpp"
#include "weft/with_scope.hpp"

namespace weft {

/// How iterate() runs its bodies.
struct IterateOptions {
  /// At most this many elements are processed at the same time; 0 for no limit.
  std::size_t concurrency = 32;
  /// Whether coroutines that `body` spawned are awaited when all elements are done, or cancelled.
  bool await_children = false;
};

namespace detail {

/// An element as the body receives it: in place in a container, a copy from any other source.
template <class Range>
using IterateReference = decltype(*std::begin(std::declval<Range&>()));
template <class Range>
inline constexpr bool iterates_in_place =
    is_container<Range>&& std::is_lvalue_reference_v<IterateReference<Range>>;
template <class Range>
using IterateElement =
    std::conditional_t<iterates_in_place<Range>, std::remove_reference_t<IterateReference<Range>>,
                       std::remove_cvref_t<IterateReference<Range>>>;

/// Iterates over one range and calls one handler.
template <class Range, class F>
class TypedIteration final : public Iteration {
 public:
  TypedIteration(Range& range, F& body, std::size_t limit)
      : Iteration{limit}, range_{range}, body_{body} {}
  ~TypedIteration() override = default;

 private:
  using Iterator = decltype(std::begin(std::declval<Range&>()));
  using Sentinel = decltype(std::end(std::declval<Range&>()));
  // An element of a container stays valid; that of another source only until it advances.
  static constexpr bool stays = iterates_in_place<Range>;
  using Taken = std::conditional_t<stays, IterateElement<Range>*, IterateElement<Range>>;

  bool step() override {
    std::size_t key = 0;
    std::optional<Taken> taken;
    {
      const Moving moving{*this};
      if (!move_on()) return false;
      key = next_key_++;
      if constexpr (stays) {
        taken.emplace(std::addressof(**position_));
      } else {
        taken.emplace(**position_);
      }
    }
    watch_for_parking();
    if constexpr (stays) {
      return call(**taken, key);
    } else {
      return call(*taken, key);
    }
  }

  bool move_on() {
    if (position_) {
      ++*position_;
    } else {
      position_.emplace(std::begin(range_));
      end_.emplace(std::end(range_));
    }
    return *position_ != *end_;
  }

  template <class Element>
  bool call(Element& element, std::size_t key) {
    if constexpr (std::is_invocable_v<F&, Element&, std::size_t>) {
      return is_to_go_on([&]() -> decltype(auto) { return std::invoke(body_, element, key); });
    } else {
      return is_to_go_on([&]() -> decltype(auto) { return std::invoke(body_, element); });
    }
  }
  /// A handler that returns false ends the iteration.
  template <class G>
  static bool is_to_go_on(G&& handler) {
    if constexpr (std::is_same_v<std::invoke_result_t<G>, bool>) {
      return handler();
    } else {
      static_cast<void>(handler());
      return true;
    }
  }

  Range& range_;
  F& body_;
  std::optional<Iterator> position_;
  std::optional<Sentinel> end_;
  std::size_t next_key_ = 0;
};

/// What iterate() calls for each element: takes the element, or the element and its position.
template <class F, class Range>
concept IterateBody = requires(std::remove_reference_t<Range>& range) {
  requires std::invocable < F&, IterateElement<std::remove_reference_t<Range>>
  & > || std::invocable<F&, IterateElement<std::remove_reference_t<Range>>&, std::size_t>;
};

}  // namespace detail

/// Suspends until `body` has been called for every element of `range`. While a call is parked,
/// another coroutine goes on with the next element. Elements are taken in order; `body` takes the
/// element, or the element and its position, and may return false to end the iteration. Advancing
/// `range` may suspend; only one coroutine does it at a time.
///
/// The first error of `body` or of `range` cancels the remaining calls and is thrown here.
/// Coroutines that `body` spawns belong to this call, see IterateOptions.
template <class Range, detail::IterateBody<Range> F>
void iterate(Range&& range, IterateOptions options, F&& body, Place place = Place::here()) {
  detail::TypedIteration<std::remove_reference_t<Range>, std::remove_reference_t<F>> iteration{
      range, body, options.concurrency};
  with_scope(
      [&](Scope& scope) {
        iteration.run(scope, place);
        if (!options.await_children) iteration.cancel_children();
      },
      place);
}
template <class Range, detail::IterateBody<Range> F>
void iterate(Range&& range, F&& body, Place place = Place::here()) {
  iterate(std::forward<Range>(range), IterateOptions{}, std::forward<F>(body), place);
}

template <class Range, class F>
requires(!detail::IterateBody<F, Range>) void iterate(Range&& /*range*/, IterateOptions /*options*/,
                                                      F&& /*body*/, Place /*place*/ = {}) {
  static_assert(detail::always_false<F>,
                "iterate() calls its body with an element of the range, or with the "
                "element and its position: this body takes something else");
}
template <class Range, class F>
requires(!detail::IterateBody<F, Range> &&
         !std::convertible_to<F, IterateOptions>) void iterate(Range&& /*range*/, F&& /*body*/,
                                                               Place /*place*/ = {}) {
  static_assert(detail::always_false<F>,
                "iterate() calls its body with an element of the range, or with the "
                "element and its position: this body takes something else");
}

}  // namespace weft
