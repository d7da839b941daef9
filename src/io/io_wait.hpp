#pragma once

#include "weft/error.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class IoRequest;

/// Suspends until `request` is completed. Throws its error. Where suspending is not
/// allowed, the error names `operation`.
void await_request(const char* operation, IoRequest& request, Token token, Place place);
/// Suspends once to let other coroutines run. Also checks `token`: an operation that never has to
/// wait would not be ended by it otherwise.
void yield_io(Token token, Place place);

/// Runs `operation`, whose TimedOut then says what was not done in time: "read from TCP
/// 127.0.0.1:80: ...". `name` is called only for that. Inline, because reads and writes that need
/// not wait use it, too.
template <class Name, class F>
[[gnu::always_inline]] inline decltype(auto) naming_timeouts(Name name, F operation) {
  try {
    return operation();
  } catch (const TimedOut& late) {
    throw TimedOut{name() + ": " + late.what(), late.previous()};
  }
}

}  // namespace weft
