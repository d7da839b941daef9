#pragma once

#include "scheduler/owner.hpp"

namespace weft {

/// Owns every coroutine that no other scope owns. A failure that reaches it ends the program.
class RootScope final : public Owner {
 public:
  RootScope() noexcept : Owner{false, nullptr, true} {}
};

}  // namespace weft
