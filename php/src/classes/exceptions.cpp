#include "classes.hpp"

// The methods of the exception classes.

namespace weft_php {

void add_to_composite(zend_object* composite, zval* exception) {
  zval scratch;
  zval* const list = zend_read_property(ce_Async_CompositeException, composite,
                                        ZEND_STRL("exceptions"), true, &scratch);
  zval all;
  if (Z_TYPE_P(list) == IS_ARRAY) {
    ZVAL_ARR(&all, zend_array_dup(Z_ARRVAL_P(list)));
  } else {
    array_init(&all);
  }
  Z_ADDREF_P(exception);
  add_next_index_zval(&all, exception);
  zend_update_property(ce_Async_CompositeException, composite, ZEND_STRL("exceptions"), &all);
  zval_ptr_dtor(&all);
}

}  // namespace weft_php

ZEND_METHOD(Async_CompositeException, addException) {
  zval* exception = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(exception, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  weft_php::add_to_composite(Z_OBJ_P(ZEND_THIS), exception);
}

ZEND_METHOD(Async_CompositeException, getExceptions) {
  ZEND_PARSE_PARAMETERS_NONE();
  zval scratch;
  zval* const list = zend_read_property(ce_Async_CompositeException, Z_OBJ_P(ZEND_THIS),
                                        ZEND_STRL("exceptions"), true, &scratch);
  if (Z_TYPE_P(list) == IS_ARRAY) RETURN_COPY(list);
  RETURN_EMPTY_ARRAY();
}

ZEND_METHOD(Async_RemoteException, getRemoteException) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_NULL();
}

ZEND_METHOD(Async_RemoteException, getRemoteClass) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_EMPTY_STRING();
}
