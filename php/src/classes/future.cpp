#include "classes/future.hpp"

#include "boundary.hpp"
#include "classes.hpp"
#include "parameters.hpp"
#include "place.hpp"
#include "wait.hpp"

namespace weft_php {
namespace {

std::string at(const char* what, weft::Place place) {
  return place.line == 0 ? std::string{} : what + place.text();
}

}  // namespace

void SharedFuture::dispose() noexcept {
  if (request != nullptr) {
    const std::exception_ptr& failure = error();
    if (failure != nullptr && !has(error_caught_flag) && !weft::is_cancellation(failure)) {
      request->warn("Unhandled exception in Future: " + weft::describe(failure) +
                    "; use catch() or ignore() to handle" + at(". Created at ", created_at()) +
                    at(", completed at ", completed_at()));
    } else if (!has(result_used_flag)) {
      request->warn(
          "Future was never used; call await(), map(), catch(), finally() or ignore() to "
          "suppress this warning" +
          at(". Created at ", created_at()));
    }
  }
  ignore();
  FutureState::dispose();
}

FutureObject& FutureObject::make(Future future) {
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  made.begin(std::move(future));
  return made;
}

void FutureObject::outcome(zval* result) {
  Future::State& state = future_.state();
  state.set(weft::Event::result_used_flag);
  if (state.error() != nullptr) {
    state.set(weft::Event::error_caught_flag);
    ZVAL_NULL(result);
    return throw_in_php(state.error());
  }
  state.take().copy_to(result);  // a TaskSet gives away what was taken
}

void FutureObject::add_references(zend_get_gc_buffer* buffer) {
  weft::for_each_held(future_, [buffer](const Value& value) { value.add_to(buffer); });
}

void FutureObject::release_references() {
  // No other reader is left, so its value may change.
  weft::for_each_held(future_, [](const Value& value) { const_cast<Value&>(value).release(); });
}

void set_up_future() {
  ce_Async_Future->create_object = ObjectKind<FutureObject>::create;
  ce_Async_FutureState->create_object = ObjectKind<FutureStateObject>::create;
}

namespace {

/// Null, with an exception, if the constructor has not run.
SharedFuture* state_of(zval* self) {
  const auto& object = static_cast<FutureStateObject&>(Object::of(self));
  if (object.state() && request != nullptr) return object.state().get();
  zend_throw_exception(ce_Async_AsyncException, "FutureState is already destroyed", 0);
  return nullptr;
}

const FutureObject::Future* future_of(zval* self) {
  const auto& object = static_cast<FutureObject&>(Object::of(self));
  if (object.future() && request != nullptr) return &object.future();
  zend_throw_exception(ce_Async_AsyncException, "Future has no state", 0);
  return nullptr;
}

/// False, with an exception, if a writer has completed `state` before.
bool expect_pending(const SharedFuture& state) {
  if (!state.is_completed() || state.is_cancelled()) return true;
  const weft::Place place = state.completed_at();
  if (place.line == 0) {
    zend_throw_exception(ce_Async_AsyncException, "FutureState is already completed", 0);
  } else {
    zend_throw_exception_ex(ce_Async_AsyncException, 0, "FutureState is already completed at %s:%u",
                            place.file, place.line);
  }
  return false;
}

/// Calls a function of a chain with the one value that `argument` copies to a zval. What it throws
/// replaces `replaced`.
template <class Argument>
Value call_link(const Callable& function, Argument&& argument,
                const std::exception_ptr& replaced = nullptr) {
  Value result;
  in_engine([&] {
    zval given;
    argument(&given);
    function.call(result.get(), &given, 1);
    zval_ptr_dtor(&given);
    chain_to_exception(replaced);
  });
  return result;
}

enum class Link { map, catches, finally };

/// The future of a chain that calls `callback`. In the runtime.
FutureObject::Future chain(const FutureObject::Future& source, Link kind, Callable callback,
                           weft::Place place) {
  const auto value_of = [](const Value& value) {
    return [&value](zval* target) { value.copy_to(target); };
  };
  const auto object_of = [](const std::exception_ptr& error) {
    return [&error](zval* target) { as_object(error).copy_to(target); };
  };
  switch (kind) {
    case Link::map:
      return source.map([callback = std::move(callback), value_of](
                            const Value& value) { return call_link(callback, value_of(value)); },
                        place);
    case Link::catches:
      return source.recover(
          [callback = std::move(callback), object_of](const std::exception_ptr& error) {
            return call_link(callback, object_of(error));
          },
          place);
    case Link::finally:
      break;
  }
  return source.finally(
      [callback = std::move(callback), value_of, object_of](const weft::Result<Value>& outcome) {
        if (outcome.error() != nullptr) {
          (void)call_link(callback, object_of(outcome.error()), outcome.error());
        } else {
          (void)call_link(callback, value_of(*outcome.stored()));
        }
      },
      place);
}

void attach(INTERNAL_FUNCTION_PARAMETERS, Link kind) {
  zend_fcall_info function;
  zend_fcall_info_cache found;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_FUNC(function, found)
  ZEND_PARSE_PARAMETERS_END();
  const FutureObject::Future* const self = future_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] { made.begin(chain(*self, kind, Callable{function, found}, place)); });
}

void awaiting_info(bool is_completed, zval* result) {
  array_init_size(result, 1);
  add_next_index_string(result, is_completed ? "FutureState(completed)" : "FutureState(pending)");
}

}  // namespace
}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_FutureState, __construct) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!start()) RETURN_THROWS();
  auto& self = static_cast<FutureStateObject&>(Object::of(ZEND_THIS));
  if (self.state()) {
    zend_throw_error(nullptr, "Async\\FutureState is constructed already");
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)in_runtime([&] { self.begin(weft::make_ref<SharedFuture>(place)); });
}

ZEND_METHOD(Async_FutureState, complete) {
  zval* value = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(value)
  ZEND_PARSE_PARAMETERS_END();
  SharedFuture* const state = state_of(ZEND_THIS);
  if (state == nullptr || !expect_pending(*state)) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)in_runtime([&] { state->complete(place, *value); });
}

ZEND_METHOD(Async_FutureState, error) {
  zend_object* error = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(error, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  SharedFuture* const state = state_of(ZEND_THIS);
  if (state == nullptr || !expect_pending(*state)) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)in_runtime([&] { state->fail(as_error(*error), place); });
}

ZEND_METHOD(Async_FutureState, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  const SharedFuture* const state = state_of(ZEND_THIS);
  if (state != nullptr) RETURN_BOOL(state->is_completed());
}
ZEND_METHOD(Async_FutureState, ignore) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (SharedFuture* const state = state_of(ZEND_THIS)) state->ignore();
}
ZEND_METHOD(Async_FutureState, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const SharedFuture* const state = state_of(ZEND_THIS)) {
    awaiting_info(state->is_completed(), return_value);
  }
}
ZEND_METHOD(Async_FutureState, getCreatedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const SharedFuture* const state = state_of(ZEND_THIS)) {
    file_and_line(state->created_at(), return_value);
  }
}
ZEND_METHOD(Async_FutureState, getCreatedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const SharedFuture* const state = state_of(ZEND_THIS)) {
    location(state->created_at(), return_value);
  }
}
ZEND_METHOD(Async_FutureState, getCompletedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const SharedFuture* const state = state_of(ZEND_THIS)) {
    file_and_line(state->completed_at(), return_value);
  }
}
ZEND_METHOD(Async_FutureState, getCompletedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const SharedFuture* const state = state_of(ZEND_THIS)) {
    location(state->completed_at(), return_value);
  }
}

ZEND_METHOD(Async_Future, __construct) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(given, ce_Async_FutureState)
  ZEND_PARSE_PARAMETERS_END();
  zval object;
  ZVAL_OBJ(&object, given);
  if (state_of(&object) == nullptr) RETURN_THROWS();
  auto& self = static_cast<FutureObject&>(Object::of(ZEND_THIS));
  if (self.future()) {
    zend_throw_error(nullptr, "Async\\Future is constructed already");
    RETURN_THROWS();
  }
  self.begin(FutureObject::Future{static_cast<FutureStateObject&>(Object::of(given)).state()});
}

ZEND_METHOD(Async_Future, completed) {
  zval* value = nullptr;
  zval none;
  ZVAL_NULL(&none);
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_ZVAL(value)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    const auto state = weft::make_ref<SharedFuture>(place);
    made.begin(FutureObject::Future{state});
    state->complete(place, value != nullptr ? *value : none);
  });
}

ZEND_METHOD(Async_Future, failed) {
  zend_object* error = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS(error, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] {
    const auto state = weft::make_ref<SharedFuture>(place);
    made.begin(FutureObject::Future{state});
    state->fail(as_error(*error), place);
  });
}

ZEND_METHOD(Async_Future, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  const auto* const self = future_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->is_completed());
}
ZEND_METHOD(Async_Future, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  const auto* const self = future_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->is_cancelled());
}

ZEND_METHOD(Async_Future, cancel) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  const auto* const self = future_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  const weft::Place place = place_here();
  std::exception_ptr cause = cancellation_from(given, "Future has been cancelled");
  (void)in_runtime([&] { self->cancel(std::move(cause), place); });
}

ZEND_METHOD(Async_Future, ignore) {
  ZEND_PARSE_PARAMETERS_NONE();
  const auto* const self = future_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  self->ignore();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Future, map) { attach(INTERNAL_FUNCTION_PARAM_PASSTHRU, Link::map); }
ZEND_METHOD(Async_Future, catch) { attach(INTERNAL_FUNCTION_PARAM_PASSTHRU, Link::catches); }
ZEND_METHOD(Async_Future, finally) { attach(INTERNAL_FUNCTION_PARAM_PASSTHRU, Link::finally); }

ZEND_METHOD(Async_Future, await) {
  zend_object* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, ce_Async_Completable)
  ZEND_PARSE_PARAMETERS_END();
  if (future_of(ZEND_THIS) == nullptr) RETURN_THROWS();
  await_object(Z_OBJ_P(ZEND_THIS), token, return_value);
}

ZEND_METHOD(Async_Future, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* const self = future_of(ZEND_THIS)) {
    awaiting_info(self->is_completed(), return_value);
  }
}
ZEND_METHOD(Async_Future, getCreatedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* const self = future_of(ZEND_THIS))
    file_and_line(self->created_at(), return_value);
}
ZEND_METHOD(Async_Future, getCreatedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* const self = future_of(ZEND_THIS)) location(self->created_at(), return_value);
}
ZEND_METHOD(Async_Future, getCompletedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* const self = future_of(ZEND_THIS)) {
    file_and_line(self->completed_at(), return_value);
  }
}
ZEND_METHOD(Async_Future, getCompletedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* const self = future_of(ZEND_THIS)) location(self->completed_at(), return_value);
}
