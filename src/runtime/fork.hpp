#pragma once

namespace weft {

/// From now on the child of a plain fork() finds its runtime marked dead.
void watch_forks();

}  // namespace weft
