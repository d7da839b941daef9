#pragma once

#include "weft/stream.hpp"

/// A connection of the C interface, whatever it goes through.
struct weft_stream {
  weft::Stream stream;
};
