#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/detail/typed_iteration.hpp"
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
