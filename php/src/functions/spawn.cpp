#include "boundary.hpp"
#include "classes.hpp"
#include "classes/scope.hpp"
#include "parameters.hpp"
#include "place.hpp"

using namespace weft_php;

namespace {

/// The scope that `provider` gives. False, with an exception, if it gives something else; null in
/// `scope` stands for the current one. In the engine.
bool ask_provider(zend_object* provider, Value& scope) {
  if (provider->ce == ce_Async_Scope) {
    scope = Value{*provider};
    return true;
  }
  zval given;
  ZVAL_UNDEF(&given);
  zend_call_method_with_0_params(provider, provider->ce, nullptr, "provideScope", &given);
  if (EG(exception) != nullptr) return false;
  const bool is_scope = Z_TYPE(given) == IS_OBJECT && Z_OBJCE(given) == ce_Async_Scope;
  if (!is_scope && Z_TYPE(given) != IS_NULL) {
    zval_ptr_dtor(&given);
    zend_throw_exception(ce_Async_AsyncException,
                         "Scope provider must return an instance of Async\\Scope", 0);
    return false;
  }
  scope = Value::adopt(given);
  return true;
}

/// The object of the current scope. The main scope has none: a child of it stands for it. False if
/// an exception is in flight.
bool find_current_scope(Value& scope) {
  ScopeRecord* const record = request->current->scope.get();
  if (record != nullptr && record->object != nullptr) {
    scope = Value{*record->object->self()};
    return true;
  }
  auto& made = ObjectKind<ScopeObject>::make(ce_Async_Scope);
  scope = Value::adopt(*made.self());
  const weft::Place place = place_here();
  return in_runtime(
      [&] { made.begin(weft::Scope::inherit(place), ScopeObject::current_record().get()); });
}

/// Calls one of the two hooks of a SpawnStrategy. False if it threw.
bool call_hook(zend_object* strategy, const char* name, size_t length, zval* coroutine,
               const Value& scope) {
  zval result;
  zval given;
  ZVAL_UNDEF(&result);
  scope.copy_to(&given);
  zend_call_method(strategy, strategy->ce, nullptr, name, length, &result, 2, coroutine, &given);
  zval_ptr_dtor(&given);
  zval_ptr_dtor(&result);
  return EG(exception) == nullptr;
}

}  // namespace

ZEND_FUNCTION(Async_spawn) {
  zend_fcall_info function;
  zend_fcall_info_cache found;
  zval* arguments = nullptr;
  std::uint32_t count = 0;
  HashTable* named = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_FUNC(function, found)
  Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  spawn_coroutine(Callable{function, found, arguments, count, named}, nullptr, return_value);
}

ZEND_FUNCTION(Async_spawn_with) {
  zend_object* provider = nullptr;
  zend_fcall_info function;
  zend_fcall_info_cache found;
  zval* arguments = nullptr;
  std::uint32_t count = 0;
  HashTable* named = nullptr;
  ZEND_PARSE_PARAMETERS_START(2, -1)
  Z_PARAM_OBJ_OF_CLASS(provider, ce_Async_ScopeProvider)
  Z_PARAM_FUNC(function, found)
  Z_PARAM_VARIADIC_WITH_NAMED(arguments, count, named)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  Value scope;
  if (!ask_provider(provider, scope)) RETURN_THROWS();
  ScopeRecord* record = nullptr;
  if (scope.object() != nullptr) {
    auto& object = static_cast<ScopeObject&>(Object::of(scope.object()));
    if (!object.is_begun()) {
      zend_throw_exception(ce_Async_AsyncException, "Scope object has been disposed", 0);
      RETURN_THROWS();
    }
    record = &object.record();
  }
  const bool has_hooks = instanceof_function(provider->ce, ce_Async_SpawnStrategy);
  if (has_hooks && scope.object() == nullptr && !find_current_scope(scope)) RETURN_THROWS();
  SpawnedCoroutine& made =
      prepare_coroutine(Callable{function, found, arguments, count, named}, record, return_value);
  if (has_hooks && !call_hook(provider, ZEND_STRL("beforecoroutineenqueue"), return_value, scope)) {
    RETURN_THROWS();
  }
  if (!enter_coroutine(made, record)) RETURN_THROWS();
  if (has_hooks) (void)call_hook(provider, ZEND_STRL("aftercoroutineenqueue"), return_value, scope);
}
