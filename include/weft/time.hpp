#pragma once

#include <chrono>

namespace weft {

using Duration = std::chrono::nanoseconds;
/// A moment on the runtime's clock (`weft::now()`): steady, and virtual under `weft::testing`.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// A moment that never comes.
inline constexpr TimePoint never = TimePoint::max();

/// `start` plus `duration`, saturated instead of wrapped.
constexpr TimePoint after(TimePoint start, Duration duration) noexcept {
  if (duration <= Duration::zero()) return start;
  return duration >= never - start ? never : start + duration;
}

}  // namespace weft
