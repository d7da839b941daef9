#pragma once

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// The lock of one direction of a stream: a coroutine that reads or writes holds it until it is
/// done, the others queue. So what two coroutines write never mixes.
class StreamLock {
 public:
  [[nodiscard]] bool is_locked() const noexcept { return locked_; }
  /// Suspends until the caller owns the lock. Throws Cancelled, what refuse_all() was given, and,
  /// when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled; then the
  /// caller does not own it.
  void lock(Token token, Place place) {
    if (!locked_) [[likely]] {
      locked_ = true;
      return;
    }
    wait_in_queue(token, place);
  }
  /// For a waiter that cannot suspend: false if it is in the queue now, and will be granted.
  bool lock_or_queue(Waiter& waiter) noexcept;
  /// The owner unlocks it only at the end of the stream. Waiters may never be granted.
  void keep() noexcept { kept_ = true; }
  void unlock() noexcept {
    locked_ = false;
    kept_ = false;
    if (!queue_.is_empty()) grant_next();
  }
  /// Permanently: a waiter that was granted and has not run since also throws that the stream was
  /// closed.
  void refuse_all(const std::exception_ptr& error) noexcept {
    refused_ = true;
    queue_.refuse_all(error);
  }
  /// The same, with the error that the stream was closed.
  void refuse_all() noexcept;

 private:
  void wait_in_queue(Token token, Place place);
  void grant_next() noexcept;

  bool locked_ = false;
  bool kept_ = false;
  bool refused_ = false;
  bool granting_ = false;  // an owner may unlock it inside its grant
  WaitList queue_;
};

/// Owns the lock while it lives.
class StreamLockGuard {
 public:
  StreamLockGuard(StreamLock& lock, Token token, Place place) : lock_{&lock} {
    lock.lock(token, place);
  }
  ~StreamLockGuard() {
    if (lock_ != nullptr) lock_->unlock();
  }
  StreamLockGuard(const StreamLockGuard&) = delete;
  StreamLockGuard& operator=(const StreamLockGuard&) = delete;
  /// Other code unlocks it.
  void release() noexcept { lock_ = nullptr; }

 private:
  StreamLock* lock_;
};

}  // namespace weft::detail
