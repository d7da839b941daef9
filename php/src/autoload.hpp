#pragma once

namespace weft_php {

/// Makes a coroutine wait if it needs a class that another one is loading. Call it once, after all
/// extensions were loaded.
void wait_for_autoloaders();

}  // namespace weft_php
