#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <exception>

namespace weft {

/// Rejects requests to a service that is down. A Pool has one.
class CircuitBreaker {
 public:
  /// What happens to requests.
  enum class State : std::uint8_t {
    active,      ///< requests pass
    inactive,    ///< requests are rejected with ServiceUnavailable
    recovering,  ///< requests pass again, on trial
  };

  /// What happens to requests now.
  [[nodiscard]] virtual State state() const noexcept = 0;
  /// Lets requests pass.
  virtual void activate() = 0;
  /// Also rejects coroutines that already wait.
  virtual void deactivate() = 0;
  /// Lets requests pass again, on trial.
  virtual void recover() = 0;

 protected:
  CircuitBreaker() noexcept = default;
  ~CircuitBreaker() = default;
  CircuitBreaker(const CircuitBreaker&) = default;
  CircuitBreaker& operator=(const CircuitBreaker&) = default;
};

/// Decides when a circuit breaker opens and closes. Exceptions it throws are dropped.
class CircuitBreakerStrategy {
 public:
  CircuitBreakerStrategy() noexcept = default;
  virtual ~CircuitBreakerStrategy() = default;
  CircuitBreakerStrategy(const CircuitBreakerStrategy&) = delete;
  CircuitBreakerStrategy& operator=(const CircuitBreakerStrategy&) = delete;

  /// A resource was released in working order.
  virtual void report_success(CircuitBreaker& breaker) = 0;
  /// A resource was released broken.
  virtual void report_failure(CircuitBreaker& breaker, const std::exception_ptr& error) = 0;
  /// Called for each request while the breaker is inactive: true makes the breaker recovering and
  /// lets the request pass.
  [[nodiscard]] virtual bool should_recover() = 0;
};

}  // namespace weft
