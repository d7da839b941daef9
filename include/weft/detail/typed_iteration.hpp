#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/gather_range.hpp"
#include "weft/detail/iteration.hpp"

namespace weft::detail {

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

}  // namespace weft::detail
