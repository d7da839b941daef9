#pragma once

#include <cstddef>

namespace weft {

class CoroutineBase;
class Scheduler;
struct Stats;

/// The seam: the places where chance enters a single-threaded runtime. Production has none (a null
/// pointer) and takes the head of the queue; tests bring a seed, an enumeration or a recording.
class Choice {
 public:
  virtual ~Choice() = default;
  /// Which of `ready` queued coroutines runs next.
  virtual std::size_t next_ready(std::size_t ready) noexcept = 0;
  /// Which of `due` timers of one moment is told first.
  virtual std::size_t next_due(std::size_t due) noexcept = 0;
  /// A coroutine is about to park: the moment at which a cancellation may land on somebody.
  virtual void at_suspension(Scheduler& scheduler, CoroutineBase& coroutine) noexcept = 0;
  /// The runtime ends with these counters; what is still armed will be taken out.
  virtual void at_end(const Stats&) noexcept {}
};

}  // namespace weft
