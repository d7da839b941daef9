#include <chrono>

#include "boundary.hpp"
#include "classes.hpp"
#include "place.hpp"
#include "wait.hpp"

using namespace weft_php;

namespace {

/// Takes an exception in flight out of the engine into `thrown`; `exit` stays in flight.
void take_thrown(zval* thrown) {
  zend_object* const exception = EG(exception);
  if (exception == nullptr || zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception)) {
    return;
  }
  ZVAL_OBJ_COPY(thrown, exception);
  zend_clear_exception();
}

/// Throws `exception`, which becomes the previous one of that in flight; `exit` has none.
void throw_before(zend_object* exception) {
  if (EG(exception) == nullptr) {
    zend_throw_exception_internal(exception);
  } else if (zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception))) {
    OBJ_RELEASE(exception);
  } else {
    zend_exception_set_previous(EG(exception), exception);
  }
}

}  // namespace

ZEND_FUNCTION(Async_delay) {
  zend_long milliseconds = 0;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(milliseconds)
  ZEND_PARSE_PARAMETERS_END();
  if (milliseconds < 0) {
    zend_argument_value_error(1, "must be greater than or equal to 0");
    RETURN_THROWS();
  }
  if (!start()) RETURN_THROWS();
  if (milliseconds == 0) {
    (void)yield();
    return;
  }
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] { weft::delay(std::chrono::milliseconds{milliseconds}, place); });
}

ZEND_FUNCTION(Async_protect) {
  zend_object* closure = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  ZVAL_NULL(return_value);
  zval thrown;
  ZVAL_UNDEF(&thrown);
  (void)in_runtime([&] {
    const Callable body{*closure};
    weft::protect([&] {
      in_engine([&] {
        body.call(return_value, nullptr, 0);
        take_thrown(&thrown);
      });
    });
  });
  // What the closure threw is the previous exception of a cancellation that came meanwhile, if any.
  if (!Z_ISUNDEF(thrown)) throw_before(Z_OBJ(thrown));
  // The result is lost if that cancellation is thrown.
  if (EG(exception) != nullptr) {
    zval_ptr_dtor(return_value);
    ZVAL_NULL(return_value);
  }
}
