#include <chrono>

#include "boundary.hpp"
#include "classes.hpp"
#include "no_suspension.hpp"
#include "place.hpp"
#include "wait.hpp"

using namespace weft_php;

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
  if (!may_suspend_here()) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)in_runtime([&] { weft::delay(std::chrono::milliseconds{milliseconds}, place); });
}

ZEND_FUNCTION(Async_protect) {
  zend_object* closure = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  ZVAL_NULL(return_value);
  (void)in_runtime([&] {
    const Callable body{*closure};
    weft::protect([&] { in_engine([&] { body.call(return_value, nullptr, 0); }); });
  });
  // The result is lost if the cancellation that came meanwhile is thrown.
  if (EG(exception) != nullptr) {
    zval_ptr_dtor(return_value);
    ZVAL_NULL(return_value);
  }
}
