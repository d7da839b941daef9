#include "classes/pool_breaker.hpp"

#include <cstring>

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/pool.hpp"

namespace weft_php {
namespace {

/// Calls `method` of a CircuitBreakerStrategy, which may remove itself meanwhile, with the pool and
/// perhaps an exception. In the engine.
void call_strategy(zend_object* strategy, const char* method, zval* result, zval* pool,
                   zval* error) {
  const std::uint32_t count = pool == nullptr ? 0 : error == nullptr ? 1 : 2;
  zval kept;
  ZVAL_OBJ_COPY(&kept, strategy);
  ZVAL_UNDEF(result);
  zend_call_method(strategy, strategy->ce, nullptr, method, std::strlen(method), result, count,
                   pool, error);
  zval_ptr_dtor(&kept);
}

/// Calls the strategy of the object, if it has one at that moment.
class Breaker final : public weft::CircuitBreakerStrategy {
 public:
  explicit Breaker(PoolObject& object) noexcept : object_{object} {}
  ~Breaker() override = default;

 private:
  void report_success(weft::CircuitBreaker& /*breaker*/) override { report("reportsuccess", {}); }
  void report_failure(weft::CircuitBreaker& /*breaker*/,
                      const std::exception_ptr& /*error*/) override {
    report("reportfailure", "Resource validation failed");
  }
  [[nodiscard]] bool should_recover() override {
    bool answer = false;
    if (object_.strategy.object() == nullptr) return answer;
    in_engine([&] {
      zval result;
      call_strategy(object_.strategy.object(), "shouldrecover", &result, nullptr, nullptr);
      answer = Z_TYPE(result) == IS_TRUE;
      zval_ptr_dtor(&result);
    });
    return answer;
  }
  void report(const char* method, const char* failure) {
    if (object_.strategy.object() == nullptr) return;
    in_engine([&] {
      zval pool;
      zval error;
      zval result;
      ZVAL_OBJ_COPY(&pool, object_.self());
      ZVAL_UNDEF(&error);
      if (failure != nullptr) make_exception(zend_ce_exception, failure).copy_to(&error);
      call_strategy(object_.strategy.object(), method, &result, &pool,
                    failure != nullptr ? &error : nullptr);
      zval_ptr_dtor(&result);
      zval_ptr_dtor(&error);
      zval_ptr_dtor(&pool);
    });
  }
  PoolObject& object_;
};

}  // namespace

std::unique_ptr<weft::CircuitBreakerStrategy> make_breaker(PoolObject& pool) {
  return std::make_unique<Breaker>(pool);
}

}  // namespace weft_php
