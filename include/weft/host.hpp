#pragma once

// For hosts: languages whose objects, errors and frames are not those of C++. Their objects can be
// coroutines, scopes, futures and channels, object_of() leads from an event to its object, an
// EventRef from an object to an event that lives elsewhere, and park() waits without exceptions.

#include "weft/embed.hpp"           // IWYU pragma: export
#include "weft/event.hpp"           // IWYU pragma: export
#include "weft/host_channel.hpp"    // IWYU pragma: export
#include "weft/host_coroutine.hpp"  // IWYU pragma: export
#include "weft/host_future.hpp"     // IWYU pragma: export
#include "weft/host_scope.hpp"      // IWYU pragma: export
#include "weft/park.hpp"            // IWYU pragma: export
