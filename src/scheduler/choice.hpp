#pragma once

#include <cstddef>

namespace weft {

class CoroutineBase;
class Scheduler;
struct Stats;

/// Decides where a single-threaded runtime has several ways to go on. Production has none (a null
/// pointer) and takes the head of the queue; tests bring a seed, an enumeration or a recording.
class Choice {
 public:
  virtual ~Choice() = default;
  /// Which of `ready` queued coroutines runs next.
  virtual std::size_t next_ready(std::size_t ready) noexcept = 0;
  /// Which of `due` timers with the same deadline notifies first.
  virtual std::size_t next_due(std::size_t due) noexcept = 0;
  /// A coroutine is about to park: a test may cancel a coroutine here.
  virtual void at_suspension(Scheduler& scheduler, CoroutineBase& coroutine) noexcept = 0;
  /// The runtime ends with these counters; events that are still armed are disarmed after this.
  virtual void at_end(const Stats&) noexcept {}
};

}  // namespace weft
