#pragma once

#include "weft/detail/abi.hpp"

#include "weft/await.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft {

/// An event that notifies when `descriptor` can be read, written, or is disconnected:
/// `await(poll(fd, Poll::readable | Poll::writable))`. Throws ValueError for an empty mask.
[[nodiscard]] inline Poll poll(int descriptor, unsigned wanted) { return Poll{descriptor, wanted}; }

/// Suspends until something in the mask of `poll` is ready, and returns what: a bitwise or of
/// masks. Throws std::system_error, also when the descriptor is closed meanwhile through weft.
inline unsigned await(Poll& poll, Place place = Place::here()) {
  await(static_cast<Event&>(poll), place);
  return poll.triggered();
}
inline unsigned await(Poll&& poll, Place place = Place::here()) { return await(poll, place); }
/// The same; throws, when `token` fires first, TimedOut for a timeout, otherwise
/// OperationCancelled.
inline unsigned await(Poll& poll, Token token, Place place = Place::here()) {
  await(static_cast<Event&>(poll), token, place);
  return poll.triggered();
}
inline unsigned await(Poll&& poll, Token token, Place place = Place::here()) {
  return await(poll, token, place);
}

}  // namespace weft
