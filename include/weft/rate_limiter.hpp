#pragma once

#include <cstddef>
#include <vector>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// Lets at most `permits` through in any span of `per`, not only on average. Fair: those who have
/// waited longest go first. Remembers `permits` moments, and needs no memory after that.
class RateLimiter {
 public:
  /// Throws ValueError unless both are above 0.
  RateLimiter(std::ptrdiff_t permits, TimeSpan per, Place place = Place::here());
  RateLimiter(const RateLimiter&) = delete;
  RateLimiter& operator=(const RateLimiter&) = delete;

  /// Suspends until one more may go through; at once if it may now. Throws Cancelled,
  /// OperationCancelled when `token` fires first, and ObjectDestroyed; nothing is used up then.
  void acquire(Token token = {}, Place place = Place::here());
  /// Goes through if that is possible now and nobody waits. Never suspends.
  [[nodiscard]] bool try_acquire() noexcept;
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size() + (led_ ? 1 : 0); }

 private:
  class Lead;
  bool take() noexcept;

  Duration per_;
  std::vector<TimePoint> free_at_;  // when each permit may be used again, the next one at next_
  std::size_t next_ = 0;
  bool led_ = false;  // somebody waits for the clock; all others wait for it
  WaitList lead_;
  WaitList waiters_;
};

}  // namespace weft
