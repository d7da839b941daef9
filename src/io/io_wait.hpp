#pragma once

#include "wait/await_as.hpp"
#include "weft/error.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class IoRequest;

/// Suspending is not allowed, deep inside an operation that had to wait. naming_refusals() replaces
/// it by the MisuseError that names the function of users.
class CannotWait final : public MisuseError {
 public:
  using MisuseError::MisuseError;
};
/// Throws CannotWait where suspending is not allowed; its text names `what`.
void expect_to_wait(const char* what);

/// Suspends until `request` is completed. Throws the error of the request. Where suspending is not
/// allowed, the MisuseError names `operation`.
void await_request(const char* operation, IoRequest& request, Token token, Place place);
/// The same inside naming_refusals(), for an operation that has begun.
void await_begun(const char* what, IoRequest& request, Token token, Place place);
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

/// Runs `operation`; where it cannot wait, the MisuseError names `call`. Inline for the same
/// reason: the name is looked at only when it is needed.
template <class F>
[[gnu::always_inline]] inline decltype(auto) naming_refusals(const char* call, F operation) {
  try {
    return operation();
  } catch (const CannotWait&) {
    expect_to_suspend(call);
    throw;
  }
}

}  // namespace weft
