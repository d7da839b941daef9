#include "attic.hpp"

#include "classes/coroutine.hpp"
#include "request.hpp"

namespace weft_php {

void Attic::drop(zval& value) noexcept {
  if (!Z_REFCOUNTED(value)) return;
  if (GC_REFCOUNT(Z_COUNTED(value)) > 1) {
    GC_DELREF(Z_COUNTED(value));
  } else {
    kept_.push_back(value);
  }
}

void Attic::drop(zend_object& object) noexcept {
  zval value;
  ZVAL_OBJ(&value, &object);
  drop(value);
}

void Attic::release_all() {
  while (!kept_.empty()) {  // a destructor may add more
    zval value = kept_.front();
    kept_.pop_front();
    zval_ptr_dtor(&value);
  }
}

void release_dropped() {
  if (request != nullptr && request->current->vm.is_loaded()) request->attic.empty();
}

void drop(zval& value) noexcept {
  if (request != nullptr) {
    request->attic.drop(value);
  } else {
    zval_ptr_dtor(&value);
  }
  ZVAL_UNDEF(&value);
}

}  // namespace weft_php
