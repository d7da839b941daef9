#include "cancellation_class.hpp"

#include "classes.hpp"

// \Cancellation has the properties and methods of \Error, but is no descendant of it. So the
// engine, which goes by descent, would refuse that it implements Throwable, and that its methods
// use the protected properties, which belong to \Error.
namespace weft_php {
namespace {

int (*implement_throwable)(zend_class_entry*, zend_class_entry*);
zend_object* (*create_error)(zend_class_entry*);
zend_object_handlers handlers;

bool is_below_cancellation(const zend_class_entry* ce) {
  while (ce != nullptr && ce != ce_Cancellation) ce = ce->parent;
  return ce != nullptr;
}

int accept_cancellation(zend_class_entry* interface, zend_class_entry* implementor) {
  return is_below_cancellation(implementor) ? SUCCESS : implement_throwable(interface, implementor);
}

zend_object* create_cancellation(zend_class_entry* ce) {
  zend_object* made = nullptr;
  volatile bool bailed = false;
  ce_Cancellation->parent = zend_ce_error;
  zend_try { made = create_error(ce); }
  zend_catch { bailed = true; }
  zend_end_try();
  ce_Cancellation->parent = nullptr;
  if (bailed) zend_bailout();
  made->handlers = &handlers;
  return made;
}

/// While it lives, methods of \Error may use properties that a class below \Cancellation declares
/// again, and methods of such a class the protected ones of \Error.
class Access {
 public:
  Access(const zend_object& object, zend_string* name, void**& cache_slot) noexcept
      : fake_scope_{EG(fake_scope)} {
    zend_class_entry* const scope =
        fake_scope_ != nullptr ? fake_scope_ : zend_get_executed_scope();
    const auto* const property = static_cast<const zend_property_info*>(
        zend_hash_find_ptr(&object.ce->properties_info, name));
    if (property == nullptr || property->ce == scope) return;
    const bool is_private = (property->flags & ZEND_ACC_PRIVATE) != 0;
    if (scope == zend_ce_error && is_below_cancellation(property->ce)) {
      // Of two private properties of one name, \Error means its own.
      is_child_ = is_private;
    } else if (property->ce != zend_ce_error || is_private || !is_below_cancellation(scope)) {
      return;
    }
    cache_slot = nullptr;
    if (is_child_) {
      ce_Cancellation->parent = zend_ce_error;
    } else {
      EG(fake_scope) = property->ce;
    }
  }
  ~Access() {
    EG(fake_scope) = fake_scope_;
    if (is_child_) ce_Cancellation->parent = nullptr;
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

 private:
  zend_class_entry* fake_scope_;
  bool is_child_ = false;
};

zval* read_property(zend_object* object, zend_string* name, int type, void** cache_slot,
                    zval* result) {
  const Access access{*object, name, cache_slot};
  return zend_std_read_property(object, name, type, cache_slot, result);
}
zval* write_property(zend_object* object, zend_string* name, zval* value, void** cache_slot) {
  const Access access{*object, name, cache_slot};
  return zend_std_write_property(object, name, value, cache_slot);
}
zval* get_property_ptr_ptr(zend_object* object, zend_string* name, int type, void** cache_slot) {
  const Access access{*object, name, cache_slot};
  return zend_std_get_property_ptr_ptr(object, name, type, cache_slot);
}
int has_property(zend_object* object, zend_string* name, int how, void** cache_slot) {
  const Access access{*object, name, cache_slot};
  return zend_std_has_property(object, name, how, cache_slot);
}
void unset_property(zend_object* object, zend_string* name, void** cache_slot) {
  const Access access{*object, name, cache_slot};
  zend_std_unset_property(object, name, cache_slot);
}

}  // namespace

void make_cancellation_a_root() {
  implement_throwable = zend_ce_throwable->interface_gets_implemented;
  zend_ce_throwable->interface_gets_implemented = accept_cancellation;
  handlers = std_object_handlers;
  handlers.clone_obj = nullptr;
  handlers.read_property = read_property;
  handlers.write_property = write_property;
  handlers.get_property_ptr_ptr = get_property_ptr_ptr;
  handlers.has_property = has_property;
  handlers.unset_property = unset_property;
  create_error = zend_ce_error->create_object;
  for (zend_class_entry* const ce :
       {ce_Cancellation, ce_Async_AsyncCancellation, ce_Async_OperationCanceledException}) {
    ce->create_object = create_cancellation;
  }
  ce_Cancellation->parent = nullptr;
}

}  // namespace weft_php
