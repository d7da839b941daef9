#pragma once

namespace weft_php {

/// From now on stream_set_timeout() holds for pipes and terminals as well, where the engine knows
/// no timeouts, and stream_get_meta_data() says that one has passed. It returns false, as in stock
/// PHP, until the script has used the API.
void give_pipes_timeouts();

}  // namespace weft_php
