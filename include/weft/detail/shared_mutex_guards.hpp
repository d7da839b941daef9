#pragma once

#include <mutex>
#include <shared_mutex>
#include <utility>

#include "weft/detail/lock_guards.hpp"
#include "weft/place.hpp"
#include "weft/shared_mutex.hpp"

/// Suspends in its constructor, as weft::SharedMutex::lock() does.
template <>
class std::lock_guard<weft::SharedMutex> : public weft::detail::FixedGuard<weft::SharedMutex> {
 public:
  explicit lock_guard(weft::SharedMutex& mutex, weft::Place place = weft::Place::here())
      : FixedGuard{(mutex.lock({}, place), mutex)} {}
  lock_guard(weft::SharedMutex& mutex, std::adopt_lock_t /*tag*/) noexcept : FixedGuard{mutex} {}
};

/// Suspends in its constructor, as weft::SharedMutex::lock() does.
template <>
class std::scoped_lock<weft::SharedMutex> : public weft::detail::FixedGuard<weft::SharedMutex> {
 public:
  explicit scoped_lock(weft::SharedMutex& mutex, weft::Place place = weft::Place::here())
      : FixedGuard{(mutex.lock({}, place), mutex)} {}
  explicit scoped_lock(std::adopt_lock_t /*tag*/, weft::SharedMutex& mutex) noexcept
      : FixedGuard{mutex} {}
};

/// Suspends in its constructor, as weft::SharedMutex::lock() does, unless a tag says otherwise.
template <>
class std::unique_lock<weft::SharedMutex>
    : public weft::detail::MovableGuard<weft::SharedMutex, weft::detail::ExclusiveHold> {
 public:
  unique_lock() noexcept = default;
  explicit unique_lock(weft::SharedMutex& mutex, weft::Place place = weft::Place::here())
      : MovableGuard{(mutex.lock({}, place), &mutex), true} {}
  unique_lock(weft::SharedMutex& mutex, std::defer_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, false} {}
  unique_lock(weft::SharedMutex& mutex, std::try_to_lock_t /*tag*/,
              weft::Place place = weft::Place::here())
      : MovableGuard{&mutex, mutex.try_lock(place)} {}
  unique_lock(weft::SharedMutex& mutex, std::adopt_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, true} {}
  unique_lock(unique_lock&& other) noexcept : MovableGuard{} { take(other); }
  unique_lock& operator=(unique_lock&& other) noexcept {
    unique_lock{std::move(other)}.swap(*this);
    return *this;
  }
  ~unique_lock() = default;
  void swap(unique_lock& other) noexcept { swap_with(other); }
};

/// Suspends in its constructor, as weft::SharedMutex::lock_shared() does, unless a tag says
/// otherwise.
template <>
class std::shared_lock<weft::SharedMutex>
    : public weft::detail::MovableGuard<weft::SharedMutex, weft::detail::SharedHold> {
 public:
  shared_lock() noexcept = default;
  explicit shared_lock(weft::SharedMutex& mutex, weft::Place place = weft::Place::here())
      : MovableGuard{(mutex.lock_shared({}, place), &mutex), true} {}
  shared_lock(weft::SharedMutex& mutex, std::defer_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, false} {}
  shared_lock(weft::SharedMutex& mutex, std::try_to_lock_t /*tag*/,
              weft::Place place = weft::Place::here())
      : MovableGuard{&mutex, mutex.try_lock_shared(place)} {}
  shared_lock(weft::SharedMutex& mutex, std::adopt_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, true} {}
  shared_lock(shared_lock&& other) noexcept : MovableGuard{} { take(other); }
  shared_lock& operator=(shared_lock&& other) noexcept {
    shared_lock{std::move(other)}.swap(*this);
    return *this;
  }
  ~shared_lock() = default;
  void swap(shared_lock& other) noexcept { swap_with(other); }
};
