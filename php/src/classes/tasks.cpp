#include "classes/tasks.hpp"

#include <limits>

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/future.hpp"
#include "classes/scope.hpp"
#include "parameters.hpp"
#include "place.hpp"

namespace weft_php {

/// The tasks that are left are cancelled and awaited.
template <class Tasks>
void TasksObject<Tasks>::last_reference_went() {
  log_->group = nullptr;
  handlers_.forget();
  if (tasks_ && request != nullptr) (void)in_runtime([this] { tasks_.reset(); });
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
  if (log_.use_count() > 1) return;
  for (TaskLog::Entry& entry : log_->entries) entry.value.release();
}

namespace {

using Results = weft::TaskResults<Value>;

template <class Group>
Group* self_of(zval* self) {
  auto& object = static_cast<Group&>(Object::of(self));
  if (object.tasks() != nullptr && request != nullptr) return &object;
  zend_throw_error(nullptr, "%s is not constructed", ZSTR_VAL(Z_OBJCE_P(self)->name));
  return nullptr;
}

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

template <class Group>
void construct(INTERNAL_FUNCTION_PARAMETERS) {
  zend_long concurrency = 0;
  zend_long queue_limit = 0;
  bool no_concurrency = true;
  bool no_queue_limit = true;
  zend_object* scope = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 3)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG_OR_NULL(concurrency, no_concurrency)
  Z_PARAM_LONG_OR_NULL(queue_limit, no_queue_limit)
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(scope, ce_Async_Scope)
  ZEND_PARSE_PARAMETERS_END();
  weft::TaskOptions options;
  std::size_t limit = 0;
  if (!read_limit(concurrency, no_concurrency, 1, options.concurrency) ||
      !read_limit(queue_limit, no_queue_limit, 2, limit) || !start()) {
    RETURN_THROWS();
  }
  if (!no_queue_limit) options.queue_limit = limit;
  auto& self = static_cast<Group&>(Object::of(ZEND_THIS));
  if (self.tasks() != nullptr) {
    zend_throw_error(nullptr, "%s is constructed already", ZSTR_VAL(Z_OBJCE_P(ZEND_THIS)->name));
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    if (scope != nullptr) {
      auto& given = static_cast<ScopeObject&>(Object::of(scope));
      if (!given.is_begun()) throw weft::MisuseError{"Cannot use a disposed Scope for TaskGroup"};
      options.scope = weft::Ref<weft::Scope>{&given.scope()};
    }
    self.begin(options, place);
  });
}

/// The body of one task.
auto task_body(Callable body, std::shared_ptr<TaskLog> log, std::size_t index) {
  return [body = std::move(body), log = std::move(log), index]() mutable -> Value {
    Value result;
    try {
      in_engine([&] { body.call(result.get()); });
    } catch (...) {
      log->entries[index].has_ended = true;
      log->entries[index].error = std::current_exception();
      throw;
    }
    log->entries[index].has_ended = true;
    log->entries[index].value = result;
    return result;
  };
}

template <class Group>
void add_task(Group& self, Callable body, const zval& key) {
  const std::shared_ptr<TaskLog>& log = self.log();
  const std::size_t index = log->entries.size();
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    const weft::TaskKey name = Z_TYPE(key) == IS_LONG
                                   ? weft::TaskKey{Z_LVAL(key)}
                                   : weft::TaskKey{std::string_view{Z_STRVAL(key), Z_STRLEN(key)}};
    log->entries.push_back({Value{key}, {}, {}, false});
    try {
      self.tasks()->spawn_with_key(name, task_body(std::move(body), log, index), place);
    } catch (...) {
      // Others may have followed meanwhile: the entry stays, and never ends.
      if (log->entries.size() == index + 1) log->entries.pop_back();
      throw;
    }
    if (Z_TYPE(key) == IS_LONG) self.used_key(Z_LVAL(key));
  });
}

template <class Group>
void spawn(INTERNAL_FUNCTION_PARAMETERS) {
  zend_fcall_info function;
  zend_fcall_info_cache found;
  zval* arguments = nullptr;
  std::uint32_t count = 0;
  HashTable* named = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_FUNC(function, found)
  Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
  ZEND_PARSE_PARAMETERS_END();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  zval key;
  ZVAL_LONG(&key, self->next_key());
  self->used_key(self->next_key());
  add_task(*self, Callable{function, found, arguments, count, named}, key);
}

template <class Group>
void spawn_with_key(INTERNAL_FUNCTION_PARAMETERS) {
  zend_string* name = nullptr;
  zend_long number = 0;
  zend_fcall_info function;
  zend_fcall_info_cache found;
  zval* arguments = nullptr;
  std::uint32_t count = 0;
  HashTable* named = nullptr;
  ZEND_PARSE_PARAMETERS_START(2, -1)
  Z_PARAM_STR_OR_LONG(name, number)
  Z_PARAM_FUNC(function, found)
  Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
  ZEND_PARSE_PARAMETERS_END();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  zval key;
  if (name != nullptr) {
    ZVAL_STR(&key, name);
  } else {
    ZVAL_LONG(&key, number);
  }
  add_task(*self, Callable{function, found, arguments, count, named}, key);
}

/// A future of all results as an array, made in the coroutine of a chain.
template <class Group, class Join>
void return_all(INTERNAL_FUNCTION_PARAMETERS, Join&& join) {
  bool ignores_errors = false;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(ignores_errors)
  ZEND_PARSE_PARAMETERS_END();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    const auto errors = ignores_errors ? weft::TaskErrors::ignore : weft::TaskErrors::fail;
    made.begin(join(*self->tasks(), errors, place)
                   .map(
                       [](const Results& results) {
                         Value array;
                         in_engine([&] {
                           array_init_size(array.get(), static_cast<std::uint32_t>(results.size()));
                           for (std::size_t i = 0; i < results.size(); ++i) {
                             zval value;
                             results.values()[i].copy_to(&value);
                             put(array.get(), key_of(results.keys()[i]), &value);
                           }
                         });
                         return array;
                       },
                       place));
  });
}

template <class Group, class Join>
void return_one(INTERNAL_FUNCTION_PARAMETERS, Join&& join) {
  ZEND_PARSE_PARAMETERS_NONE();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] { made.begin(join(*self->tasks(), place)); });
}

template <class Group>
void cancel(INTERNAL_FUNCTION_PARAMETERS) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    if (given != nullptr) {
      self->tasks()->cancel(cancellation_from(given, nullptr));
    } else {
      self->tasks()->cancel();
    }
  });
}

/// A method without parameters that does something.
template <class Group, class Work>
void run(INTERNAL_FUNCTION_PARAMETERS, Work&& work) {
  ZEND_PARSE_PARAMETERS_NONE();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)in_runtime([&] { work(*self->tasks(), place); });
}

template <class Group, class Answer>
void answer(INTERNAL_FUNCTION_PARAMETERS, Answer&& answer) {
  ZEND_PARSE_PARAMETERS_NONE();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  answer(*self->tasks(), return_value);
}

template <class Group>
void add_finally(INTERNAL_FUNCTION_PARAMETERS) {
  zend_object* closure = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    auto handler = self->handlers().add(Callable{*closure});
    self->tasks()->on_finally(
        [callback = std::move(handler), log = std::weak_ptr<TaskLog>{self->log()}] {
          in_engine([&] {
            zval argument;
            ZVAL_NULL(&argument);
            if (const auto known = log.lock(); known != nullptr && known->group != nullptr) {
              ZVAL_OBJ_COPY(&argument, known->group);
            }
            call_and_release(*callback, &argument, 1);
          });
        });
  });
}

/// `foreach ($group as $key => [$result, $error])`.
template <class Group>
struct Iterator {
  using Position = decltype(std::declval<Group&>().tasks()->begin());

  zend_object_iterator base;
  zval key;
  zval current;
  Position* position;

  static Iterator& of(zend_object_iterator* base) { return *reinterpret_cast<Iterator*>(base); }

  void clear() {
    zval_ptr_dtor(&key);
    zval_ptr_dtor(&current);
    ZVAL_UNDEF(&key);
    ZVAL_UNDEF(&current);
  }
  void next() {
    clear();
    Group* const group = self_of<Group>(&base.data);
    if (group == nullptr) return;
    const weft::Place place = place_here();
    std::optional<weft::TaskOutcome<Value>> taken;
    const bool is_fine = in_runtime([&] {
      if (position == nullptr) {
        position = new Position{group->tasks()->begin(place)};
      } else {
        ++*position;
      }
      if (*position == std::default_sentinel) return;
      weft::TaskOutcome<Value> outcome = **position;
      key_of(outcome.key).copy_to(&key);
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
            Iterator& self = of(base);
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
    auto* const made = static_cast<Iterator*>(emalloc(sizeof(Iterator)));
    zend_iterator_init(&made->base);
    ZVAL_OBJ_COPY(&made->base.data, Z_OBJ_P(object));
    ZVAL_UNDEF(&made->key);
    ZVAL_UNDEF(&made->current);
    made->position = nullptr;
    made->base.funcs = &functions;
    return &made->base;
  }
};

void refuse_iterator(zval* self) {
  zend_throw_error(nullptr, "An object of class %s is not a traversable object in an invalid state",
                   ZSTR_VAL(Z_OBJCE_P(self)->name));
}

}  // namespace

void set_up_tasks() {
  ce_Async_TaskGroup->create_object = ObjectKind<TaskGroupObject>::create;
  ce_Async_TaskGroup->get_iterator = Iterator<TaskGroupObject>::make;
  ce_Async_TaskSet->create_object = ObjectKind<TaskSetObject>::create;
  ce_Async_TaskSet->get_iterator = Iterator<TaskSetObject>::make;
}

}  // namespace weft_php

using namespace weft_php;

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
                       [](auto& tasks, auto) { tasks.suppress_errors(); });
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
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, auto) { tasks.close(); });
}
ZEND_METHOD(Async_TaskGroup, dispose) {
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                       [](auto& tasks, auto) { tasks.dispose(); });
}
ZEND_METHOD(Async_TaskGroup, awaitCompletion) {
  answer<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, zval*) {
    if (tasks.is_closed()) return;
    zend_throw_exception(ce_Async_AsyncException,
                         "TaskGroup must be closed before calling awaitCompletion()", 0);
  });
  if (EG(exception) != nullptr) RETURN_THROWS();
  run<TaskGroupObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                       [](auto& tasks, auto place) { tasks.await_completion(place); });
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

ZEND_METHOD(Async_TaskSet, __construct) {
  construct<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskSet, spawn) { spawn<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskSet, spawnWithKey) {
  spawn_with_key<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}
ZEND_METHOD(Async_TaskSet, cancel) { cancel<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Async_TaskSet, close) {
  run<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, auto) { tasks.close(); });
}
ZEND_METHOD(Async_TaskSet, dispose) {
  run<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, auto) { tasks.dispose(); });
}
ZEND_METHOD(Async_TaskSet, awaitCompletion) {
  answer<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& tasks, zval*) {
    if (tasks.is_closed()) return;
    zend_throw_exception(ce_Async_AsyncException,
                         "TaskSet must be closed before calling awaitCompletion()", 0);
  });
  if (EG(exception) != nullptr) RETURN_THROWS();
  run<TaskSetObject>(INTERNAL_FUNCTION_PARAM_PASSTHRU,
                     [](auto& tasks, auto place) { tasks.await_completion(place); });
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
