#pragma once

namespace weft_php {

/// From now on stream_set_timeout() also sets a timeout for pipes and terminals, for which the
/// engine has none, and stream_get_meta_data() says that it has passed. Until the script has used
/// the API, stream_set_timeout() returns false for them, as in stock PHP.
void give_pipes_timeouts();

}  // namespace weft_php
