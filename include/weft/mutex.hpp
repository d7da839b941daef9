#pragma once

#include "weft/detail/holder.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Mutual exclusion between coroutines. Fair: the lock goes to who has waited longest, and whoever
/// unlocks and locks again stands behind those who wait. Needs no memory. Works with
/// std::unique_lock, std::lock_guard and std::scoped_lock.
///
/// It belongs to the coroutine that locked it. Mistakes are found in every build: lock() by the
/// owner throws MisuseError; unlock() of what is not locked, or by another coroutine, aborts with a
/// sentence, because destructors call it.
class Mutex {
 public:
  /// `place` is named in reports.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Mutex(Place place = Place::here()) noexcept : waiters_{place} {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  /// Suspends until the lock is ours; at once if it is free. Throws Cancelled, OperationCancelled
  /// when `token` fires first, ObjectDestroyed if the mutex goes meanwhile, and MisuseError if it
  /// is ours already; the lock is not taken then. The deadlock report names the owner and `place`.
  void lock(Token token = {}, Place place = Place::here()) {
    if (owner_ != nullptr) [[unlikely]]
      return lock_contended(token, place);
    owner_ = detail::this_holder();
    taken_at_ = PackedPlace{place};
  }
  /// Takes the lock if nobody has it, not even the caller. Never suspends.
  [[nodiscard]] bool try_lock(Place place = Place::here()) noexcept {
    if (owner_ != nullptr) return false;
    owner_ = detail::this_holder();
    taken_at_ = PackedPlace{place};
    return true;
  }
  /// Gives the lock to the oldest waiter, or frees it. Aborts unless the caller owns it.
  void unlock() noexcept {
    if (owner_ != detail::this_holder() || !waiters_.is_empty()) [[unlikely]]
      return unlock_contended();
    owner_ = nullptr;
  }

  [[nodiscard]] bool is_locked() const noexcept { return owner_ != nullptr; }
  /// Whether the caller holds it.
  [[nodiscard]] bool is_mine() const noexcept { return owner_ == detail::this_holder(); }
  /// How many stand in line.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  friend class ConditionVariable;
  class InLine;
  void lock_contended(Token token, Place place);
  void unlock_contended() noexcept;

  detail::Holder owner_ = nullptr;  // who was granted it counts, even if it has not run yet
  PackedPlace taken_at_;
  WaitList waiters_;
};

}  // namespace weft

// Every user of the lock sees the same guards.
#include "weft/detail/mutex_guards.hpp"
