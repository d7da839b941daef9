#pragma once

#include <cstdint>
#include <exception>

namespace weft {

/// Keeps everybody away from a service that is down. A Pool has one.
class CircuitBreaker {
 public:
  enum class State : std::uint8_t {
    active,      ///< all is well
    inactive,    ///< everybody is rejected with ServiceUnavailable
    recovering,  ///< let through again, on trial
  };

  [[nodiscard]] virtual State state() const noexcept = 0;
  virtual void activate() = 0;
  /// Rejects those who wait already, too.
  virtual void deactivate() = 0;
  virtual void recover() = 0;

 protected:
  CircuitBreaker() noexcept = default;
  ~CircuitBreaker() = default;
  CircuitBreaker(const CircuitBreaker&) = default;
  CircuitBreaker& operator=(const CircuitBreaker&) = default;
};

/// Decides when a circuit breaker opens and closes. What it throws is dropped.
class CircuitBreakerStrategy {
 public:
  CircuitBreakerStrategy() noexcept = default;
  virtual ~CircuitBreakerStrategy() = default;
  CircuitBreakerStrategy(const CircuitBreakerStrategy&) = delete;
  CircuitBreakerStrategy& operator=(const CircuitBreakerStrategy&) = delete;

  /// A resource came back in order.
  virtual void report_success(CircuitBreaker& breaker) = 0;
  /// A resource came back broken.
  virtual void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) = 0;
  /// Asked whenever somebody comes while the breaker is inactive: yes makes it recovering, and lets
  /// them in.
  [[nodiscard]] virtual bool should_recover() = 0;
};

}  // namespace weft
