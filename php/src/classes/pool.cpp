#include "classes/pool.hpp"

#include <chrono>
#include <limits>

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/pool_breaker.hpp"
#include "parameters.hpp"
#include "place.hpp"
#include "weft/circuit_breaker.hpp"

namespace weft_php {
namespace {

/// Calls a hook of the pool. True unless it returned false.
bool accepts(const Callable& hook, Value& resource) {
  bool is_accepted = true;
  in_engine([&] {
    zval argument;
    zval result;
    ZVAL_UNDEF(&result);
    resource.copy_to(&argument);
    hook.call(&result, &argument, 1);
    is_accepted = Z_TYPE(result) != IS_FALSE;
    zval_ptr_dtor(&result);
    zval_ptr_dtor(&argument);
  });
  return is_accepted;
}

}  // namespace

void PoolObject::begin(weft::PoolOptions<Value> options, weft::Place place) {
  options.breaker = make_breaker(*this);
  pool_.emplace(std::move(options), place);
}

const Value& PoolObject::lend(weft::Lease<Value> lease) {
  return *leases_.emplace_back(std::move(lease));
}

std::optional<weft::Lease<Value>> PoolObject::take_back(const zval& resource) {
  for (auto lease = leases_.begin(); lease != leases_.end(); ++lease) {
    if (!zend_is_identical((**lease).get(), const_cast<zval*>(&resource))) continue;
    std::optional<weft::Lease<Value>> taken{std::move(*lease)};
    leases_.erase(lease);
    return taken;
  }
  return std::nullopt;
}

/// Resources in use are destroyed too: nothing can release them any more.
void PoolObject::last_reference_went() {
  if (!pool_ || request == nullptr) return;
  (void)in_runtime([this] {
    std::exception_ptr error;
    strategy.reset();
    try {
      pool_->close();
    } catch (...) {
      error = std::current_exception();
    }
    auto leases = std::exchange(leases_, {});
    leases.clear();
    pool_.reset();
    handlers_.forget();
    if (error != nullptr) std::rethrow_exception(error);
  });
}

void PoolObject::release_references() {
  with_exception_aside([this] { last_reference_went(); });
}

void PoolObject::add_references(zend_get_gc_buffer* buffer) {
  strategy.add_to(buffer);
  handlers_.add_references(buffer);
  for (const weft::Lease<Value>& lease : leases_) (*lease).add_to(buffer);
  if (pool_) {
    weft::for_each_held(*pool_, [buffer](const Value& resource) { resource.add_to(buffer); });
  }
}

void set_up_pool() { ce_Async_Pool->create_object = ObjectKind<PoolObject>::create; }

namespace {

PoolObject* self_of(zval* self) {
  auto& object = static_cast<PoolObject&>(Object::of(self));
  if (object.pool() != nullptr && request != nullptr) return &object;
  zend_throw_exception(ce_Async_PoolException, "Pool is not initialized", 0);
  return nullptr;
}

template <class Work>
void run(INTERNAL_FUNCTION_PARAMETERS, Work&& work) {
  ZEND_PARSE_PARAMETERS_NONE();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  (void)in_runtime([&] { work(*self->pool()); });
}

template <class Count>
void return_count(INTERNAL_FUNCTION_PARAMETERS, Count&& count) {
  ZEND_PARSE_PARAMETERS_NONE();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_LONG(static_cast<zend_long>(count(*self->pool())));
}

/// A function of the constructor, if it was given.
struct Given {
  zend_fcall_info function = empty_fcall_info;
  zend_fcall_info_cache found = empty_fcall_info_cache;
  [[nodiscard]] bool is_given() const noexcept { return ZEND_FCI_INITIALIZED(function); }
  [[nodiscard]] Callable callable() const { return Callable{function, found}; }
};

/// The arguments of the constructor, with their defaults.
struct Arguments {
  Given factory;
  Given destructor;
  Given healthcheck;
  Given before_acquire;
  Given before_release;
  zend_long min = 0;
  zend_long max = 10;
  zend_long interval = 0;  // milliseconds
};

bool expect_limits(const Arguments& given) {
  constexpr zend_long most = std::numeric_limits<int>::max();
  if (given.min < 0) {
    zend_argument_value_error(6, "must be >= 0");
  } else if (given.max < 1) {
    zend_argument_value_error(7, "must be >= 1");
  } else if (given.max > most) {
    zend_argument_value_error(7, "must be between 1 and " ZEND_LONG_FMT, most);
  } else if (given.min > given.max) {
    zend_argument_value_error(6, "must be <= max");
  } else if (given.interval < 0) {
    zend_argument_value_error(8, "must be >= 0");
  }
  return EG(exception) == nullptr;
}

/// What a pool creates its resources with: a factory that returns null has failed.
Value create_resource(const Callable& factory) {
  Value made;
  in_engine([&] {
    factory.call(made.get(), nullptr, 0);
    if (EG(exception) != nullptr || Z_TYPE_P(made.get()) != IS_NULL) return;
    zend_throw_exception(ce_Async_PoolException, "Failed to create pool resource", 0);
  });
  return made;
}

/// The options of a pool whose hooks call the functions in `given`. In the runtime.
weft::PoolOptions<Value> options_from(const Arguments& given, Handlers& handlers) {
  const auto keep = [&](const Given& one) { return handlers.add(one.callable()); };
  const auto hook = [&](const Given& one) {
    return [callable = keep(one)](Value& resource) { return accepts(*callable, resource); };
  };
  weft::PoolOptions<Value> options;
  options.min = static_cast<int>(given.min);
  options.max = static_cast<int>(given.max);
  options.check_every = weft::TimeSpan{std::chrono::milliseconds{given.interval}};
  options.create = [callable = keep(given.factory)]() -> std::optional<Value> {
    return create_resource(*callable);
  };
  if (given.destructor.is_given()) {
    options.destroy = [callable = keep(given.destructor)](Value& resource) {
      if (request != nullptr) (void)accepts(*callable, resource);  // else a fatal error left it
    };
  }
  if (given.healthcheck.is_given()) options.healthy = hook(given.healthcheck);
  if (given.before_acquire.is_given()) options.before_acquire = hook(given.before_acquire);
  if (given.before_release.is_given()) options.before_release = hook(given.before_release);
  return options;
}

}  // namespace
}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_Pool, __construct) {
  Arguments given;
  ZEND_PARSE_PARAMETERS_START(1, 8)
  Z_PARAM_FUNC(given.factory.function, given.factory.found)
  Z_PARAM_OPTIONAL
  Z_PARAM_FUNC_OR_NULL(given.destructor.function, given.destructor.found)
  Z_PARAM_FUNC_OR_NULL(given.healthcheck.function, given.healthcheck.found)
  Z_PARAM_FUNC_OR_NULL(given.before_acquire.function, given.before_acquire.found)
  Z_PARAM_FUNC_OR_NULL(given.before_release.function, given.before_release.found)
  Z_PARAM_LONG(given.min)
  Z_PARAM_LONG(given.max)
  Z_PARAM_LONG(given.interval)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = static_cast<PoolObject&>(Object::of(ZEND_THIS));
  if (!expect_limits(given) || !start()) RETURN_THROWS();
  if (self.pool() != nullptr) {
    zend_throw_error(nullptr, "Async\\Pool is constructed already");
    RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)in_runtime([&] { self.begin(options_from(given, self.handlers()), place); });
}

ZEND_METHOD(Async_Pool, acquire) {
  zend_long milliseconds = 0;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(milliseconds)
  ZEND_PARSE_PARAMETERS_END();
  if (milliseconds < 0) {
    zend_argument_value_error(1, "must be >= 0");
    RETURN_THROWS();
  }
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] {
    if (milliseconds == 0)
      return self->lend(self->pool()->acquire({}, place)).copy_to(return_value);
    try {
      weft::Timeout limit{std::chrono::milliseconds{milliseconds}};
      self->lend(self->pool()->acquire(limit, place)).copy_to(return_value);
    } catch (const weft::TimedOut&) {
      throw weft::TimedOut{};  // without a previous error it is a TimeoutException
    }
  });
}

ZEND_METHOD(Async_Pool, tryAcquire) {
  ZEND_PARSE_PARAMETERS_NONE();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  ZVAL_NULL(return_value);
  (void)in_runtime([&] {
    if (auto lease = self->pool()->try_acquire()) {
      self->lend(std::move(*lease)).copy_to(return_value);
    }
  });
}

ZEND_METHOD(Async_Pool, release) {
  zval* resource = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(resource)
  ZEND_PARSE_PARAMETERS_END();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  bool is_ours = true;
  (void)in_runtime([&] {
    auto lease = self->take_back(*resource);
    is_ours = lease.has_value();
    if (is_ours) lease->release();
  });
  if (!is_ours) {
    zend_throw_exception(ce_Async_PoolException, "The resource is not on loan from this pool", 0);
  }
}

ZEND_METHOD(Async_Pool, close) {
  run(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { pool.close(); });
}
ZEND_METHOD(Async_Pool, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->pool()->is_closed());
}
ZEND_METHOD(Async_Pool, count) {
  return_count(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { return pool.size(); });
}
ZEND_METHOD(Async_Pool, idleCount) {
  return_count(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { return pool.idle(); });
}
ZEND_METHOD(Async_Pool, activeCount) {
  return_count(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { return pool.active(); });
}

ZEND_METHOD(Async_Pool, setCircuitBreakerStrategy) {
  zend_object* strategy = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(strategy, ce_Async_CircuitBreakerStrategy)
  ZEND_PARSE_PARAMETERS_END();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  self->strategy = strategy != nullptr ? Value{*strategy} : Value{};
  request->attic.empty();
}

ZEND_METHOD(Async_Pool, getState) {
  ZEND_PARSE_PARAMETERS_NONE();
  PoolObject* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  const char* name = "ACTIVE";
  if (self->pool()->state() == weft::CircuitBreaker::State::inactive) name = "INACTIVE";
  if (self->pool()->state() == weft::CircuitBreaker::State::recovering) name = "RECOVERING";
  RETURN_OBJ_COPY(zend_enum_get_case_cstr(ce_Async_CircuitBreakerState, name));
}

ZEND_METHOD(Async_Pool, activate) {
  run(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { pool.activate(); });
}
ZEND_METHOD(Async_Pool, deactivate) {
  run(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { pool.deactivate(); });
}
ZEND_METHOD(Async_Pool, recover) {
  run(INTERNAL_FUNCTION_PARAM_PASSTHRU, [](auto& pool) { pool.recover(); });
}
