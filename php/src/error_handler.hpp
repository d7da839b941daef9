#pragma once

#include "engine.hpp"

// While a user's error handler runs, the engine has it unset, so that an error in it does not call
// it again. If the handler is suspended, the errors of other coroutines must reach it all the same.
namespace weft_php {

/// The handler in force, or the one that runs; no reference is held. Undefined if there is none.
inline zval known_error_handler;

/// Follows set_error_handler() and restore_error_handler(). After all extensions were loaded.
void watch_error_handler();
/// Call it when a request begins: there is no handler yet.
void forget_error_handler() noexcept;

/// Whether the code that runs now is called by the error handler, or is the handler itself.
[[nodiscard]] inline bool is_in_error_handler() noexcept {
  return !Z_ISUNDEF(known_error_handler) && Z_ISUNDEF(EG(user_error_handler));
}
/// Call it when the coroutine that runs the handler is suspended: sets the handler again for the
/// other coroutines. Returns the handler, without a reference.
zval put_error_handler_back() noexcept;
/// Call it when that coroutine resumes: unsets `running` again, unless another handler was set.
void unset_error_handler(const zval& running) noexcept;

}  // namespace weft_php
