#pragma once

#include <exception>

#include "weft/await.hpp"
#include "weft/error.hpp"

namespace weft {

/// Suspends until `event` of the outside world happens. Like await(), but a timeout that comes
/// first throws TimedOut itself.
inline void await_outside(Event& event, Token token, Place place) {
  try {
    await(event, token, place);
  } catch (const OperationCancelled& cancelled) {
    try {
      if (cancelled.previous() != nullptr) std::rethrow_exception(cancelled.previous());
    } catch (const TimedOut&) {
      throw TimedOut{"Operation has been cancelled by timeout", cancelled.previous()};
    } catch (...) {  // another token: its error is the previous of ours
    }
    throw;
  }
}

}  // namespace weft
