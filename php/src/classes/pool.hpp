#pragma once

#include <list>
#include <optional>

#include "callable.hpp"
#include "object.hpp"
#include "value.hpp"
#include "weft/pool.hpp"

namespace weft_php {

/// Async\Pool: weft's pool of PHP values, and the leases of those that are in use.
class PoolObject final : public Object {
 public:
  using Pool = weft::Pool<Value>;
  PoolObject() noexcept = default;
  ~PoolObject() override = default;
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;
  void last_reference_went() override;
  /// What the constructor was given.
  [[nodiscard]] Handlers& handlers() noexcept { return handlers_; }

  /// Suspends if the factory does. In the runtime.
  void begin(weft::PoolOptions<Value> options, weft::Place place);
  [[nodiscard]] Pool* pool() noexcept { return pool_ ? &*pool_ : nullptr; }

  /// Keeps `lease` until its resource is released; returns that.
  const Value& lend(weft::Lease<Value> lease);
  /// Takes the lease of `resource` out; nothing if it is not on loan.
  [[nodiscard]] std::optional<weft::Lease<Value>> take_back(const zval& resource);

  Value strategy;  // a CircuitBreakerStrategy, or nothing

 private:
  std::optional<Pool> pool_;
  std::list<weft::Lease<Value>> leases_;
  Handlers handlers_;
};

}  // namespace weft_php
