#include "boundary.hpp"
#include "classes.hpp"
#include "classes/scope.hpp"

using namespace weft_php;

ZEND_FUNCTION(Async_current_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!start()) RETURN_THROWS();
  const weft::Ref<ScopeRecord>& scope = request->current->scope;
  RETURN_OBJ_COPY((scope ? scope : request->main_scope)->context());
}

ZEND_FUNCTION(Async_coroutine_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!start()) RETURN_THROWS();
  request->current->own_context().copy_to(return_value);
}

ZEND_FUNCTION(Async_root_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!start()) RETURN_THROWS();
  RETURN_OBJ_COPY(request->main_scope->context());
}

ZEND_FUNCTION(Async_request_context) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_NULL();
}

ZEND_FUNCTION(Async_current_coroutine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (request == nullptr) {
    zend_throw_exception(ce_Async_AsyncException, "The current coroutine is not defined", 0);
    RETURN_THROWS();
  }
  RETURN_OBJ_COPY(request->current->self());
}

ZEND_FUNCTION(Async_get_coroutines) {
  ZEND_PARSE_PARAMETERS_NONE();
  array_init(return_value);
  if (request == nullptr) return;
  weft::for_each_coroutine([&](weft::CoroutineBase& coroutine) {
    if (CoroutineRecord::of(coroutine) == nullptr) return;  // no PHP code has run in it
    zval object;
    CoroutineRecord::object_of(coroutine).copy_to(&object);
    add_next_index_zval(return_value, &object);
  });
}

ZEND_FUNCTION(Async_graceful_shutdown) {
  zend_object* given = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_AsyncCancellation)
  ZEND_PARSE_PARAMETERS_END();
  if (!start()) RETURN_THROWS();
  (void)in_runtime([&] {
    if (given != nullptr) {
      weft::shutdown(cancellation_from(given, nullptr));
    } else {
      weft::shutdown();
    }
  });
}

ZEND_FUNCTION(Async_runtime_stats) {
  ZEND_PARSE_PARAMETERS_NONE();
  const weft::Stats stats = request != nullptr ? weft::stats() : weft::Stats{};
  const auto add = [return_value](const char* name, std::uint64_t value) {
    add_assoc_long(return_value, name, static_cast<zend_long>(value));
  };
  array_init(return_value);
  add("coroutines_total", stats.coroutines);
  add("coroutines_active", stats.active_coroutines);
  add("microtasks_queue", stats.microtasks);
  add("coroutine_queue", stats.queued);
  add("resumed_queue", 0);  // woken coroutines are in the same queue
  add("fiber_pool_count", stats.contexts_pooled);
  add("fiber_pool_capacity", stats.pool_capacity);
  add("fiber_pool_min", stats.pool_minimum);
  add("fiber_stack_size", stats.stack_size);
  add("fiber_pool_virtual_bytes", stats.pooled_bytes);
}
