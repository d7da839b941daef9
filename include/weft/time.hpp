#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <concepts>
#include <ratio>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"

namespace weft {

/// A length of time.
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
template <std::integral Rep, class Period>
constexpr Duration saturated(std::chrono::duration<Rep, Period> duration) noexcept {
  using Unit = std::ratio_divide<Period, Duration::period>;
  static_assert(Unit::den == 1, "a nanosecond is the shortest time");
  if (std::cmp_greater(duration.count(), Duration::max().count() / Unit::num)) {
    return Duration::max();
  }
  if (std::cmp_less(duration.count(), Duration::min().count() / Unit::num)) return Duration::min();
  return Duration{static_cast<Duration::rep>(duration.count()) * Unit::num};
}

/// A duration as a parameter: anything that converts to a Duration, in any unit, saturated instead
/// of wrapped. `std::chrono::hours::max()` is the longest time, not a negative one.
class TimeSpan {
 public:
  /// No time. Durations of every unit convert by themselves.
  constexpr TimeSpan() noexcept = default;
  template <std::integral Rep, class Period>
  requires std::convertible_to<std::chrono::duration<Rep, Period>, Duration>
  // NOLINTNEXTLINE(google-explicit-constructor): lets callers pass a std::chrono duration
  constexpr TimeSpan(std::chrono::duration<Rep, Period> duration) noexcept
      : duration_{saturated(duration)} {}
  template <class Number>
  requires std::is_arithmetic_v<Number>
  // NOLINTNEXTLINE(google-explicit-constructor): exists to reject plain numbers with a message
  constexpr TimeSpan(Number /*count*/) noexcept {
    static_assert(detail::always_false<Number>,
                  "a time needs a unit: 5ms, or std::chrono::seconds{5}");
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator Duration() const noexcept { return duration_; }

 private:
  Duration duration_{};
};

}  // namespace weft
