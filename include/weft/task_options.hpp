#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/ref.hpp"
#include "weft/scope.hpp"

namespace weft {

/// How a group runs its tasks.
struct TaskOptions {
  /// At most this many run at once; the others queue in the order of spawning. 0: no limit.
  std::size_t concurrency = 0;
  /// At most this many queue before spawn() suspends. By default twice the concurrency; 0: no
  /// limit.
  std::optional<std::size_t> queue_limit = std::nullopt;
  /// The scope of the tasks; by default a child of the current scope that the group owns.
  Ref<Scope> scope = nullptr;
};

}  // namespace weft
