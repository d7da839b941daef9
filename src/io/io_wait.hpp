#pragma once

#include "weft/error.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class IoRequest;

/// Suspends until `request` is completed. Throws the error of the request. Where suspending is not
/// allowed, the MisuseError names `operation`.
void await_request(const char* operation, IoRequest& request, Token token, Place place);
/// Suspends once to let other coroutines run. Also checks `token`, which would not end an operation
/// that never has to wait otherwise.
void yield_io(Token token, Place place);

/// Runs `operation` and puts `name()` in front of the text of its TimedOut: "read from TCP
/// 127.0.0.1:80: ...". Inline, because reads and writes that need not wait call it, too.
template <class Name, class F>
[[gnu::always_inline]] inline decltype(auto) naming_timeouts(Name name, F operation) {
  try {
    return operation();
  } catch (const TimedOut& late) {
    throw TimedOut{name() + ": " + late.what(), late.previous()};
  }
}

}  // namespace weft
