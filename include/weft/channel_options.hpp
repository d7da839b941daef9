#pragma once

#include "weft/time.hpp"

namespace weft {

/// Protection against partners that never come. A duration of 0 is none.
struct ChannelOptions {
  /// Close with no_producers when receivers have waited so long without any traffic.
  Duration no_producer = Duration::zero();
  /// Close with no_consumers when senders have waited so long without any traffic.
  Duration no_consumer = Duration::zero();
  /// The timers count as something that could still wake somebody, so they run their full time.
  bool hard = false;
};

}  // namespace weft
