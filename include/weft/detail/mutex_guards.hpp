#pragma once

#include <mutex>

#include "weft/detail/lock_guards.hpp"
#include "weft/mutex.hpp"

template <>
class std::lock_guard<weft::Mutex> : public weft::detail::LockGuard<weft::Mutex> {
 public:
  using LockGuard::LockGuard;
};

template <>
class std::scoped_lock<weft::Mutex> : public weft::detail::ScopedLock<weft::Mutex> {
 public:
  using ScopedLock::ScopedLock;
};

template <>
class std::unique_lock<weft::Mutex>
    : public weft::detail::MovableLock<weft::Mutex, weft::detail::ExclusiveHold> {
 public:
  using MovableLock::MovableLock;
};
