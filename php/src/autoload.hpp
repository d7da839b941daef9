#pragma once

namespace weft_php {

/// Lets a coroutine that needs a class which another one is loading wait for it. Once, after all
/// extensions were loaded.
void wait_for_autoloaders();

}  // namespace weft_php
