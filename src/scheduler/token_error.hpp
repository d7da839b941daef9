#pragma once

#include <exception>

namespace weft {

/// Throws the error of a wait that its token has ended: TimedOut if `error`, which the token ended
/// with, is a TimedOut, else OperationCancelled. Its previous() is `error`, if any.
[[noreturn, gnu::cold]] void throw_token_error(std::exception_ptr error);

}  // namespace weft
