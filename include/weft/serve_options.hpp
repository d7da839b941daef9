#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// How a server has fared so far.
struct ServeCounts {
  std::size_t open = 0;        ///< connections being served now
  std::uint64_t accepted = 0;  ///< connections ever
  std::uint64_t failed = 0;    ///< connections whose handler threw, and what handlers spawned
  /// How often accepting paused because descriptors or memory ran out, or the system refused.
  std::uint64_t pauses = 0;
};

struct ServeOptions {
  /// Connections at once; others wait in the kernel's queue. 0: four fifths of the descriptors that
  /// the process may have.
  std::size_t max_connections = 0;
  /// Any event: when it happens, from the call on, the server closes its listener, lets what runs
  /// end, and returns.
  Token stop = {};
  /// How long connections, and what their handlers spawned, may go on after that before they are
  /// cancelled. 0: not at all.
  Duration grace = std::chrono::seconds{5};
  /// Gets what a handler throws, and what a coroutine does that one spawned; by default it is
  /// written as a warning, at most five of them in ten seconds, and then how many were left out.
  /// Must neither throw nor suspend.
  std::function<void(std::exception_ptr)> on_error = {};
  /// Kept up to date while the server runs.
  ServeCounts* counts = nullptr;
};

}  // namespace weft
