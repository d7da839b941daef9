#pragma once

#include "weft/detail/abi.hpp"

#include "weft/detail/lock_owner.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Mutual exclusion between coroutines. Fair: the lock goes to the longest waiter, and a coroutine
/// that unlocks and locks again queues behind the waiters. Allocates no memory. Works with
/// std::unique_lock, std::lock_guard and std::scoped_lock.
///
/// The coroutine that locked it owns it. Misuse is detected in every build: lock() by the owner
/// throws MisuseError; unlock() of a free mutex, or by another coroutine, aborts with a message,
/// because destructors call it.
class Mutex {
 public:
  /// `place` is named in reports.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Mutex(Place place = Place::here()) noexcept : waiters_{place} {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  /// Suspends until the caller owns the lock; not at all if it is free. Throws Cancelled,
  /// ObjectDestroyed if the mutex is destroyed meanwhile, MisuseError if the caller owns it, and,
  /// when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled; then the lock
  /// is not taken. The deadlock report names the owner and `place`.
  void lock(Token token = {}, Place place = Place::here()) {
    if (owner_ != nullptr) [[unlikely]]
      return lock_contended(token, place);
    owner_ = detail::this_lock_owner();
    taken_at_ = PackedPlace{place};
  }
  /// Takes the lock if it is free; false if it is held, even by the caller. Never suspends.
  [[nodiscard]] bool try_lock(Place place = Place::here()) noexcept {
    if (owner_ != nullptr) return false;
    owner_ = detail::this_lock_owner();
    taken_at_ = PackedPlace{place};
    return true;
  }
  /// Hands the lock to the oldest waiter, or frees it. Aborts unless the caller owns it.
  void unlock() noexcept {
    if (owner_ != detail::this_lock_owner() || !waiters_.is_empty()) [[unlikely]]
      return unlock_contended();
    owner_ = nullptr;
  }

  /// Whether a coroutine holds it.
  [[nodiscard]] bool is_locked() const noexcept { return owner_ != nullptr; }
  /// Whether the caller holds it.
  [[nodiscard]] bool is_mine() const noexcept { return owner_ == detail::this_lock_owner(); }
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  friend class ConditionVariable;
  class QueuedWaiter;
  void lock_contended(Token token, Place place);
  void unlock_contended() noexcept;

  detail::LockOwner owner_ = nullptr;  // set when granted, even before the owner runs
  PackedPlace taken_at_;
  WaitList waiters_;
};

}  // namespace weft

// Included here, so that every user of the lock sees the same guards.
#include "weft/detail/mutex_guards.hpp"
