#pragma once

#include "weft/token.hpp"

namespace weft {

/// The event of `token`, for a wait that is about to begin; marks its result as used. Throws
/// TimedOut or OperationCancelled if the token has fired already.
[[nodiscard]] Event& live_event_of(const Token& token);

}  // namespace weft
