#pragma once

#include <exception>

#include "weft/place.hpp"

namespace weft {
class Scope;
}

namespace weft::detail {

/// Underneath with_scope(): a child scope that is waited for before the block ends.
class ScopeBlock {
 public:
  explicit ScopeBlock(Place place);
  ~ScopeBlock();
  ScopeBlock(const ScopeBlock&) = delete;
  ScopeBlock& operator=(const ScopeBlock&) = delete;

  [[nodiscard]] Scope& scope() noexcept;
  /// The body ended with `error`: cancels its coroutines.
  void fail(std::exception_ptr error) noexcept;
  /// Suspends until every coroutine of the scope has ended. Throws the first failure.
  void finish(Place place);

 private:
  class FailureSink;
  FailureSink* failure_sink_;
};

}  // namespace weft::detail
