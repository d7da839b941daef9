#include "classes/context.hpp"

#include <algorithm>
#include <utility>

#include "classes.hpp"
#include "request.hpp"

namespace weft_php {

ScopeRecord::ScopeRecord(ScopeRecord* parent) : parent_{parent} {
  if (parent != nullptr) parent->children_.push_back(this);
}

ScopeRecord::~ScopeRecord() {
  if (!parent_) return;
  auto& siblings = parent_->children_;
  siblings.erase(std::find(siblings.begin(), siblings.end(), this));
}

zend_object* ScopeRecord::context() {
  if (!context_.is_set()) context_ = Value::adopt(*ContextObject::make(parent_).self());
  return context_.object();
}

ContextObject& ContextObject::make(weft::Ref<ScopeRecord> above) {
  return ObjectKind<ContextObject>::make(ce_Async_Context, std::move(above));
}

zval* ContextObject::find_local(const Key& key) {
  if (Z_TYPE(key) == IS_STRING) {
    return Z_ISUNDEF(strings_) ? nullptr : zend_hash_find(Z_ARRVAL(strings_), Z_STR(key));
  }
  const auto found = objects_.find(Z_OBJ_HANDLE(key));
  return found == objects_.end() ? nullptr : found->second.value.get();
}

zval* ContextObject::find(const Key& key) {
  if (zval* const here = find_local(key)) return here;
  for (ScopeRecord* scope = above_.get(); scope != nullptr; scope = scope->parent()) {
    if (zend_object* const context = scope->made_context()) {
      if (zval* const found = static_cast<ContextObject&>(of(context)).find_local(key)) {
        return found;
      }
    }
  }
  return nullptr;
}

/// A value is released last: its destructor may change this context.
void ContextObject::set(const Key& key, zval& value) {
  if (Z_TYPE(key) == IS_STRING) {
    if (Z_ISUNDEF(strings_)) array_init(&strings_);
    zval* const slot = zend_hash_lookup(Z_ARRVAL(strings_), Z_STR(key));
    const Value replaced = Value::adopt(*slot);
    ZVAL_COPY(slot, &value);
  } else {
    Entry& entry = objects_[Z_OBJ_HANDLE(key)];
    const Entry replaced = std::exchange(entry, Entry{Value{key}, Value{value}});
  }
}

void ContextObject::unset(const Key& key) {
  if (Z_TYPE(key) == IS_OBJECT) {
    const auto removed = objects_.extract(Z_OBJ_HANDLE(key));
  } else if (!Z_ISUNDEF(strings_)) {
    zend_hash_del(Z_ARRVAL(strings_), Z_STR(key));
  }
}

void ContextObject::add_references(zend_get_gc_buffer* buffer) {
  zend_get_gc_buffer_add_zval(buffer, &strings_);
  for (const auto& [handle, entry] : objects_) {
    entry.key.add_to(buffer);
    entry.value.add_to(buffer);
  }
}

void ContextObject::release_references() {
  zval_ptr_dtor(&strings_);
  for (auto& [handle, entry] : objects_) {
    entry.value.release();
    entry.key.release();
  }
}

void set_up_context() { ce_Async_Context->create_object = ObjectKind<ContextObject>::create; }

namespace {

/// Reads a key of the type string|object. False, with a TypeError, for any other.
bool read_key(zval* given, std::uint32_t number, zval& key) {
  if (Z_TYPE_P(given) != IS_STRING && Z_TYPE_P(given) != IS_OBJECT) {
    zend_argument_type_error(number, "must be of type string|object, %s given",
                             zend_zval_type_name(given));
    return false;
  }
  key = *given;
  return true;
}

using Search = zval* (ContextObject::*)(const zval& key);
enum class Missing { is_null, is_thrown };

void look_up(INTERNAL_FUNCTION_PARAMETERS, Search search, Missing missing) {
  zval* given = nullptr;
  zval key = {};
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(given)
  ZEND_PARSE_PARAMETERS_END();
  if (!read_key(given, 1, key)) RETURN_THROWS();
  auto& self = static_cast<ContextObject&>(Object::of(ZEND_THIS));
  if (const zval* const found = (self.*search)(key)) RETURN_COPY(found);
  if (missing == Missing::is_null) RETURN_NULL();
  if (Z_TYPE(key) == IS_STRING) {
    zend_throw_exception_ex(ce_Async_ContextException, 0, "Context key \"%s\" not found",
                            Z_STRVAL(key));
  } else {
    zend_throw_exception_ex(ce_Async_ContextException, 0, "Context key of type %s not found",
                            ZSTR_VAL(Z_OBJCE(key)->name));
  }
}

void has_key(INTERNAL_FUNCTION_PARAMETERS, Search search) {
  zval* given = nullptr;
  zval key = {};
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(given)
  ZEND_PARSE_PARAMETERS_END();
  if (!read_key(given, 1, key)) RETURN_THROWS();
  auto& self = static_cast<ContextObject&>(Object::of(ZEND_THIS));
  RETURN_BOOL((self.*search)(key) != nullptr);
}

}  // namespace
}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_Context, find) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find, Missing::is_null);
}
ZEND_METHOD(Async_Context, get) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find, Missing::is_thrown);
}
ZEND_METHOD(Async_Context, has) { has_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find); }
ZEND_METHOD(Async_Context, findLocal) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find_local, Missing::is_null);
}
ZEND_METHOD(Async_Context, getLocal) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find_local, Missing::is_thrown);
}
ZEND_METHOD(Async_Context, hasLocal) {
  has_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, &ContextObject::find_local);
}

ZEND_METHOD(Async_Context, set) {
  zval* given = nullptr;
  zval* value = nullptr;
  bool replace = false;
  zval key = {};
  ZEND_PARSE_PARAMETERS_START(2, 3)
  Z_PARAM_ZVAL(given)
  Z_PARAM_ZVAL(value)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(replace)
  ZEND_PARSE_PARAMETERS_END();
  if (!read_key(given, 1, key)) RETURN_THROWS();
  auto& self = static_cast<ContextObject&>(Object::of(ZEND_THIS));
  if (!replace && self.find_local(key) != nullptr) {
    zend_throw_exception(ce_Async_AsyncException, "Context key already exists and replace is false",
                         0);
    RETURN_THROWS();
  }
  self.set(key, *value);
  if (request != nullptr) request->attic.empty();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Context, unset) {
  zval* given = nullptr;
  zval key = {};
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(given)
  ZEND_PARSE_PARAMETERS_END();
  if (!read_key(given, 1, key)) RETURN_THROWS();
  static_cast<ContextObject&>(Object::of(ZEND_THIS)).unset(key);
  if (request != nullptr) request->attic.empty();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}
