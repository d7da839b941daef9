#pragma once

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/future.hpp"
#include "classes/scope.hpp"
#include "classes/tasks.hpp"
#include "parameters.hpp"
#include "place.hpp"

// The methods that Async\TaskGroup and Async\TaskSet have in common; `Group` is the C++ part of one
// of them.
namespace weft_php::task_methods {

using Results = weft::TaskResults<Value>;

/// Adds `value` to an array as PHP code would: a numeric string is a number.
void put(zval* array, const Value& key, zval* value);
[[nodiscard]] Value key_of(const weft::TaskKey& key);
/// Reads an optional limit, the argument `number`. False, with an exception, if it is out of range.
bool read_limit(zend_long value, bool is_null, std::uint32_t number, std::size_t& limit);
/// What getIterator() does when PHP code calls it: only foreach can iterate.
void refuse_iterator(zval* self);

/// Null, with an exception, if the constructor has not run or the request is over.
template <class Group>
Group* self_of(zval* self) {
  auto& object = static_cast<Group&>(Object::of(self));
  if (object.tasks() != nullptr && request != nullptr) return &object;
  zend_throw_error(nullptr, "%s is not constructed", ZSTR_VAL(Z_OBJCE_P(self)->name));
  return nullptr;
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

/// Calls the function of a task.
inline Value call_task(Callable& body) {
  Value result;
  in_engine([&] { body.call(result.get()); });
  static_cast<AdoptedCoroutine&>(CoroutineRecord::of_current()).set_result(result);
  return result;
}

/// The body of a task whose result is delivered once.
inline auto task_body(Callable body) {
  return [body = std::move(body)]() mutable -> Value { return call_task(body); };
}

/// The body of a task that writes its result into a log.
inline auto logged_task_body(Callable body, std::shared_ptr<TaskLog> log, std::size_t index) {
  return [body = std::move(body), log = std::move(log), index]() mutable -> Value {
    Value result;
    try {
      result = call_task(body);
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

/// In the runtime: a task of a TaskSet.
inline void enter_task(TaskSetObject& self, Callable body, const zval& /*key*/,
                       const weft::TaskKey& name, weft::Place place) {
  self.tasks()->spawn_with_key(name, task_body(std::move(body)), place);
}

/// In the runtime: a task of a TaskGroup.
inline void enter_task(TaskGroupObject& self, Callable body, const zval& key,
                       const weft::TaskKey& name, weft::Place place) {
  const std::shared_ptr<TaskLog>& log = self.log();
  const std::size_t index = log->entries.size();
  log->entries.push_back({Value{key}, {}, {}, false});
  try {
    self.tasks()->spawn_with_key(name, logged_task_body(std::move(body), log, index), place);
  } catch (...) {
    // Others may have followed meanwhile: the entry stays, and never ends.
    if (log->entries.size() == index + 1) log->entries.pop_back();
    throw;
  }
}

template <class Group>
void add_task(Group& self, Callable body, const zval& key) {
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] {
    const weft::TaskKey name = Z_TYPE(key) == IS_LONG
                                   ? weft::TaskKey{Z_LVAL(key)}
                                   : weft::TaskKey{std::string_view{Z_STRVAL(key), Z_STRLEN(key)}};
    enter_task(self, std::move(body), key, name, place);
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

/// A method without parameters and result, which may suspend.
template <class Group, class Work>
void run(INTERNAL_FUNCTION_PARAMETERS, Work&& work) {
  ZEND_PARSE_PARAMETERS_NONE();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] { work(*self->tasks()); });
}

/// awaitCompletion(); `refusal` is what it throws for one that is open.
template <class Group>
void await_completion(INTERNAL_FUNCTION_PARAMETERS, const char* refusal) {
  ZEND_PARSE_PARAMETERS_NONE();
  Group* const self = self_of<Group>(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  if (!self->tasks()->is_closed()) {
    zend_throw_exception(ce_Async_AsyncException, refusal, 0);
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] { self->tasks()->await_completion(place); });
}

/// A method without parameters that answers at once.
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

}  // namespace weft_php::task_methods
