#pragma once

#include <mutex>
#include <utility>

#include "weft/detail/lock_guards.hpp"
#include "weft/mutex.hpp"
#include "weft/place.hpp"

/// Suspends in its constructor, as weft::Mutex::lock() does.
template <>
class std::lock_guard<weft::Mutex> : public weft::detail::FixedGuard<weft::Mutex> {
 public:
  explicit lock_guard(weft::Mutex& mutex, weft::Place place = weft::Place::here())
      : FixedGuard{(mutex.lock({}, place), mutex)} {}
  lock_guard(weft::Mutex& mutex, std::adopt_lock_t /*tag*/) noexcept : FixedGuard{mutex} {}
};

/// Suspends in its constructor, as weft::Mutex::lock() does.
template <>
class std::scoped_lock<weft::Mutex> : public weft::detail::FixedGuard<weft::Mutex> {
 public:
  explicit scoped_lock(weft::Mutex& mutex, weft::Place place = weft::Place::here())
      : FixedGuard{(mutex.lock({}, place), mutex)} {}
  explicit scoped_lock(std::adopt_lock_t /*tag*/, weft::Mutex& mutex) noexcept
      : FixedGuard{mutex} {}
};

/// Suspends in its constructor, as weft::Mutex::lock() does, unless a tag says otherwise.
template <>
class std::unique_lock<weft::Mutex>
    : public weft::detail::MovableGuard<weft::Mutex, weft::detail::ExclusiveHold> {
 public:
  unique_lock() noexcept = default;
  explicit unique_lock(weft::Mutex& mutex, weft::Place place = weft::Place::here())
      : MovableGuard{(mutex.lock({}, place), &mutex), true} {}
  unique_lock(weft::Mutex& mutex, std::defer_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, false} {}
  unique_lock(weft::Mutex& mutex, std::try_to_lock_t /*tag*/,
              weft::Place place = weft::Place::here())
      : MovableGuard{&mutex, mutex.try_lock(place)} {}
  unique_lock(weft::Mutex& mutex, std::adopt_lock_t /*tag*/) noexcept
      : MovableGuard{&mutex, true} {}
  unique_lock(unique_lock&& other) noexcept : MovableGuard{} { take(other); }
  unique_lock& operator=(unique_lock&& other) noexcept {
    unique_lock{std::move(other)}.swap(*this);
    return *this;
  }
  ~unique_lock() = default;
  void swap(unique_lock& other) noexcept { swap_with(other); }
};
