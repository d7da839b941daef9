#include "life_cycle.hpp"

#include "autoload.hpp"
#include "blocking_calls.hpp"
#include "boundary.hpp"
#include "classes.hpp"
#include "connections_in_use.hpp"
#include "error_handler.hpp"
#include "no_suspension.hpp"
#include "replaced_functions.hpp"
#include "request.hpp"
#include "streams_in_use.hpp"

namespace weft_php {
namespace {

bool main_called_exit = false;
bool is_first_round = true;
std::uint32_t position = 0;  // of our latest entry in the list of shutdown functions

void append_shutdown_function() {
  php_shutdown_function_entry entry = {};
  entry.fci.size = sizeof entry.fci;
  ZVAL_STRING(&entry.fci.function_name, "weft\\drain");
  const HashTable* const functions = BG(user_shutdown_function_names);
  position = functions != nullptr ? functions->nNumUsed : 0;
  append_user_shutdown_function(&entry);
}

int on_exit_opcode(zend_execute_data* /*frame*/) {
  if (request == nullptr || request->current == &request->main()) main_called_exit = true;
  return ZEND_USER_OPCODE_DISPATCH;
}

zif_handler set_handler = nullptr;
zif_handler restore_handler = nullptr;

/// Calls `function` with the exception handler of the script in its place.
void call_with_own_handler(zif_handler function, INTERNAL_FUNCTION_PARAMETERS) {
  const bool is_quiet = request != nullptr && Request::is_main_quiet();
  if (is_quiet) request->put_exception_handler_back();
  function(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (is_quiet && !Request::is_main_quiet()) request->quieten_main();
}

void set_own_handler(INTERNAL_FUNCTION_PARAMETERS) {
  call_with_own_handler(set_handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void restore_own_handler(INTERNAL_FUNCTION_PARAMETERS) {
  call_with_own_handler(restore_handler, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// Whether the last error was one that ends a script at once, not an uncaught exception.
bool ended_fatally() {
  constexpr int fatal =
      E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
  if (EG(exit_status) != 255 || (PG(last_error_type) & fatal) == 0) return false;
  const zend_string* const text = PG(last_error_message);
  return text != nullptr && !zend_string_starts_with_literal(text, "Uncaught ");
}

}  // namespace

void begin_request() {
  main_called_exit = false;
  is_first_round = true;
  request_is_over = false;
  forget_error_handler();
  forget_autoloaders();
  no_suspension = 0;    // a coroutine that was left behind may have been in such a place
  EG(exit_status) = 0;  // a server still has that of the last request
  append_shutdown_function();
}

void run_at_the_end() {
  const bool early = is_first_round && (main_called_exit || EG(exit_status) == 255);
  is_first_round = false;
  if (request != nullptr) {
    if (early) request->main_ended_early(!main_called_exit && ended_fatally());
    (void)request->drain();
  }
  // Shutdown functions of the user that follow may spawn too: this one runs again after them.
  if (BG(user_shutdown_function_names)->nNumUsed > position + 1) append_shutdown_function();
}

void end_request() {
  request_is_over = true;
  if (request == nullptr) return;
  zend_try { request->end(); }
  zend_end_try();
  take_part_in_blocking_calls(false);
  forget_uses_of_streams();
  forget_uses_of_connections();
  delete request;
  request = nullptr;
}

void end_cancelled_main(zend_object& exception) {
  if (instanceof_function(exception.ce, ce_Cancellation)) return;
  zval argument;
  ZVAL_OBJ(&argument, &exception);
  if (request != nullptr && request->handler_before.is_set()) {
    zval result;
    ZVAL_UNDEF(&result);
    call_user_function(nullptr, nullptr, request->handler_before.get(), &result, 1, &argument);
    zval_ptr_dtor(&result);
    return;
  }
  GC_ADDREF(&exception);
  zend_exception_error(&exception, E_ERROR);
}

void watch_exception_handler() {
  set_handler = replace_function("set_exception_handler", set_own_handler);
  restore_handler = replace_function("restore_exception_handler", restore_own_handler);
}

void watch_exit() { zend_set_user_opcode_handler(ZEND_EXIT, on_exit_opcode); }

}  // namespace weft_php
