#pragma once

#include "wait/timeouts_thrown.hpp"
#include "weft/await.hpp"

namespace weft {

/// Suspends until `event` of the outside world happens. Like await(), but a timeout that comes
/// first throws TimedOut itself.
inline void await_outside(Event& event, Token token, Place place) {
  with_timeouts_thrown([&] { await(event, token, place); });
}

}  // namespace weft
