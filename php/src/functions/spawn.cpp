#include "boundary.hpp"
#include "classes.hpp"
#include "classes/scope.hpp"
#include "parameters.hpp"
#include "place.hpp"

using namespace weft_php;

namespace {

/// The scope that `provider` gives. False, with an exception, if it gives something else; null in
/// `scope` stands for the current one. In the engine.
bool ask_provider(zend_object* provider, zval* scope) {
  if (provider->ce == ce_Async_Scope) {
    ZVAL_OBJ_COPY(scope, provider);
    return true;
  }
  zend_call_method_with_0_params(provider, provider->ce, nullptr, "provideScope", scope);
  if (EG(exception) != nullptr) return false;
  const bool is_scope = Z_TYPE_P(scope) == IS_OBJECT && Z_OBJCE_P(scope) == ce_Async_Scope;
  if (is_scope || Z_TYPE_P(scope) == IS_NULL) return true;
  zend_throw_exception(ce_Async_AsyncException,
                       "Scope provider must return an instance of Async\\Scope", 0);
  return false;
}

/// The object of the current scope. The main scope has none: a child of it stands for it. False if
/// an exception is in flight.
bool find_current_scope(zval* scope) {
  ScopeRecord* const record = request->current->scope.get();
  if (record != nullptr && record->object != nullptr) {
    ZVAL_OBJ_COPY(scope, record->object->self());
    return true;
  }
  auto& made = ObjectKind<ScopeObject>::make(ce_Async_Scope);
  ZVAL_OBJ(scope, made.self());
  const weft::Place place = place_here();
  return in_runtime(
      [&] { made.begin(weft::Scope::inherit(place), ScopeObject::current_record().get()); });
}

/// Calls one of the two hooks of a SpawnStrategy. False if it threw.
bool call_hook(zend_object* strategy, const char* name, size_t length, zval* coroutine,
               zval* scope) {
  zval result;
  ZVAL_UNDEF(&result);
  zend_call_method(strategy, strategy->ce, nullptr, name, length, &result, 2, coroutine, scope);
  zval_ptr_dtor(&result);
  return EG(exception) == nullptr;
}

/// Spawns what `make_body` makes where `provider` says; leaves the scope's object in `scope` and
/// the coroutine's in `result`. Hooks may bail out: nothing here has a destructor.
template <class MakeBody>
void spawn_where(zend_object* provider, MakeBody&& make_body, zval* scope, zval* result) {
  if (!ask_provider(provider, scope)) return;
  ScopeRecord* record = nullptr;
  if (Z_TYPE_P(scope) == IS_OBJECT) {
    auto& object = static_cast<ScopeObject&>(Object::of(scope));
    if (!object.is_begun()) {
      zend_throw_exception(ce_Async_AsyncException, "Scope object has been disposed", 0);
      return;
    }
    record = &object.record();
  }
  const bool has_hooks = instanceof_function(provider->ce, ce_Async_SpawnStrategy);
  if (has_hooks && record == nullptr && !find_current_scope(scope)) return;
  SpawnedCoroutine& made = prepare_coroutine(make_body(), record, result);
  if (has_hooks && !call_hook(provider, ZEND_STRL("beforecoroutineenqueue"), result, scope)) return;
  if (!enter_coroutine(made, record) || !has_hooks) return;
  (void)call_hook(provider, ZEND_STRL("aftercoroutineenqueue"), result, scope);
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
  zval scope;
  ZVAL_NULL(&scope);
  const auto make_body = [&] { return Callable{function, found, arguments, count, named}; };
  spawn_where(provider, make_body, &scope, return_value);
  zval_ptr_dtor(&scope);
}
