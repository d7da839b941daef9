#pragma once

#include "engine.hpp"

namespace weft_php {

/// Replaces the function `name`, if there is one; returns what it was, or null.
zif_handler replace_function(const char* name, zif_handler with);

/// Gives functions of other extensions the meaning they have among coroutines. Once, after all
/// extensions were loaded.
void replace_functions();

}  // namespace weft_php
