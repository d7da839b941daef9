#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

namespace weft {

class CoroutineBase;
struct Stats;

/// Decides where a runtime has several ways to go on, each of them right: `Options::choice`.
/// Without one the coroutine at the head of the queue runs next, and timers with the same deadline
/// happen in the order in which they were started. For tests that want another order;
/// testing::explore() brings its own and tries all.
///
/// All functions are called on the thread of the runtime, between coroutines or where one suspends:
/// they must neither throw nor suspend.
class Choice {
 public:
  virtual ~Choice() = default;
  /// Which of `ready` queued coroutines runs next: a number below `ready`, 0 for the head of the
  /// queue.
  virtual std::size_t next_ready(std::size_t ready) noexcept = 0;
  /// Which of `due` timers with the same deadline happens first: a number below `due`, 0 for the
  /// one that was started first.
  virtual std::size_t next_due(std::size_t due) noexcept = 0;
  /// `coroutine`, the current one, is about to suspend, also where no other is ready. May spawn
  /// coroutines, and cancel some.
  virtual void at_suspension(CoroutineBase& coroutine) noexcept = 0;
  /// The runtime ends with these counters; events that are still started are stopped after this.
  virtual void at_end(const Stats&) noexcept {}
};

}  // namespace weft
