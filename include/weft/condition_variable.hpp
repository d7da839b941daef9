#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <mutex>

#include "weft/extend/wait_list.hpp"
#include "weft/mutex.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Lets coroutines that hold a Mutex wait for a notification. Fair: the oldest waiter is woken
/// first. No spurious wake-ups. Allocates no memory.
class ConditionVariable {
 public:
  /// `place` is named in the error if the object is destroyed while coroutines wait.
  // NOLINTNEXTLINE(google-explicit-constructor)
  ConditionVariable(Place place = Place::here()) noexcept : waiters_{place} {}
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  /// Suspends, with the mutex unlocked, until notified. Throws Cancelled, and, when `token` fires
  /// first, TimedOut for a timeout, otherwise OperationCancelled. The mutex is locked again in
  /// every case, and that wait cannot be cancelled: the holder of the mutex can delay a
  /// cancellation, and one that arrives meanwhile is thrown at the next suspension. If a notified
  /// waiter is cancelled, the notification goes to the next waiter. Throws MisuseError, and changes
  /// nothing, unless the caller holds `lock`. Throws ObjectDestroyed if the ConditionVariable is
  /// destroyed meanwhile, or the mutex: then `lock` no longer refers to it.
  void wait(std::unique_lock<Mutex>& lock, Token token = {}, Place place = Place::here());
  /// Suspends until `predicate()` is true, which is called with the mutex locked.
  template <std::predicate P>
  void wait(std::unique_lock<Mutex>& lock, P predicate, Token token = {},
            Place place = Place::here()) {
    while (!predicate()) wait(lock, token, place);
  }

  /// Wakes the oldest waiter, if there is one.
  void notify_one() noexcept;
  /// Wakes all current waiters.
  void notify_all() noexcept;
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  class QueuedWaiter;
  class Unlocked;
  WaitList waiters_;
};

}  // namespace weft
