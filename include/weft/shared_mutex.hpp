#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/detail/lock_owner.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// A lock that one writer or any number of readers hold. Fair in the order of arrival: a reader
/// that arrives after a waiting writer waits behind it, so neither side starves. Allocates no
/// memory. Works with std::unique_lock and std::shared_lock.
///
/// The writer is recorded: lock() and lock_shared() by the writer throw MisuseError; unlock() by
/// another coroutine, or of a free lock, aborts with a message. Readers are only counted:
/// unlock_shared() without a reader aborts, and a reader that locks again behind a waiting writer
/// waits for itself, which the deadlock report shows.
class SharedMutex {
 public:
  /// `place` is named in reports.
  // NOLINTNEXTLINE(google-explicit-constructor)
  SharedMutex(Place place = Place::here()) noexcept : waiters_{place} {}
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  /// Suspends until no writer and no reader holds the lock. Throws as Mutex::lock() does, including
  /// ObjectDestroyed.
  void lock(Token token = {}, Place place = Place::here()) {
    if (!is_free()) [[unlikely]]
      return wait_in_queue(true, token, place);
    take_to_write(detail::this_lock_owner(), PackedPlace{place});
  }
  /// Locks it, if that needs no wait; returns whether it did.
  [[nodiscard]] bool try_lock(Place place = Place::here()) noexcept {
    if (!is_free()) return false;
    take_to_write(detail::this_lock_owner(), PackedPlace{place});
    return true;
  }
  /// Unlocks it for the coroutines that wait.
  void unlock() noexcept {
    if (writer_ != detail::this_lock_owner() || !waiters_.is_empty()) [[unlikely]]
      return unlock_contended();
    writer_ = nullptr;
  }

  /// Suspends until no writer holds the lock and none has waited longer. Throws as lock() does.
  void lock_shared(Token token = {}, Place place = Place::here()) {
    if (!is_open_to_readers()) [[unlikely]]
      return wait_in_queue(false, token, place);
    take_to_read(detail::this_lock_owner(), PackedPlace{place});
  }
  /// Takes a shared lock, if that needs no wait; returns whether it did.
  [[nodiscard]] bool try_lock_shared(Place place = Place::here()) noexcept {
    if (!is_open_to_readers()) return false;
    take_to_read(detail::this_lock_owner(), PackedPlace{place});
    return true;
  }
  /// Gives back a shared lock.
  void unlock_shared() noexcept {
    if (last_reader_ == detail::this_lock_owner()) last_reader_ = nullptr;
    if (readers_ == 0 || (readers_ == 1 && !waiters_.is_empty())) [[unlikely]]
      return unlock_shared_contended();
    --readers_;
  }

  /// How many readers hold the lock.
  [[nodiscard]] std::size_t readers() const noexcept { return readers_; }
  /// Whether a writer holds the lock.
  [[nodiscard]] bool is_locked() const noexcept { return writer_ != nullptr; }
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  class QueuedWaiter;
  // The lock is granted as soon as it can be, so a free lock has no waiters.
  [[nodiscard]] bool is_free() const noexcept { return writer_ == nullptr && readers_ == 0; }
  [[nodiscard]] bool is_open_to_readers() const noexcept {
    return writer_ == nullptr && waiters_.is_empty();
  }
  void wait_in_queue(bool writes, Token token, Place place);
  void unlock_contended() noexcept;
  void unlock_shared_contended() noexcept;
  /// Grants the lock from the head of the queue, as far as possible.
  void grant_next() noexcept;

  void take_to_write(detail::LockOwner who, PackedPlace place) noexcept {
    writer_ = who;
    taken_at_ = place;
  }
  void take_to_read(detail::LockOwner who, PackedPlace place) noexcept {
    ++readers_;
    last_reader_ = who;
    taken_at_ = place;
  }

  detail::LockOwner writer_ = nullptr;
  std::size_t readers_ = 0;
  detail::LockOwner last_reader_ = nullptr;  // only for reports; null once it has unlocked
  PackedPlace taken_at_;                     // by the writer, or by the last reader
  WaitList waiters_;
};

}  // namespace weft

// Included here, so that every user of the lock sees the same guards.
#include "weft/detail/shared_mutex_guards.hpp"
