#pragma once

#include "weft/stream.hpp"

/// A connection of the C interface, over any transport.
struct weft_stream {
  weft::Stream stream;
};
