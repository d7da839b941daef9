#pragma once

#include "engine.hpp"

namespace weft_php {

/// Call them when the PHP function of `frame` parks, and when it resumes: the streams among its
/// arguments are in use meanwhile. Closing one would free what the function goes on with.
void begin_use_of_streams(zend_execute_data* frame) noexcept;
void end_use_of_streams(zend_execute_data* frame) noexcept;
/// The descriptor of an open stream; -1 if there is none.
[[nodiscard]] int descriptor_of(zval* stream);
/// Forgets the uses of coroutines that a fatal error has dropped.
void forget_uses_of_streams() noexcept;

/// From now on fclose() and pclose() wake the coroutines that are parked on their stream, and wait
/// until these have left it.
void close_streams_when_left();

}  // namespace weft_php
