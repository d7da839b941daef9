#pragma once

#include <utility>

#include "attic.hpp"
#include "engine.hpp"

namespace weft_php {

/// A PHP value that C++ holds, as a result, in a channel or inside an exception. It may be copied
/// and destroyed anywhere: see Attic.
class Value {
 public:
  Value() noexcept { ZVAL_UNDEF(&value_); }
  explicit Value(const zval& value) noexcept { ZVAL_COPY(&value_, &value); }
  explicit Value(zend_object& object) noexcept { ZVAL_OBJ_COPY(&value_, &object); }
  Value(const Value& other) noexcept { ZVAL_COPY(&value_, &other.value_); }
  Value(Value&& other) noexcept {
    ZVAL_COPY_VALUE(&value_, &other.value_);
    ZVAL_UNDEF(&other.value_);
  }
  Value& operator=(Value other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Value() {
    if (Z_REFCOUNTED(value_)) drop(value_);
  }
  /// Takes over the reference of `value`.
  [[nodiscard]] static Value adopt(zval& value) noexcept {
    Value made;
    ZVAL_COPY_VALUE(&made.value_, &value);
    ZVAL_UNDEF(&value);
    return made;
  }
  [[nodiscard]] static Value adopt(zend_object& object) noexcept {
    Value made;
    ZVAL_OBJ(&made.value_, &object);
    return made;
  }

  [[nodiscard]] bool is_set() const noexcept { return !Z_ISUNDEF(value_); }
  [[nodiscard]] zval* get() noexcept { return &value_; }
  [[nodiscard]] const zval* get() const noexcept { return &value_; }
  [[nodiscard]] zend_object* object() const noexcept {
    return Z_TYPE(value_) == IS_OBJECT ? Z_OBJ(value_) : nullptr;
  }
  /// Copies it to where a function returns its result; nothing becomes null.
  void copy_to(zval* target) const noexcept {
    if (is_set()) {
      ZVAL_COPY(target, &value_);
    } else {
      ZVAL_NULL(target);
    }
  }
  /// Names it as a reference of an object, for the collector of cycles.
  void add_to(zend_get_gc_buffer* buffer) const {
    zend_get_gc_buffer_add_zval(buffer, const_cast<zval*>(&value_));
  }
  void reset() noexcept { *this = Value{}; }
  /// Drops it at once: a destructor of PHP may run. In the engine.
  void release() {
    zval value;
    ZVAL_COPY_VALUE(&value, &value_);
    ZVAL_UNDEF(&value_);
    zval_ptr_dtor(&value);
  }
  /// Hands the reference over to the caller; null if it is no object.
  [[nodiscard]] zend_object* detach_object() noexcept {
    zend_object* const object = this->object();
    ZVAL_UNDEF(&value_);
    return object;
  }

 private:
  zval value_;
};

}  // namespace weft_php
