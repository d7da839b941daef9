#pragma once

namespace weft {

/// From now on a plain fork() marks the runtime as dead in the child.
void watch_forks();

}  // namespace weft
