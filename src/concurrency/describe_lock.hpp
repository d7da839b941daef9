#pragma once

#include <string>

#include "weft/detail/lock_owner.hpp"
#include "weft/place.hpp"

// How the deadlock report names locks.
namespace weft {

/// "Mutex created at file:line".
[[nodiscard]] std::string describe_lock(const char* kind, Place created);
/// "Coroutine 2 (alice), which locked it at file:line".
[[nodiscard]] std::string describe_lock_owner(detail::LockOwner owner, Place locked_at);

}  // namespace weft
