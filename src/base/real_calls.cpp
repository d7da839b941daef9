#undef _FORTIFY_SOURCE  // its inline functions stand in front of some of these
#include "base/real_calls.hpp"

namespace weft {

constinit const RealCalls real_calls{};

}  // namespace weft
