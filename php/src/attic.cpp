#include "attic.hpp"

#include "classes/coroutine.hpp"
#include "request.hpp"

namespace weft_php {
namespace {

/// Tells the collector that `value` has lost a reference: what is left may be a cycle. With the
/// collector switched off that is all, even if its buffer is full: no destructor may run here.
void note_possible_root(zend_refcounted* value) noexcept {
  const bool was_on = gc_enable(false);
  gc_check_possible_root(value);
  gc_enable(was_on);
}

}  // namespace

void Attic::drop(zval& value) noexcept {
  if (!Z_REFCOUNTED(value)) return;
  if (GC_REFCOUNT(Z_COUNTED(value)) > 1) {
    GC_DELREF(Z_COUNTED(value));
    if (Z_COLLECTABLE(value) || Z_ISREF(value)) note_possible_root(Z_COUNTED(value));
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
