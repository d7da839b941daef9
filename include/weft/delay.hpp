#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <concepts>

#include "weft/detail/mistake.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"

namespace weft {

/// Suspends for `duration`, counted from now. Throws Cancelled.
void delay(TimeSpan duration, Place place = Place::here());
/// Rejects floating-point durations: a time is a whole number of nanoseconds, 0.5s is 500ms.
template <std::floating_point Rep, class Period>
void delay(std::chrono::duration<Rep, Period> /*duration*/, Place /*place*/ = {}) {
  static_assert(detail::always_false<Rep>,
                "delay() counts in whole units: write 500ms for 0.5s, or use "
                "std::chrono::duration_cast");
}
/// Suspends until `moment` on the runtime's clock. Throws Cancelled.
void delay_until(TimePoint moment, Place place = Place::here());

/// The time on the runtime's clock: steady, virtual under weft::testing; outside a runtime the
/// steady clock of the system.
[[nodiscard]] TimePoint now() noexcept;

}  // namespace weft
