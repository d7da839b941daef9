#pragma once

#include "classes/task_methods.hpp"

namespace weft_php {

/// `foreach ($group as $key => [$result, $error])`.
template <class Group>
struct TaskIterator {
  using Position = decltype(std::declval<Group&>().tasks()->begin());

  zend_object_iterator base;
  zval key;
  zval current;
  Position* position;

  static TaskIterator& of(zend_object_iterator* base) {
    return *reinterpret_cast<TaskIterator*>(base);
  }

  void clear() {
    zval_ptr_dtor(&key);
    zval_ptr_dtor(&current);
    ZVAL_UNDEF(&key);
    ZVAL_UNDEF(&current);
  }
  void next() {
    clear();
    Group* const group = task_methods::self_of<Group>(&base.data);
    if (group == nullptr) return;
    const weft::Place place = place_here();
    const bool is_fine = wait_in_runtime([&] {
      if (position == nullptr) {
        position = new Position{group->tasks()->begin(place)};
      } else {
        ++*position;
      }
      if (*position == std::default_sentinel) return;
      weft::TaskOutcome<Value> outcome = **position;
      task_methods::key_of(outcome.key).copy_to(&key);
      zval value;
      zval error;
      ZVAL_NULL(&value);
      ZVAL_NULL(&error);
      in_engine([&] {
        if (outcome.outcome.error() != nullptr) {
          as_object(outcome.outcome.error()).copy_to(&error);
        } else {
          outcome.outcome.stored()->copy_to(&value);
        }
        array_init_size(&current, 2);
        add_next_index_zval(&current, &value);
        add_next_index_zval(&current, &error);
      });
    });
    if (!is_fine) clear();
  }

  static constexpr zend_object_iterator_funcs functions = {
      .dtor =
          [](zend_object_iterator* base) {
            TaskIterator& self = of(base);
            self.clear();
            delete self.position;
            zval_ptr_dtor(&base->data);
          },
      .valid = [](zend_object_iterator* base) -> int {
        return Z_ISUNDEF(of(base).current) ? FAILURE : SUCCESS;
      },
      .get_current_data = [](zend_object_iterator* base) -> zval* { return &of(base).current; },
      .get_current_key = [](zend_object_iterator* base,
                            zval* target) { ZVAL_COPY(target, &of(base).key); },
      .move_forward = [](zend_object_iterator* base) { of(base).next(); },
      .rewind =
          [](zend_object_iterator* base) {
            if (of(base).position == nullptr) of(base).next();
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
      zend_throw_error(nullptr, "Cannot iterate TaskGroup by reference");
      return nullptr;
    }
    auto* const made = static_cast<TaskIterator*>(emalloc(sizeof(TaskIterator)));
    zend_iterator_init(&made->base);
    ZVAL_OBJ_COPY(&made->base.data, Z_OBJ_P(object));
    ZVAL_UNDEF(&made->key);
    ZVAL_UNDEF(&made->current);
    made->position = nullptr;
    made->base.funcs = &functions;
    return &made->base;
  }
};

}  // namespace weft_php
