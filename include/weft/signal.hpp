#pragma once

#include "weft/detail/abi.hpp"

#include "weft/extend/signal_event.hpp"
#include "weft/future.hpp"
#include "weft/place.hpp"
#include "weft/timeout.hpp"
#include "weft/token.hpp"

namespace weft {

/// A future of the next delivery of a signal, with its number. It listens from this call on, not
/// from the await, so that no signal is missed in between; every call listens for itself.
/// Destroying or cancelling the future stops that. Throws what SignalEvent throws.
///
/// When `token` fires first, the future fails with the token's own error: TimedOut for a timeout.
/// The token must live as long as the future is pending, unless it is reference-counted or a
/// timeout.
[[nodiscard]] Future<int> signal(int number, Token token = {}, Place place = Place::here());
/// The same with a timeout, which counts from this call on.
[[nodiscard]] Future<int> signal(int number, Timeout&& limit, Place place = Place::here());

/// The number that this system gives to the signal that has `number` on Linux, or -1 if it has no
/// such signal. For hosts whose signals have Linux's numbers everywhere.
[[nodiscard]] int signal_from_linux(int number) noexcept;

}  // namespace weft
