#pragma once

#include <mutex>
#include <shared_mutex>

#include "weft/detail/lock_guards.hpp"
#include "weft/shared_mutex.hpp"

template <>
class std::lock_guard<weft::SharedMutex> : public weft::detail::LockGuard<weft::SharedMutex> {
 public:
  using LockGuard::LockGuard;
};

template <>
class std::scoped_lock<weft::SharedMutex> : public weft::detail::ScopedLock<weft::SharedMutex> {
 public:
  using ScopedLock::ScopedLock;
};

template <>
class std::unique_lock<weft::SharedMutex>
    : public weft::detail::MovableLock<weft::SharedMutex, weft::detail::ExclusiveHold> {
 public:
  using MovableLock::MovableLock;
};

template <>
class std::shared_lock<weft::SharedMutex>
    : public weft::detail::MovableLock<weft::SharedMutex, weft::detail::SharedHold> {
 public:
  using MovableLock::MovableLock;
};
