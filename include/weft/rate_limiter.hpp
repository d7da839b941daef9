#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <vector>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// Lets at most `permits` calls through in any interval of length `per`, not only on average. Fair:
/// the longest waiter goes first. Stores `permits` time points, and allocates nothing after that.
class RateLimiter {
 public:
  /// Throws ValueError unless both are above 0.
  RateLimiter(std::ptrdiff_t permits, TimeSpan per, Place place = Place::here());
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;

  /// Suspends until the caller may go through; not at all if it may now. Throws Cancelled,
  /// ObjectDestroyed, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; then no permit is used.
  void acquire(Token token = {}, Place place = Place::here());
  /// Takes a permit if one is free and no coroutine waits. Never suspends.
  [[nodiscard]] bool try_acquire() noexcept;
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept {
    return waiters_.size() + (has_leader_ ? 1 : 0);
  }

 private:
  class Leader;
  bool take() noexcept;

  Duration per_;
  std::vector<TimePoint> free_at_;  // when each permit may be used again, the next one at next_
  std::size_t next_ = 0;
  bool has_leader_ = false;  // one coroutine waits for the clock; all others wait for it
  WaitList leader_;
  WaitList waiters_;
};

}  // namespace weft
