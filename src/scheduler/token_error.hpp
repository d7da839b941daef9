#pragma once

#include <exception>

namespace weft {

/// Throws what a wait throws that its token has ended: TimedOut if `error`, which the token ended
/// with, is a TimedOut, else OperationCancelled. `error`, if any, is its previous().
[[noreturn, gnu::cold]] void throw_token_error(std::exception_ptr error);

}  // namespace weft
