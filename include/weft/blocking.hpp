#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "weft/detail/blocking_job.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/place.hpp"

namespace weft {

/// Suspends while `function` runs on a worker thread; returns its value or throws its exception.
/// For calls that block the thread or compute for long: the other coroutines run meanwhile. All
/// runtimes of the process share four workers; further calls are queued.
///
/// `function` may refer to locals of the caller: a call that has started cannot be stopped, so a
/// cancelled caller waits until it ends, drops its result, and then throws Cancelled. A call that
/// has not started never runs. A worker has no runtime: `function` must not suspend.
template <std::invocable F>
std::invoke_result_t<std::decay_t<F>&> blocking(F&& function, Place place = Place::here()) {
  using Stored = std::decay_t<F>;
  using R = std::invoke_result_t<Stored&>;
  const auto job = std::make_shared<detail::TypedBlockingJob<Stored, R>>(std::forward<F>(function));
  detail::run_blocking(job, place);
  return job->take();
}

template <class F>
requires(!std::invocable<F>) auto blocking(F&& /*function*/, Place /*place*/ = {}) {
  static_assert(detail::always_false<F>,
                "blocking() calls its function without arguments: let the function "
                "capture what it needs");
  return detail::AnyResult{};
}

}  // namespace weft
