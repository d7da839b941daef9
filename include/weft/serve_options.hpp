#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// Counters of a running server.
struct ServeCounts {
  std::size_t open = 0;        ///< connections being served now
  std::uint64_t accepted = 0;  ///< connections accepted so far
  std::uint64_t failed = 0;    ///< handlers, and coroutines they spawned, that threw

  /// How often accepting paused because descriptors or memory ran out, or the system refused.
  std::uint64_t pauses = 0;
};

/// How serve() accepts, and how it ends.
struct ServeOptions {
  /// Connections at once; others wait in the kernel's backlog. 0: four fifths of the descriptors
  /// that the process may have.
  std::size_t max_connections = 0;
  /// When this event happens during serve(), the server closes its listener, lets connections end,
  /// and returns.
  Token stop = {};
  /// How long connections, and coroutines their handlers spawned, may go on after that before they
  /// are cancelled. 0: not at all.
  Duration grace = std::chrono::seconds{5};
  /// Receives the errors of handlers and of coroutines they spawned; by default they are written as
  /// warnings, at most five in ten seconds, and then how many were left out. Must neither throw nor
  /// suspend.
  std::function<void(std::exception_ptr)> on_error = {};
  /// Kept up to date while the server runs.
  ServeCounts* counts = nullptr;
};

}  // namespace weft
