#pragma once

#include "weft/extend/event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// await() for an operation with another name: where suspending is not allowed, the error names
/// `operation`.
void await_as(const char* operation, Event& event, Token token, Place place);
/// Throws that error at once, for an operation that starts something before it waits.
void expect_to_suspend(const char* operation);

}  // namespace weft
