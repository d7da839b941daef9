#pragma once

#include "weft/detail/abi.hpp"

// For hosts: languages whose objects, errors and frames are not those of C++. Their objects can be
// coroutines, scopes, futures and channels, object_of() leads from an event to its object, an
// EventRef from an object to an event that lives elsewhere, for_each_held() to the values that they
// hold, and park() waits without exceptions.

#include "weft/extend/embed.hpp"           // IWYU pragma: export
#include "weft/extend/event.hpp"           // IWYU pragma: export
#include "weft/extend/held.hpp"            // IWYU pragma: export
#include "weft/extend/host_channel.hpp"    // IWYU pragma: export
#include "weft/extend/host_coroutine.hpp"  // IWYU pragma: export
#include "weft/extend/host_future.hpp"     // IWYU pragma: export
#include "weft/extend/host_scope.hpp"      // IWYU pragma: export
#include "weft/extend/park.hpp"            // IWYU pragma: export
