#pragma once

#include "weft/detail/abi.hpp"

#include "weft/time.hpp"

namespace weft {

/// Timeouts for waits whose other side never comes. A duration of 0 means no timeout.
struct ChannelOptions {
  /// Closes the channel with no_producers when receivers have waited this long without traffic.
  Duration no_producer = Duration::zero();
  /// Closes the channel with no_consumers when senders have waited this long without traffic.
  Duration no_consumer = Duration::zero();
  /// For deadlock detection the timers can still wake a coroutine, so they run their full time.
  bool hard = false;
};

}  // namespace weft
