#pragma once

#include "engine.hpp"

namespace weft_php {

/// Replaces the function `name`, if there is one; returns what it was, or null.
zif_handler replace_function(const char* name, zif_handler with);

/// Replaces pcntl_fork() and stream_select(), for which the bridge is not enough. Call it once,
/// after all extensions were loaded.
void replace_functions();

}  // namespace weft_php
