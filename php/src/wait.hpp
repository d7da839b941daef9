#pragma once

#include <exception>

#include "engine.hpp"

namespace weft_php {

/// Suspends until `awaitable` has an outcome, and gives that; throws in PHP. `token`, if any, ends
/// the wait with an OperationCanceledException.
void await_object(zend_object* awaitable, zend_object* token, zval* result);
/// Suspends until `event` has an outcome, which the caller reads; an error in it is not thrown.
/// False if an exception of PHP is in flight now.
[[nodiscard]] bool wait_for(weft::Event& event, weft::Event* token = nullptr);
/// In the runtime: suspends until `event` has an outcome. Throws a cancellation of the caller, and
/// OperationCancelled if `token` fires first, but no error of the event itself.
void throw_unless_ended(weft::Event& event, weft::Event* token, weft::Place place);
/// Takes the pending cancellation of the current coroutine, as the error to throw.
[[nodiscard]] std::exception_ptr own_cancellation();
/// Suspends to let the others run. False if an exception of PHP is in flight now.
[[nodiscard]] bool yield();

}  // namespace weft_php
