#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// A number of permits, which any coroutine may acquire and release. Fair: permits go to the
/// longest waiter. Allocates no memory.
class Semaphore {
 public:
  /// Throws ValueError if `permits` is negative. 0 is allowed: permits may be released later.
  explicit Semaphore(std::ptrdiff_t permits, Place place = Place::here());
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// Suspends until the caller has a permit; not at all if one is free. Throws Cancelled,
  /// ObjectDestroyed, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; then no permit is taken.
  void acquire(Token token = {}, Place place = Place::here()) {
    if (available_ == 0) [[unlikely]]
      return wait_in_queue(token, place);
    --available_;
  }
  /// Takes a permit if one is free. Never suspends.
  [[nodiscard]] bool try_acquire() noexcept {
    if (available_ == 0) return false;
    --available_;
    return true;
  }
  /// Hands a permit to the oldest waiter, or adds it to the free ones.
  void release() noexcept {
    if (!waiters_.grant_first()) ++available_;
  }
  /// The same for `permits` at once. Throws ValueError unless `permits` is above 0.
  void release(std::ptrdiff_t permits);

  /// Permits that are free.
  [[nodiscard]] std::size_t available() const noexcept { return available_; }
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  void wait_in_queue(Token token, Place place);

  std::size_t available_;  // above 0 only while no coroutine waits
  WaitList waiters_;
};

}  // namespace weft
