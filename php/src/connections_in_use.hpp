#pragma once

#include "engine.hpp"

namespace weft_php {

/// From now on a connection of a database, of curl or of another client serves one coroutine at a
/// time. While a coroutine is parked in a function that uses it, other functions that are called
/// with it throw an AsyncException before they do anything: they might free or change what the
/// parked function goes on with. Call it once, after all extensions were loaded.
void share_connections_in_turn();
/// Forgets the calls of coroutines that a fatal error has dropped.
void forget_uses_of_connections() noexcept;

}  // namespace weft_php
