#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

namespace weft {

/// Decides how many unused contexts a runtime keeps.
class StackPolicy {
 public:
  virtual ~StackPolicy() = default;
  /// Called from time to time when idle: `in_use` now, `peak` since the last call, `pooled` now.
  /// Returns how many to keep in the pool.
  virtual std::size_t keep(std::size_t in_use, std::size_t peak, std::size_t pooled) noexcept = 0;
};

}  // namespace weft
