#include "error_handler.hpp"

#include "replaced_functions.hpp"

namespace weft_php {

namespace {

zif_handler set_handler = nullptr;
zif_handler restore_handler = nullptr;

void set_and_note(INTERNAL_FUNCTION_PARAMETERS) {
  set_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (EG(exception) == nullptr) ZVAL_COPY_VALUE(&known_error_handler, &EG(user_error_handler));
}

void restore_and_note(INTERNAL_FUNCTION_PARAMETERS) {
  restore_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  ZVAL_COPY_VALUE(&known_error_handler, &EG(user_error_handler));
}

}  // namespace

void watch_error_handler() {
  set_handler = replace_function("set_error_handler", set_and_note);
  restore_handler = replace_function("restore_error_handler", restore_and_note);
}

void forget_error_handler() noexcept { ZVAL_UNDEF(&known_error_handler); }

zval put_error_handler_back() noexcept {
  // The engine's own reference is on the C stack of the suspended coroutine.
  ZVAL_COPY(&EG(user_error_handler), &known_error_handler);
  return known_error_handler;
}

void unset_error_handler(const zval& running) noexcept {
  zval& now = EG(user_error_handler);
  if (Z_TYPE(now) != Z_TYPE(running) || Z_PTR(now) != Z_PTR(running)) return;
  // This is not the last reference: the engine holds one while the handler runs.
  Z_TRY_DELREF(now);
  ZVAL_UNDEF(&now);
}

}  // namespace weft_php
