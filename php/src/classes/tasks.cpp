#include "classes/tasks.hpp"

#include <limits>

#include "boundary.hpp"
#include "classes/task_methods.hpp"

namespace weft_php {

/// The tasks that are left are cancelled and awaited.
template <class Tasks>
void TasksObject<Tasks>::last_reference_went() {
  log_->group = nullptr;
  handlers_.forget();
  if (!tasks_ || request == nullptr) return;
  const auto end = [this] { tasks_.reset(); };
  if (no_suspension == 0) {
    (void)in_runtime(end);
  } else {  // a coroutine of its own waits, with the object
    (void)in_runtime(
        [&] { weft::spawn([end, object = Value{*self()}] { end(); }, weft::Place{}); });
  }
}

template <class Tasks>
void TasksObject<Tasks>::add_references(zend_get_gc_buffer* buffer) {
  handlers_.add_references(buffer);
  if (tasks_) {
    weft::for_each_held(*tasks_, [buffer](const Value& result) { result.add_to(buffer); });
  }
  if (log_.use_count() > 1) return;  // tasks write into it
  for (const TaskLog::Entry& entry : log_->entries) entry.value.add_to(buffer);
}

template <class Tasks>
void TasksObject<Tasks>::release_references() {
  with_exception_aside([this] { last_reference_went(); });
  if (log_.use_count() > 1) return;
  for (TaskLog::Entry& entry : log_->entries) entry.value.release();
}

template class TasksObject<weft::TaskGroup<Value>>;
template class TasksObject<weft::TaskSet<Value>>;

namespace task_methods {

void put(zval* array, const Value& key, zval* value) {
  if (Z_TYPE_P(key.get()) == IS_LONG) {
    zend_hash_index_update(Z_ARRVAL_P(array), static_cast<zend_ulong>(Z_LVAL_P(key.get())), value);
  } else {
    zend_symtable_update(Z_ARRVAL_P(array), Z_STR_P(key.get()), value);
  }
}

Value key_of(const weft::TaskKey& key) {
  zval made;
  if (key.is_number()) {
    ZVAL_LONG(&made, key.number());
  } else {
    ZVAL_STRINGL(&made, key.name().data(), key.name().size());
  }
  return Value::adopt(made);
}

bool read_limit(zend_long value, bool is_null, std::uint32_t number, std::size_t& limit) {
  if (is_null) return true;
  constexpr zend_long most = std::numeric_limits<std::uint32_t>::max();
  if (value < 0 || value > most) {
    zend_argument_value_error(number, "must be between 0 and " ZEND_LONG_FMT, most);
    return false;
  }
  limit = static_cast<std::size_t>(value);
  return true;
}

void refuse_iterator(zval* self) {
  zend_throw_error(nullptr, "An object of class %s is not a traversable object in an invalid state",
                   ZSTR_VAL(Z_OBJCE_P(self)->name));
}

}  // namespace task_methods
}  // namespace weft_php
