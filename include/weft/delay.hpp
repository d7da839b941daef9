#pragma once

#include "weft/place.hpp"
#include "weft/time.hpp"

namespace weft {

/// Suspends for `duration`, counted from now. Throws Cancelled.
void delay(TimeSpan duration, Place place = Place::here());
/// Suspends until `moment` on the runtime's clock. Throws Cancelled.
void delay_until(TimePoint moment, Place place = Place::here());

/// The runtime's clock: steady, and virtual under weft::testing. Outside a runtime the system's.
[[nodiscard]] TimePoint now() noexcept;

}  // namespace weft
