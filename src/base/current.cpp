#include "base/current.hpp"

namespace weft {

constinit thread_local Current current_thread;

}  // namespace weft
