#pragma once

#include <concepts>
#include <functional>

#include "weft/options.hpp"

namespace weft {

struct CoresOptions {
  /// Of each runtime.
  Options runtime = {};
  /// Keep each thread on a core of its own, as far as there are so many. Does nothing in a build
  /// with WEFT_PORTABLE.
  bool pinned = true;
};

/// Runs `body(core)` as the main coroutine of a runtime of its own in each of `cores` threads, the
/// calling one among them, and returns when all have ended; 0 is one for each core of the machine.
/// This is how a weft program uses several cores: the runtimes share nothing, and listeners made
/// with `reuse_port` share a port.
///
/// The first failure shuts the other runtimes down gracefully and is thrown here. So do exit() and
/// a shutdown signal, which end the process when all runtimes have ended; see Options. A shutdown()
/// of one of them, while its body runs, is a shutdown of all. Throws MisuseError if the calling
/// thread has a runtime, ValueError for more than 1,024 cores, and std::system_error if there is no
/// thread to be had.
void run_on_cores(unsigned cores, const std::function<void(unsigned core)>& body,
                  const CoresOptions& options = {});
/// The same for a body that does not ask which one it is.
template <std::invocable F>
requires(!std::invocable<F&, unsigned>) void run_on_cores(unsigned cores, F body,
                                                          const CoresOptions& options = {}) {
  run_on_cores(cores, std::function<void(unsigned)>{[&body](unsigned) { body(); }}, options);
}

}  // namespace weft
