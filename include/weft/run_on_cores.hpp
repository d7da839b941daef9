#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <functional>

#include "weft/options.hpp"

namespace weft {

/// How run_on_cores() runs.
struct CoresOptions {
  /// Options of each runtime.
  Options runtime = {};
  /// Pin each thread to a core of its own, as far as there are enough. Does nothing in a build with
  /// WEFT_PORTABLE.
  bool pinned = true;
};

/// Runs `body(core)` as the main coroutine of a runtime of its own in each of `cores` threads,
/// including the calling one, and returns when all have ended; 0 means one for each core of the
/// machine. This is how a weft program uses several cores: the runtimes share nothing, and
/// listeners made with `reuse_port` share a port.
///
/// The first failure shuts the other runtimes down gracefully and is thrown here. So do exit() and
/// a shutdown signal, which end the process when all runtimes have ended; see Options. A shutdown()
/// of one of them, while its body runs, is a shutdown of all. Throws MisuseError if the calling
/// thread has a runtime, ValueError for more than 1,024 cores, and std::system_error if a thread
/// cannot be started.
void run_on_cores(unsigned cores, const std::function<void(unsigned core)>& body,
                  const CoresOptions& options = {});
/// The same for a body without parameters.
template <std::invocable F>
requires(!std::invocable<F&, unsigned>) void run_on_cores(unsigned cores, F body,
                                                          const CoresOptions& options = {}) {
  run_on_cores(cores, std::function<void(unsigned)>{[&body](unsigned) { body(); }}, options);
}

}  // namespace weft
