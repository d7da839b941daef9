#include "classes/scope.hpp"

#include <chrono>

#include "boundary.hpp"
#include "classes.hpp"
#include "parameters.hpp"
#include "place.hpp"

namespace weft_php {

void ScopeObject::begin(weft::Ref<weft::Scope> made, ScopeRecord* parent) {
  record_ = ScopeRecord::create(parent);
  core_.emplace(*this, std::move(made));
  record_->object = this;
}

void ScopeObject::release_scope() {
  if (!core_) return;
  record_->object = nullptr;
  handlers_.forget();
  core_.reset();
}

void ScopeObject::add_references(zend_get_gc_buffer* buffer) {
  handlers_.add_references(buffer);
  if (record_) {
    if (const Value* const context = record_->context_of_object()) context->add_to(buffer);
  }
}

void ScopeObject::release_references() {
  if (record_) {
    if (Value* const context = record_->context_of_object()) context->release();
  }
}

void ScopeObject::Core::host_release() noexcept {
  zval object;
  ZVAL_OBJ(&object, object_.self());
  drop(object);
}

weft::Ref<ScopeRecord> ScopeObject::current_record() {
  if (const weft::Ref<weft::Scope> scope = weft::Scope::current()) {
    if (void* const object = weft::HostScope::nearest_object_of(*scope)) {
      return static_cast<ScopeObject*>(object)->record_;
    }
  }
  return request->main_scope;
}

void set_up_scope() { ce_Async_Scope->create_object = ObjectKind<ScopeObject>::create; }

namespace {

/// The scope of `this`; null, with an exception, if its object was never constructed or is gone.
ScopeObject* self_of(zval* self) {
  auto& object = static_cast<ScopeObject&>(Object::of(self));
  if (object.is_begun() && request != nullptr) return &object;
  zend_throw_exception(ce_Async_AsyncException, "Scope object has been disposed", 0);
  return nullptr;
}

/// What Scope::setExceptionHandler() and its sibling register: calls PHP in a coroutine of the
/// runtime's.
weft::Scope::ExceptionHandler calling(std::shared_ptr<const Callable> handler) {
  return [handler = std::move(handler)](weft::Scope& scope, const weft::AnyCoroutine& failed,
                                        const std::exception_ptr& error) {
    in_engine([&] {
      zval arguments[3];
      auto* const object = static_cast<ScopeObject*>(weft::HostScope::object_of(scope));
      if (object != nullptr) {
        ZVAL_OBJ_COPY(&arguments[0], object->self());
      } else {
        ZVAL_NULL(&arguments[0]);
      }
      CoroutineRecord::object_of(failed.base()).copy_to(&arguments[1]);
      as_object(error).copy_to(&arguments[2]);
      call_and_release(*handler, arguments, 3);
      chain_to_exception(error);
    });
  };
}

enum class Handles { own, of_children };
void set_handler(INTERNAL_FUNCTION_PARAMETERS, Handles which) {
  zend_fcall_info function;
  zend_fcall_info_cache found;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_FUNC(function, found)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    auto handler = calling(self->handlers().add(Callable{function, found}));
    if (which == Handles::own) {
      self->scope().set_exception_handler(std::move(handler));
    } else {
      self->scope().set_child_exception_handler(std::move(handler));
    }
  });
}

void dispose(INTERNAL_FUNCTION_PARAMETERS, void (weft::Scope::*how)() noexcept) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] { (self->scope().*how)(); });
}

}  // namespace
}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_Scope, __construct) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!start()) RETURN_THROWS();
  auto& self = static_cast<ScopeObject&>(Object::of(ZEND_THIS));
  if (self.is_begun()) {
    zend_throw_error(nullptr, "Async\\Scope is constructed already");
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)in_runtime([&] { self.begin(weft::Scope::create(place), nullptr); });
}

ZEND_METHOD(Async_Scope, inherit) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_Scope)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  ScopeObject* const parent =
      given != nullptr ? static_cast<ScopeObject*>(&Object::of(given)) : nullptr;
  if (parent != nullptr &&
      (!parent->is_begun() || parent->scope().is_closed() || parent->scope().is_cancelled())) {
    zend_throw_exception(
        ce_Async_AsyncException,
        "Cannot inherit a Scope from a parent Scope that has already been disposed.", 0);
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  auto& made = ObjectKind<ScopeObject>::make(ce_Async_Scope);
  ZVAL_OBJ(return_value, made.self());
  (void)in_runtime([&] {
    if (parent != nullptr) {
      made.begin(weft::Scope::inherit(parent->scope(), place), &parent->record());
    } else {
      made.begin(weft::Scope::inherit(place), ScopeObject::current_record().get());
    }
  });
}

ZEND_METHOD(Async_Scope, provideScope) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, asNotSafely) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  self->scope().allow_zombies(false);
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, allowZombies) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  self->scope().allow_zombies(true);
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Scope, spawn) {
  zend_object* closure = nullptr;
  zval* arguments = nullptr;
  std::uint32_t count = 0;
  HashTable* named = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  spawn_coroutine(Callable{*closure, arguments, count, named}, &self->record(), return_value);
}

ZEND_METHOD(Async_Scope, cancel) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    if (given != nullptr) {
      self->scope().cancel(cancellation_from(given, nullptr));
    } else {
      self->scope().cancel();
    }
  });
}

ZEND_METHOD(Async_Scope, awaitCompletion) {
  zend_object* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(token, ce_Async_Awaitable)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  weft::Event* const ends = self != nullptr ? event_of(token) : nullptr;
  if (ends == nullptr) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] { self->scope().await_completion(*ends, place); });
}

ZEND_METHOD(Async_Scope, awaitAfterCancellation) {
  zend_fcall_info function = empty_fcall_info;
  zend_fcall_info_cache found = empty_fcall_info_cache;
  zend_object* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 2)
  Z_PARAM_OPTIONAL
  Z_PARAM_FUNC_OR_NULL(function, found)
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, ce_Async_Awaitable)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  weft::Event* const ends = token != nullptr ? event_of(token) : nullptr;
  if (token != nullptr && ends == nullptr) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] {
    weft::Scope::AfterHandler handler;
    if (ZEND_FCI_INITIALIZED(function)) {
      handler = [callback = Callable{function, found}](const std::exception_ptr& error,
                                                       weft::Scope& scope) {
        in_engine([&] {
          zval arguments[2];
          as_object(error).copy_to(&arguments[0]);
          auto* const object = static_cast<ScopeObject*>(weft::HostScope::object_of(scope));
          ZVAL_NULL(&arguments[1]);
          if (object != nullptr) ZVAL_OBJ_COPY(&arguments[1], object->self());
          call_and_release(callback, arguments, 2);
        });
      };
    }
    const weft::Token ended = ends != nullptr ? weft::Token{*ends} : weft::Token{};
    self->scope().await_after_cancellation(std::move(handler), ended, place);
  });
}

ZEND_METHOD(Async_Scope, isFinished) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->scope().is_finished());
}
ZEND_METHOD(Async_Scope, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->scope().is_closed());
}
ZEND_METHOD(Async_Scope, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->scope().is_cancelled());
}

ZEND_METHOD(Async_Scope, setExceptionHandler) {
  set_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU, Handles::own);
}
ZEND_METHOD(Async_Scope, setChildScopeExceptionHandler) {
  set_handler(INTERNAL_FUNCTION_PARAM_PASSTHRU, Handles::of_children);
}

ZEND_METHOD(Async_Scope, finally) {
  zend_object* closure = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    auto handler = self->handlers().add(Callable{*closure});
    self->scope().on_finally([callback = std::move(handler)](weft::Scope& scope) {
      in_engine([&] {
        zval argument;
        ZVAL_NULL(&argument);
        auto* const object = static_cast<ScopeObject*>(weft::HostScope::object_of(scope));
        if (object != nullptr) ZVAL_OBJ_COPY(&argument, object->self());
        call_and_release(*callback, &argument, 1);
      });
    });
  });
}

ZEND_METHOD(Async_Scope, dispose) {
  dispose(INTERNAL_FUNCTION_PARAM_PASSTHRU, &weft::Scope::dispose);
}
ZEND_METHOD(Async_Scope, disposeSafely) {
  dispose(INTERNAL_FUNCTION_PARAM_PASSTHRU, &weft::Scope::dispose_safely);
}

ZEND_METHOD(Async_Scope, disposeAfterTimeout) {
  zend_long milliseconds = 0;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(milliseconds)
  ZEND_PARSE_PARAMETERS_END();
  if (milliseconds < 0) {
    zend_argument_value_error(1, "must be greater than or equal to 0");
    RETURN_THROWS();
  }
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] {
    if (milliseconds == 0) {
      self->scope().dispose();
    } else {
      self->scope().dispose_after_timeout(std::chrono::milliseconds{milliseconds});
    }
  });
}

ZEND_METHOD(Async_Scope, getChildScopes) {
  ZEND_PARSE_PARAMETERS_NONE();
  ScopeObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  array_init(return_value);
  for (const ScopeRecord* child : self->record().children()) {
    if (child->object == nullptr) continue;
    zval object;
    ZVAL_OBJ_COPY(&object, child->object->self());
    add_next_index_zval(return_value, &object);
  }
}
