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
  if (start > TimePoint{} && duration >= never - start) return never;
  return start + duration;
}

/// The time from `start` to `moment`, saturated instead of wrapped; zero if `moment` has passed.
constexpr Duration time_until(TimePoint moment, TimePoint start) noexcept {
  if (moment <= start) return Duration::zero();
  if (start < TimePoint{} && moment > start + Duration::max()) return Duration::max();
  return moment - start;
}

/// `duration` as a Duration, saturated instead of wrapped.
template <class Rep, class Period>
constexpr Duration saturated(std::chrono::duration<Rep, Period> duration) noexcept {
  using Given = std::chrono::duration<Rep, Period>;
  if (duration >= std::chrono::duration_cast<Given>(Duration::max())) return Duration::max();
  if (duration <= std::chrono::duration_cast<Given>(Duration::min())) return Duration::min();
  return std::chrono::duration_cast<Duration>(duration);
}

}  // namespace weft
