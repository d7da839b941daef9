#pragma once

#include "engine.hpp"

// While a user's error handler runs, the engine has it unset, so that an error in it does not call
// it again. If the handler is suspended, the errors of other coroutines must reach it all the same.
namespace weft_php {

/// The handler in force, or the one that runs; no reference is held. Undefined if there is none.
inline zval known_error_handler;

/// Follows set_error_handler() and restore_error_handler(). After all extensions were loaded.
void watch_error_handler();
/// A request begins without a handler.
void forget_error_handler() noexcept;

/// Whether the code that runs now is called by the error handler, or is the handler itself.
[[nodiscard]] inline bool is_in_error_handler() noexcept {
  return !Z_ISUNDEF(known_error_handler) && Z_ISUNDEF(EG(user_error_handler));
}
/// The coroutine that runs the handler is suspended: it is in force for the others. Returns it,
/// without a reference.
zval put_error_handler_back() noexcept;
/// That coroutine goes on: `running` is unset again, unless another one was set meanwhile.
void unset_error_handler(const zval& running) noexcept;

}  // namespace weft_php
