#pragma once

#include "engine.hpp"

namespace weft_php {

/// `foreach` over an object that gives one value after the other, and may suspend for it. `Source`
/// has `next(object, target)`, which leaves `target` undefined at the end or when it throws in PHP;
/// `by_reference`, the text that refuses a loop by reference; and `null_keys`, whether all keys are
/// null instead of numbers.
template <class Source>
struct ValueIterator {
  zend_object_iterator base;
  zval current;
  bool is_started;

  static ValueIterator& of(zend_object_iterator* base) {
    return *reinterpret_cast<ValueIterator*>(base);
  }

  void clear() {
    zval_ptr_dtor(&current);
    ZVAL_UNDEF(&current);
  }
  void next() {
    clear();
    is_started = true;
    Source::next(&base.data, &current);
  }

  static constexpr zend_object_iterator_funcs functions = {
      .dtor =
          [](zend_object_iterator* base) {
            of(base).clear();
            zval_ptr_dtor(&base->data);
          },
      .valid = [](zend_object_iterator* base) -> int {
        return Z_ISUNDEF(of(base).current) ? FAILURE : SUCCESS;
      },
      .get_current_data = [](zend_object_iterator* base) -> zval* { return &of(base).current; },
      .get_current_key = Source::null_keys
                             ? [](zend_object_iterator*, zval* key) { ZVAL_NULL(key); }
                             : static_cast<void (*)(zend_object_iterator*, zval*)>(nullptr),
      .move_forward = [](zend_object_iterator* base) { of(base).next(); },
      .rewind =
          [](zend_object_iterator* base) {
            if (!of(base).is_started) of(base).next();
          },
      .invalidate_current = nullptr,
      .get_gc = [](zend_object_iterator* base, zval** table, int* count) -> HashTable* {
        *table = &base->data;
        *count = 1;
        return nullptr;
      },
  };

  static zend_object_iterator* make(zend_class_entry* /*ce*/, zval* object, int by_reference) {
    if (by_reference != 0) {
      zend_throw_error(nullptr, "%s", Source::by_reference);
      return nullptr;
    }
    auto* const made = static_cast<ValueIterator*>(emalloc(sizeof(ValueIterator)));
    zend_iterator_init(&made->base);
    ZVAL_OBJ_COPY(&made->base.data, Z_OBJ_P(object));
    ZVAL_UNDEF(&made->current);
    made->is_started = false;
    made->base.funcs = &functions;
    return &made->base;
  }
};

}  // namespace weft_php
