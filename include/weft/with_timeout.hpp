#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/detail/timed_section.hpp"
#include "weft/error.hpp"
#include "weft/time.hpp"

namespace weft {

/// Runs `body` in this coroutine and returns its result. When `duration` has passed, the current or
/// next suspension inside throws Cancelled, and with_timeout() throws TimedOut. Deadlines nest; the
/// nearest counts. A body that ends in time, or never suspends, keeps its result. A protect()
/// inside `body` defers the timeout; one around this call does not.
template <std::invocable F>
std::invoke_result_t<F> with_timeout(TimeSpan duration, F&& body) {
  const detail::TimedSection section{duration};
  try {
    return std::forward<F>(body)();
  } catch (const Cancelled& cancelled) {
    section.pass_on(cancelled);
  }
}
template <class F>
requires(!std::invocable<F>) auto with_timeout(TimeSpan /*duration*/, F&& /*body*/) {
  static_assert(detail::always_false<F>,
                "with_timeout() calls its body without arguments: let the body "
                "capture what it needs");
  return detail::AnyResult{};
}

}  // namespace weft
