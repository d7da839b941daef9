#pragma once

#include <concepts>
#include <cstddef>
#include <mutex>

#include "weft/extend/wait_list.hpp"
#include "weft/mutex.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Lets coroutines that hold a Mutex wait until somebody says that something has changed. Fair: the
/// oldest waiter is told first. Never wakes without reason. Needs no memory.
class ConditionVariable {
 public:
  /// `place` is named when it is destroyed while coroutines wait.
  // NOLINTNEXTLINE(google-explicit-constructor)
  ConditionVariable(Place place = Place::here()) noexcept : waiters_{place} {}
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  /// Suspends, with the mutex unlocked, until notified. Throws Cancelled, and OperationCancelled
  /// when `token` comes first. The mutex is locked again in every case, and nothing ends the wait
  /// for that, so whoever holds the mutex can hold up a cancellation; one that arrives then is
  /// thrown at the next suspension. A notification that meets a cancellation goes to the next
  /// waiter. Throws MisuseError, and leaves all as it is, unless the caller holds `lock`. Throws
  /// ObjectDestroyed if the ConditionVariable goes meanwhile, or the mutex: then `lock` has let go
  /// of it.
  void wait(std::unique_lock<Mutex>& lock, Token token = {}, Place place = Place::here());
  /// Suspends until `predicate()` is true, which is asked with the mutex locked.
  template <std::predicate P>
  void wait(std::unique_lock<Mutex>& lock, P predicate, Token token = {},
            Place place = Place::here()) {
    while (!predicate()) wait(lock, token, place);
  }

  /// Wakes the oldest waiter, if there is one.
  void notify_one() noexcept;
  /// Wakes all who wait now.
  void notify_all() noexcept;
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  class InLine;
  class Unlocked;
  WaitList waiters_;
};

}  // namespace weft
