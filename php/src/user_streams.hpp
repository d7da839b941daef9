#pragma once

namespace weft_php {

/// From now on a stream of a wrapper that is written in PHP is read and written by one coroutine at
/// a time, as others are: its methods may suspend, and the engine goes on with its buffer then.
void read_user_streams_in_turn();

}  // namespace weft_php
