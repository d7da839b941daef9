#include "classes/timeout.hpp"

#include <chrono>

#include "boundary.hpp"
#include "classes.hpp"

namespace weft_php {

void TimeoutObject::outcome(zval* result) {
  weft::Outcome outcome;
  ZVAL_NULL(result);
  if (timeout_->replay(outcome) && outcome.error() != nullptr) throw_in_php(outcome.error());
}

void set_up_timeout() { ce_Async_Timeout->create_object = ObjectKind<TimeoutObject>::create; }

}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_Timeout, __construct) {
  zend_throw_exception(ce_Async_AsyncException, "Timeout cannot be constructed directly", 0);
}

ZEND_METHOD(Async_Timeout, cancel) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = static_cast<TimeoutObject&>(Object::of(ZEND_THIS));
  if (self.timeout() == nullptr || request == nullptr) return;
  (void)in_runtime([&] { self.timeout()->cancel(); });
}

ZEND_METHOD(Async_Timeout, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(Object::of(ZEND_THIS).is_completed());
}

ZEND_METHOD(Async_Timeout, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  const auto& self = static_cast<TimeoutObject&>(Object::of(ZEND_THIS));
  RETURN_BOOL(self.timeout() != nullptr && self.timeout()->is_cancelled());
}

ZEND_FUNCTION(Async_timeout) {
  zend_long milliseconds = 0;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(milliseconds)
  ZEND_PARSE_PARAMETERS_END();
  if (milliseconds <= 0) {
    zend_value_error("Timeout value must be greater than 0");
    RETURN_THROWS();
  }
  if (!start()) RETURN_THROWS();
  auto& made = ObjectKind<TimeoutObject>::make(ce_Async_Timeout);
  ZVAL_OBJ(return_value, made.self());
  (void)in_runtime(
      [&] { made.begin(weft::make_ref<weft::Timeout>(std::chrono::milliseconds{milliseconds})); });
}
