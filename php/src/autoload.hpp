#pragma once

namespace weft_php {

/// Makes a coroutine wait if it needs a class that another one is loading. Call it once, after all
/// extensions were loaded.
void wait_for_autoloaders();
/// Those of coroutines that were left behind never end.
void forget_autoloaders() noexcept;

}  // namespace weft_php
