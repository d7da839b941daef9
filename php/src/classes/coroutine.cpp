#include "classes/coroutine.hpp"

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/scope.hpp"
#include "parameters.hpp"
#include "place.hpp"

namespace weft_php {
namespace {

const char record_key = 0;

unsigned key() { return weft::internal_key(&record_key); }

}  // namespace

CoroutineRecord* CoroutineRecord::of(weft::CoroutineBase& base) noexcept {
  if (void* const object = weft::object_of(base)) return static_cast<CoroutineRecord*>(object);
  return static_cast<CoroutineRecord*>(base.internal_value(key()));
}

CoroutineRecord& CoroutineRecord::of_current() {
  weft::CoroutineBase& base = weft::current().base();
  CoroutineRecord* const known = of(base);
  return known != nullptr ? *known : AdoptedCoroutine::adopt(base);
}

Value CoroutineRecord::object_of(weft::CoroutineBase& base) {
  if (CoroutineRecord* const known = of(base)) return Value{*known->self()};
  if (!base.is_completed()) return Value{*AdoptedCoroutine::adopt(base).self()};
  return Value::adopt(
      *ObjectKind<AdoptedCoroutine>::make(ce_Async_Coroutine, weft::AnyCoroutine::observing(base))
           .self());
}

AdoptedCoroutine& AdoptedCoroutine::adopt(weft::CoroutineBase& base) {
  auto& made =
      ObjectKind<AdoptedCoroutine>::make(ce_Async_Coroutine, weft::AnyCoroutine::observing(base));
  base.set_internal_value(key(), static_cast<CoroutineRecord*>(&made), [](void* record) noexcept {
    zval object;
    ZVAL_OBJ(&object, static_cast<CoroutineRecord*>(record)->self());
    drop(object);
  });
  made.scope = ScopeObject::current_record();
  return made;
}

void CoroutineRecord::outcome(zval* result) {
  if (const std::exception_ptr error = base().outcome_error()) {
    base().set(weft::Event::error_caught_flag);
    return throw_in_php(error);
  }
  const Value* const value = this->result();
  if (value != nullptr) {
    value->copy_to(result);
  } else {
    ZVAL_NULL(result);
  }
}

const Value& CoroutineRecord::own_context() {
  if (!context_.is_set()) context_ = Value::adopt(*ContextObject::make(scope).self());
  return context_;
}

/// The frames of a parked coroutine, as the engine does it for a fiber. Frames of generators are
/// left out: the engine does not export what it needs for them.
void CoroutineRecord::add_references(zend_get_gc_buffer* buffer) {
  zend_get_gc_buffer_add_zval(buffer, context_.get());
  HashTable* last_symbols = nullptr;
  for (zend_execute_data* frame = vm.frame(); frame != nullptr; frame = frame->prev_execute_data) {
    if ((ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR) != 0) continue;
    zend_execute_data* const call =
        frame->func != nullptr && ZEND_USER_CODE(frame->func->type) ? frame->call : nullptr;
    HashTable* const symbols = zend_unfinished_execution_gc_ex(frame, call, buffer, false);
    if (symbols == nullptr || symbols == last_symbols) continue;
    zval* value = nullptr;
    ZEND_HASH_FOREACH_VAL_IND(symbols, value) { zend_get_gc_buffer_add_zval(buffer, value); }
    ZEND_HASH_FOREACH_END();
    last_symbols = symbols;
  }
}

void SpawnedCoroutine::add_references(zend_get_gc_buffer* buffer) {
  CoroutineRecord::add_references(buffer);
  body_.add_references(buffer);
  zend_get_gc_buffer_add_zval(buffer, result_.get());
}

void AdoptedCoroutine::add_references(zend_get_gc_buffer* buffer) {
  CoroutineRecord::add_references(buffer);
  result_.add_to(buffer);
}

void AdoptedCoroutine::release_references() {
  CoroutineRecord::release_references();
  result_.release();
}

void SpawnedCoroutine::release_references() {
  CoroutineRecord::release_references();
  body_.release();
  result_.release();
}

std::string SpawnedCoroutine::info() const {
  std::string text = "Coroutine " + std::to_string(self()->handle);
  if (const weft::Place place = spawn_place(); place.line != 0) {
    text += " spawned at " + place.text();
  }
  if (const weft::Place place = suspend_place(); place.line != 0) {
    text += ", suspended at " + place.text();
  }
  const std::string name = body_.name();
  return name.empty() ? text : text + " (" + name + ")";
}

void SpawnedCoroutine::run_body() noexcept {
  std::exception_ptr error = run_in_engine(*this, [this] {
    body_.call(result_.get());
    body_ = {};
    request->attic.empty();
  });
  if (error != nullptr && unwound(error) == nullptr) fail(std::move(error));
}

void SpawnedCoroutine::host_release() noexcept {
  --lent_;
  zval object;
  ZVAL_OBJ(&object, self());
  drop(object);
}

SpawnedCoroutine& prepare_coroutine(Callable body, ScopeRecord* scope, zval* result) {
  weft::Ref<ScopeRecord> record{scope != nullptr ? scope : request->current->scope.get()};
  auto& made =
      ObjectKind<SpawnedCoroutine>::make(ce_Async_Coroutine, std::move(body), std::move(record));
  ZVAL_OBJ(result, made.self());
  return made;
}

bool enter_coroutine(SpawnedCoroutine& made, ScopeRecord* scope) {
  ScopeObject* const owner = scope != nullptr ? scope->object : nullptr;
  const weft::Place place = place_here();
  return in_runtime([&] {
    if (!weft::can_suspend()) {
      throw weft::MisuseError{"The operation cannot be executed in the scheduler context"};
    }
    weft::Scope* const where = owner != nullptr ? &owner->scope() : nullptr;
    if (where != nullptr && (where->is_closed() || where->is_cancelled())) {
      throw weft::MisuseError{"Cannot spawn a coroutine in a closed scope"};
    }
    made.enter(where, {}, place);
  });
}

void set_up_coroutine() {
  // One that is made by reflection never runs.
  ce_Async_Coroutine->create_object = [](zend_class_entry* ce) {
    return ObjectKind<SpawnedCoroutine>::make(ce, Callable{}, weft::Ref<ScopeRecord>{}).self();
  };
  for (zend_object_handlers* const table :
       {ObjectKind<SpawnedCoroutine>::handlers(), ObjectKind<AdoptedCoroutine>::handlers()}) {
    table->get_constructor = [](zend_object*) -> zend_function* {
      zend_throw_error(nullptr, "Async\\Coroutine is made by Async\\spawn()");
      return nullptr;
    };
  }
}

}  // namespace weft_php

using namespace weft_php;

namespace {

CoroutineRecord& self_of(zval* self) { return static_cast<CoroutineRecord&>(Object::of(self)); }

}  // namespace

ZEND_METHOD(Async_Coroutine, getId) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_LONG(Z_OBJ_HANDLE_P(ZEND_THIS));
}

ZEND_METHOD(Async_Coroutine, asHiPriority) {
  ZEND_PARSE_PARAMETERS_NONE();
  self_of(ZEND_THIS).base().set_priority(weft::Priority::high);
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Coroutine, getContext) {
  ZEND_PARSE_PARAMETERS_NONE();
  self_of(ZEND_THIS).own_context().copy_to(return_value);
}

ZEND_METHOD(Async_Coroutine, getResult) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CoroutineRecord& self = self_of(ZEND_THIS);
  if (!self.is_completed() || self.result() == nullptr) RETURN_NULL();
  self.result()->copy_to(return_value);
}

ZEND_METHOD(Async_Coroutine, getException) {
  ZEND_PARSE_PARAMETERS_NONE();
  const std::exception_ptr error = self_of(ZEND_THIS).base().outcome_error();
  if (error == nullptr) RETURN_NULL();
  as_object(error).copy_to(return_value);
}

ZEND_METHOD(Async_Coroutine, getTrace) {
  zend_long options = DEBUG_BACKTRACE_PROVIDE_OBJECT;
  zend_long limit = 0;
  ZEND_PARSE_PARAMETERS_START(0, 2)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(options)
  Z_PARAM_LONG(limit)
  ZEND_PARSE_PARAMETERS_END();
  zend_execute_data* const frame = self_of(ZEND_THIS).vm.frame();
  if (frame == nullptr) RETURN_NULL();
  zend_execute_data* const before = std::exchange(EG(current_execute_data), frame);
  zend_fetch_debug_backtrace(return_value, 0, static_cast<int>(options), static_cast<int>(limit));
  EG(current_execute_data) = before;
}

ZEND_METHOD(Async_Coroutine, getSpawnFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  file_and_line(self_of(ZEND_THIS).base().spawn_place(), return_value);
}
ZEND_METHOD(Async_Coroutine, getSpawnLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  location(self_of(ZEND_THIS).base().spawn_place(), return_value);
}
ZEND_METHOD(Async_Coroutine, getSuspendFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  file_and_line(self_of(ZEND_THIS).base().suspend_place(), return_value);
}
ZEND_METHOD(Async_Coroutine, getSuspendLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  location(self_of(ZEND_THIS).base().suspend_place(), return_value);
}

ZEND_METHOD(Async_Coroutine, isStarted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_started());
}
ZEND_METHOD(Async_Coroutine, isQueued) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_queued());
}
ZEND_METHOD(Async_Coroutine, isRunning) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_running());
}
ZEND_METHOD(Async_Coroutine, isSuspended) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_suspended());
}
ZEND_METHOD(Async_Coroutine, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_cancelled());
}
ZEND_METHOD(Async_Coroutine, isCancellationRequested) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).base().is_cancellation_requested());
}
ZEND_METHOD(Async_Coroutine, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(self_of(ZEND_THIS).is_completed());
}

ZEND_METHOD(Async_Coroutine, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CoroutineRecord& self = self_of(ZEND_THIS);
  array_init(return_value);
  if (!self.base().is_suspended()) return;
  for (const std::string& event : self.base().waker().awaiting_info()) {
    add_next_index_stringl(return_value, event.data(), event.size());
  }
}

ZEND_METHOD(Async_Coroutine, cancel) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  if (request == nullptr) return;
  weft::CoroutineBase& base = self_of(ZEND_THIS).base();
  if (base.is_completed()) return;
  std::exception_ptr cause = cancellation_from(given, "Coroutine cancelled");
  (void)in_runtime([&] { base.cancel(std::move(cause)); });
}

ZEND_METHOD(Async_Coroutine, finally) {
  zend_object* closure = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  CoroutineRecord& self = self_of(ZEND_THIS);
  (void)in_runtime([&] {
    self.base().on_finally([callback = Callable{*closure}](weft::CoroutineBase& base) {
      in_engine([&] {
        zval argument;
        CoroutineRecord::object_of(base).copy_to(&argument);
        call_and_release(callback, &argument, 1);
      });
    });
  });
}
