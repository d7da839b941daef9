#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "weft/copyable_function.hpp"

namespace weft {

class Choice;
class Clock;
class Driver;
class StackPolicy;

/// How a runtime behaves. Every field has a sensible default.
struct Options {
  /// Stack of a coroutine in bytes, beyond what the runtime itself needs. Address space: only
  /// touched pages take memory. At least 16 KiB is used, at most 1 TiB allowed, in whole pages. A
  /// runtime has stacks of at most 256 different sizes, this one and those of SpawnOptions.
  std::size_t stack_size = std::size_t{256} * 1024;
  /// Accept stacks without a guard page when the system can give no more; a canary word is checked.
  bool unguarded_stacks = false;
  /// How long a graceful shutdown may take; max() is no limit. Main and clean-up coroutines are
  /// cancelled when half of it is over at the latest; at its end the coroutines that remain are
  /// left behind, and run() throws a ShutdownError that names them.
  std::chrono::milliseconds shutdown_deadline{10'000};
  /// At that deadline: abort the process, with a report, instead of leaving coroutines behind.
  bool abort_at_deadline = false;
  /// Signals that begin a graceful shutdown, such as {SIGINT, SIGTERM}. After the shutdown run()
  /// raises the signal again with the disposition that it had before, so that the parent sees how
  /// the program ended; a second signal during the shutdown has that disposition too, by default it
  /// ends the process at once. A SignalEvent or signal() for the same number receives it instead.
  std::vector<int> shutdown_signals = {};
  /// weft::exit() and shutdown_signals: throw ExitRequested from run() instead of ending the
  /// process. It is always thrown on other threads than the first, by finish() and by
  /// testing::run().
  bool exit_throws = false;
  /// Print every waiter to on_warning when a deadlock is found.
  bool deadlock_report = true;
  /// Called, before any coroutine is cancelled, when a deadlock is found: instead of that report.
  /// It must neither throw nor suspend. See for_each_coroutine().
  CopyableFunction<void()> on_deadlock = {};
  /// While coroutines are ready, poll the reactor about this often...
  std::chrono::microseconds reactor_every{1'000};
  /// ...and read the clock for that at least every so many scheduler passes (1 to 64, adapted).
  unsigned reactor_every_switches = 64;
  /// Report an overflow of a coroutine's stack with its name before the process dies.
  bool overflow_report = true;
  /// Receives warnings; by default they go to standard error.
  CopyableFunction<void(std::string_view)> on_warning = {};

  /// Replaceable parts, for embedding and tests; null means the default. They are fixed for the
  /// life of the runtime and must outlive it.
  Clock* clock = nullptr;
  /// A custom driver replaces every event source: weft's timers and triggers belong to the default
  /// driver and are not polled then.
  Driver* driver = nullptr;
  /// Decides which ready coroutine is next; explore() brings its own.
  Choice* choice = nullptr;
  /// Decides how many unused stacks are kept.
  StackPolicy* stack_policy = nullptr;
};

}  // namespace weft
