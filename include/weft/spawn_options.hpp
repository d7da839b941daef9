#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <string_view>

#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// Options of spawn(). `stack_size` 0 means the default of the runtime's Options; a runtime has
/// stacks of at most 256 different sizes.
struct SpawnOptions {
  /// Shown in reports and by name().
  std::string_view name = {};
  /// Where the coroutine enters the run queue.
  Priority priority = Priority::normal;
  /// In bytes; 0 means Options::stack_size.
  std::size_t stack_size = 0;
  /// Spawns a clean-up coroutine: it is not cancelled, neither directly nor by its scope, a
  /// shutdown or a deadlock, until half of the shutdown's deadline is over or no other coroutine
  /// can run any more. A cancelled scope admits it and closes only after it has ended. Spawned by a
  /// switch handler, it belongs to the scope of the coroutine that the handler was called for.
  /// Coroutines it spawns are cancelled as usual, unless they set `cleanup` too.
  bool cleanup = false;
};

}  // namespace weft
