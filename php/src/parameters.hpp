#pragma once

#include "callable.hpp"
#include "classes.hpp"
#include "object.hpp"

namespace weft_php {

/// The C++ part of an Awaitable; null, with an exception, if `object` is of a user's class.
[[nodiscard]] inline Object* awaitable_of(zend_object* object) {
  if (object->ce->type == ZEND_INTERNAL_CLASS && object->handlers->offset != 0) {
    return &Object::of(object);
  }
  zend_throw_exception(ce_Async_AsyncException, "Expected item to be an Async\\Awaitable object",
                       0);
  return nullptr;
}

/// The event of an Awaitable; null, with an exception, if it has none.
[[nodiscard]] inline weft::Event* event_of(zend_object* object) {
  Object* const awaitable = awaitable_of(object);
  if (awaitable == nullptr) return nullptr;
  weft::Event* const event = awaitable->event();
  if (event == nullptr && EG(exception) == nullptr) {
    zend_throw_exception(ce_Async_AsyncException, "Future has no state", 0);
  }
  return event;
}

/// Calls `callable` and releases its arguments and its result. In the engine.
inline void call_and_release(const Callable& callable, zval* arguments, std::uint32_t count) {
  zval result;
  ZVAL_UNDEF(&result);
  callable.call(&result, arguments, count);
  zval_ptr_dtor(&result);
  for (std::uint32_t i = 0; i < count; ++i) zval_ptr_dtor(&arguments[i]);
}

}  // namespace weft_php
