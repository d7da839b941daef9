#pragma once

namespace weft_php {

/// Gives functions of other extensions the meaning they have among coroutines. Once, after all
/// extensions were loaded.
void replace_functions();

}  // namespace weft_php
