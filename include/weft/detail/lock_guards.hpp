#pragma once

#include <mutex>
#include <system_error>
#include <utility>

#include "weft/place.hpp"

// Underneath the guards of the standard library for weft's locks: mutex_guards.hpp and
// shared_mutex_guards.hpp. They do what the standard says, and pass the place where they were
// created to the lock, so that reports name that line and not one of the standard library.
namespace weft::detail {

/// How a guard holds a lock: exclusively, or as one of its readers.
struct ExclusiveHold {
  template <class M>
  static void lock(M& mutex, Place place) {
    mutex.lock({}, place);
  }
  template <class M>
  static bool try_lock(M& mutex, Place place) {
    return mutex.try_lock(place);
  }
  template <class M>
  static void unlock(M& mutex) noexcept {
    mutex.unlock();
  }
};
struct SharedHold {
  template <class M>
  static void lock(M& mutex, Place place) {
    mutex.lock_shared({}, place);
  }
  template <class M>
  static bool try_lock(M& mutex, Place place) {
    return mutex.try_lock_shared(place);
  }
  template <class M>
  static void unlock(M& mutex) noexcept {
    mutex.unlock_shared();
  }
};

/// std::unique_lock and std::shared_lock.
template <class M, class Hold>
class MovableLock {
 public:
  using mutex_type = M;
  MovableLock() noexcept = default;
  /// Suspends until the guard owns the lock. Throws what the lock throws.
  explicit MovableLock(M& mutex, Place place = Place::here())
      : mutex_{(Hold::lock(mutex, place), &mutex)}, owns_{true} {}
  MovableLock(M& mutex, std::defer_lock_t /*tag*/) noexcept : mutex_{&mutex} {}
  MovableLock(M& mutex, std::try_to_lock_t /*tag*/, Place place = Place::here())
      : mutex_{&mutex}, owns_{Hold::try_lock(mutex, place)} {}
  MovableLock(M& mutex, std::adopt_lock_t /*tag*/) noexcept : mutex_{&mutex}, owns_{true} {}
  MovableLock(MovableLock&& other) noexcept
      : mutex_{std::exchange(other.mutex_, nullptr)}, owns_{std::exchange(other.owns_, false)} {}
  MovableLock& operator=(MovableLock&& other) noexcept {
    MovableLock{std::move(other)}.swap(*this);
    return *this;
  }
  ~MovableLock() {
    if (owns_) Hold::unlock(*mutex_);
  }

  /// Suspends until the guard owns the lock. Throws what the lock throws, and std::system_error if
  /// there is no lock, or the guard owns it already.
  void lock(Place place = Place::here()) {
    check();
    Hold::lock(*mutex_, place);
    owns_ = true;
  }
  bool try_lock(Place place = Place::here()) {
    check();
    owns_ = Hold::try_lock(*mutex_, place);
    return owns_;
  }
  void unlock() {
    if (!owns_) throw std::system_error{std::make_error_code(std::errc::operation_not_permitted)};
    owns_ = false;
    Hold::unlock(*mutex_);
  }
  M* release() noexcept {
    owns_ = false;
    return std::exchange(mutex_, nullptr);
  }
  void swap(MovableLock& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(owns_, other.owns_);
  }
  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] M* mutex() const noexcept { return mutex_; }

 private:
  void check() const {
    if (mutex_ == nullptr) {
      throw std::system_error{std::make_error_code(std::errc::operation_not_permitted)};
    }
    if (owns_) {
      throw std::system_error{std::make_error_code(std::errc::resource_deadlock_would_occur)};
    }
  }

  M* mutex_ = nullptr;
  bool owns_ = false;
};

/// std::lock_guard.
template <class M>
class LockGuard {
 public:
  using mutex_type = M;
  /// Suspends until the guard owns the lock. Throws what the lock throws.
  explicit LockGuard(M& mutex, Place place = Place::here())
      : mutex_{(mutex.lock({}, place), mutex)} {}
  LockGuard(M& mutex, std::adopt_lock_t /*tag*/) noexcept : mutex_{mutex} {}
  ~LockGuard() { mutex_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  M& mutex_;
};

/// std::scoped_lock of one lock.
template <class M>
class ScopedLock : LockGuard<M> {
 public:
  using mutex_type = M;
  /// Suspends until the guard owns the lock. Throws what the lock throws.
  explicit ScopedLock(M& mutex, Place place = Place::here()) : LockGuard<M>{mutex, place} {}
  explicit ScopedLock(std::adopt_lock_t tag, M& mutex) noexcept : LockGuard<M>{mutex, tag} {}
};

}  // namespace weft::detail
