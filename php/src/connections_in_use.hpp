#pragma once

#include "engine.hpp"

namespace weft_php {

/// From now on a connection of a database, of curl or of another client serves one coroutine at a
/// time: a function that is called with one that another coroutine is parked in throws an
/// AsyncException before it does anything, so that no call frees or confuses what that coroutine
/// goes on with. Once, after all extensions were loaded.
void share_connections_in_turn();
/// Those of coroutines that a fatal error has dropped.
void forget_uses_of_connections() noexcept;

}  // namespace weft_php
