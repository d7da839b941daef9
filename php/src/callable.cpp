#include "callable.hpp"

namespace weft_php {

Callable::Callable(const zend_fcall_info& function, const zend_fcall_info_cache& found) {
  zend_function* const handler = found.function_handler;
  const bool is_closure = Z_TYPE(function.function_name) == IS_OBJECT &&
                          Z_OBJCE(function.function_name) == zend_ce_closure;
  // A private method, or parent::method(), can be called from the scope where it was named: later
  // only a closure knows it. The function behind __call() has been released already.
  if (handler == nullptr || is_closure) {
    function_ = Value{function.function_name};
    return;
  }
  zval self;
  zval closure;
  ZVAL_UNDEF(&self);
  if (found.object != nullptr) ZVAL_OBJ(&self, found.object);
  zend_create_fake_closure(&closure, handler, handler->common.scope, found.called_scope,
                           found.object != nullptr ? &self : nullptr);
  function_ = Value::adopt(closure);
}

Callable::Callable(const zend_fcall_info& function, const zend_fcall_info_cache& found,
                   const zval* arguments, std::uint32_t count, HashTable* named)
    : Callable{function, found} {
  keep(arguments, count, named);
}

Callable::Callable(zend_object& closure, const zval* arguments, std::uint32_t count,
                   HashTable* named)
    : function_{closure} {
  keep(arguments, count, named);
}

void Callable::keep(const zval* arguments, std::uint32_t count, HashTable* named) {
  arguments_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) arguments_.emplace_back(arguments[i]);
  if (named != nullptr) {
    zval array;
    ZVAL_ARR(&array, zend_array_dup(named));
    named_ = Value::adopt(array);
  }
}

void Callable::call(zval* result) {
  static_assert(sizeof(Value) == sizeof(zval));
  zend_fcall_info call = empty_fcall_info;
  call.size = sizeof call;
  ZVAL_COPY_VALUE(&call.function_name, function_.get());
  call.retval = result;
  call.params = reinterpret_cast<zval*>(arguments_.data());
  call.param_count = static_cast<std::uint32_t>(arguments_.size());
  call.named_params = named_.is_set() ? Z_ARRVAL_P(named_.get()) : nullptr;
  zend_call_function(&call, nullptr);
}

void Callable::call(zval* result, zval* arguments, std::uint32_t count) const {
  zend_fcall_info call = empty_fcall_info;
  call.size = sizeof call;
  ZVAL_COPY_VALUE(&call.function_name, function_.get());
  call.retval = result;
  call.params = arguments;
  call.param_count = count;
  zend_call_function(&call, nullptr);
}

void Callable::add_references(zend_get_gc_buffer* buffer) {
  zend_get_gc_buffer_add_zval(buffer, function_.get());
  for (Value& argument : arguments_) zend_get_gc_buffer_add_zval(buffer, argument.get());
  zend_get_gc_buffer_add_zval(buffer, named_.get());
}

void Callable::release() {
  function_.release();
  for (Value& argument : arguments_) argument.release();
  named_.release();
}

std::shared_ptr<const Callable> Handlers::add(Callable callable) {
  std::erase_if(made_, [](const std::weak_ptr<Callable>& made) { return made.expired(); });
  auto made = std::make_shared<Callable>(std::move(callable));
  made_.push_back(made);
  return made;
}

void Handlers::add_references(zend_get_gc_buffer* buffer) const {
  for (const std::weak_ptr<Callable>& made : made_) {
    if (const std::shared_ptr<Callable> callable = made.lock()) callable->add_references(buffer);
  }
}

std::string Callable::name() const {
  if (zend_object* const closure = function_.object(); closure != nullptr) {
    if (closure->ce != zend_ce_closure) return ZSTR_VAL(closure->ce->name);
    zval self;
    ZVAL_OBJ(&self, closure);
    const zend_function* const code = zend_get_closure_method_def(closure);
    return code->common.function_name != nullptr ? ZSTR_VAL(code->common.function_name) : "";
  }
  if (function_.is_set() && Z_TYPE_P(function_.get()) == IS_STRING) {
    return Z_STRVAL_P(function_.get());
  }
  return "";
}

}  // namespace weft_php
