#pragma once

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

/// What std::unique_lock and std::shared_lock have in common.
template <class M, class Hold>
class MovableGuard {
 public:
  using mutex_type = M;
  MovableGuard(const MovableGuard&) = delete;
  MovableGuard& operator=(const MovableGuard&) = delete;

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
  [[nodiscard]] bool owns_lock() const noexcept { return owns_; }
  explicit operator bool() const noexcept { return owns_; }
  [[nodiscard]] M* mutex() const noexcept { return mutex_; }

 protected:
  MovableGuard() noexcept = default;
  MovableGuard(M* mutex, bool owns) noexcept : mutex_{mutex}, owns_{owns} {}
  ~MovableGuard() {
    if (owns_) Hold::unlock(*mutex_);
  }
  void take(MovableGuard& other) noexcept {
    mutex_ = std::exchange(other.mutex_, nullptr);
    owns_ = std::exchange(other.owns_, false);
  }
  void swap_with(MovableGuard& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(owns_, other.owns_);
  }

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

/// What std::lock_guard and std::scoped_lock have in common.
template <class M>
class FixedGuard {
 public:
  using mutex_type = M;
  FixedGuard(const FixedGuard&) = delete;
  FixedGuard& operator=(const FixedGuard&) = delete;

 protected:
  explicit FixedGuard(M& mutex) noexcept : mutex_{mutex} {}
  ~FixedGuard() { mutex_.unlock(); }

 private:
  M& mutex_;
};

}  // namespace weft::detail
