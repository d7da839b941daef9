#pragma once

#include <concepts>
#include <exception>
#include <utility>

#include "weft/error.hpp"

namespace weft {

/// Runs `wait`, which suspends with a token. Where that throws OperationCancelled because of a
/// timeout, this throws TimedOut itself, as pools and operations on the outside
/// world do.
template <std::invocable F>
void with_timeouts_thrown(F&& wait) {
  try {
    std::forward<F>(wait)();
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
