#include "classes/task_iterator.hpp"
#include "classes/task_methods.hpp"

namespace weft_php {

void set_up_task_set() {
  ce_Async_TaskSet->create_object = ObjectKind<TaskSetObject>::create;
  ce_Async_TaskSet->get_iterator = TaskIterator<TaskSetObject>::make;
}

}  // namespace weft_php

using namespace weft_php;
using namespace weft_php::task_methods;

ZEND_METHOD(Async_TaskSet, joinNext) {
  return_one<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                            [](auto& tasks, auto place) { return tasks.join_next(place); });
}
ZEND_METHOD(Async_TaskSet, joinAny) {
  return_one<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                            [](auto& tasks, auto place) { return tasks.join_any(place); });
}
ZEND_METHOD(Async_TaskSet, joinAll) {
  return_all<TaskSetObject>(
      INTERNAL_FUNCTION_PARAM_PASSTHRU,
      [](auto& tasks, auto errors, auto place) { return tasks.join_all(errors, place); });
}

ZEND_METHOD(Async_TaskSet, __construct) {
  construct<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskSet, spawn) { spawn<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskSet, spawnWithKey) {
  spawn_with_key<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskSet, cancel) { cancel<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskSet, close) {
  run<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks) { tasks.close(); });
}
ZEND_METHOD(Async_TaskSet, dispose) {
  run<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks) { tasks.dispose(); });
}
ZEND_METHOD(Async_TaskSet, awaitCompletion) {
  await_completion<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                                  "TaskSet must be closed before calling awaitCompletion()");
}
ZEND_METHOD(Async_TaskSet, isFinished) {
  answer<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                        [](auto& tasks, zval* result) { ZVAL_BOOL(result, tasks.is_finished()); });
}
ZEND_METHOD(Async_TaskSet, isClosed) {
  answer<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                        [](auto& tasks, zval* result) { ZVAL_BOOL(result, tasks.is_closed()); });
}
ZEND_METHOD(Async_TaskSet, count) {
  answer<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, zval* result) {
    ZVAL_LONG(result, static_cast<zend_long>(tasks.count()));
  });
}
ZEND_METHOD(Async_TaskSet, finally) {
  add_finally<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskSet, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  refuse_iterator(ZEND_THIS);
}
