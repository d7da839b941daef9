#include "classes/task_iterator.hpp"
#include "classes/task_methods.hpp"

namespace weft_php {

void set_up_task_group() {
  ce_Async_TaskGroup->create_object = ObjectKind<TaskGroupObject>::create;
  ce_Async_TaskGroup->get_iterator = TaskIterator<TaskGroupObject>::make;
}

}  // namespace weft_php

using namespace weft_php;
using namespace weft_php::task_methods;

ZEND_METHOD(Async_TaskGroup, all) {
  return_all<TaskGroupObject>(
      INTERNAL_FUNCTION_PARAM_PASSTHRU,
      [](auto& tasks, auto errors, auto place) { return tasks.all(errors, place); });
}
ZEND_METHOD(Async_TaskGroup, race) {
  return_one<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                              [](auto& tasks, auto place) { return tasks.race(place); });
}
ZEND_METHOD(Async_TaskGroup, any) {
  return_one<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                              [](auto& tasks, auto place) { return tasks.any(place); });
}

ZEND_METHOD(Async_TaskGroup, getResults) {
  ZEND_PARSE_PARAMETERS_NONE();
  const TaskGroupObject* const self = self_of<TaskGroupObject>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  array_init(return_value);
  for (const TaskLog::Entry& entry : self->log()->entries) {
    if (!entry.has_ended || entry.error != nullptr) continue;
    zval value;
    entry.value.copy_to(&value);
    put(return_value, entry.key, &value);
  }
}

ZEND_METHOD(Async_TaskGroup, getErrors) {
  ZEND_PARSE_PARAMETERS_NONE();
  TaskGroupObject* const self = self_of<TaskGroupObject>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  array_init(return_value);
  for (const TaskLog::Entry& entry : self->log()->entries) {
    if (entry.error == nullptr || unwound(entry.error) != nullptr) continue;
    zval error;
    as_object(entry.error).copy_to(&error);
    put(return_value, entry.key, &error);
  }
  (void)in_runtime([&] { self->tasks()->suppress_errors(); });
}

ZEND_METHOD(Async_TaskGroup, suppressErrors) {
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                       [](auto& tasks) { tasks.suppress_errors(); });
}

ZEND_METHOD(Async_TaskGroup, __construct) {
  construct<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskGroup, spawn) { spawn<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskGroup, spawnWithKey) {
  spawn_with_key<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskGroup, cancel) { cancel<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskGroup, close) {
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks) { tasks.close(); });
}
ZEND_METHOD(Async_TaskGroup, dispose) {
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks) { tasks.dispose(); });
}
ZEND_METHOD(Async_TaskGroup, awaitCompletion) {
  await_completion<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                    "TaskGroup must be closed before calling awaitCompletion()");
}
ZEND_METHOD(Async_TaskGroup, isFinished) {
  answer<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, zval* result) {
    ZVAL_BOOL(result, tasks.is_finished());
  });
}
ZEND_METHOD(Async_TaskGroup, isClosed) {
  answer<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                          [](auto& tasks, zval* result) { ZVAL_BOOL(result, tasks.is_closed()); });
}
ZEND_METHOD(Async_TaskGroup, count) {
  answer<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, zval* result) {
    ZVAL_LONG(result, static_cast<zend_long>(tasks.count()));
  });
}
ZEND_METHOD(Async_TaskGroup, finally) {
  add_finally<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskGroup, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  refuse_iterator(ZEND_THIS);
}
