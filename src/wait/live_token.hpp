#pragma once

#include "weft/token.hpp"

namespace weft {

/// The event of `token`, which ends a wait that is about to begin; its result is used. Throws
/// TimedOut or OperationCancelled if it has ended already.
[[nodiscard]] Event& live_event_of(const Token& token);

}  // namespace weft
