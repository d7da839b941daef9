#pragma once

#include <cstddef>

#include "weft/ref.hpp"
#include "weft/scope.hpp"

namespace weft {

/// How a group runs its tasks.
struct TaskOptions {
  /// So many run at once; the others queue in the order in which they were spawned. 0: no limit.
  std::size_t concurrency = 0;
  /// So many queue before spawn() waits. By default twice the concurrency; 0: no limit.
  std::optional<std::size_t> queue_limit = std::nullopt;
  /// Where the tasks run; by default in a child of the current scope, which is the group's own.
  Ref<Scope> scope = nullptr;
};

}  // namespace weft
