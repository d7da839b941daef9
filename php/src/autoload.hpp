#pragma once

namespace weft_php {

/// Lets a coroutine that needs a class which another one is loading wait for it. Once, after all
/// extensions were loaded.
void wait_for_autoloaders();
/// Those of coroutines that were left behind never end.
void forget_autoloaders() noexcept;

}  // namespace weft_php
