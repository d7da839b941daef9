#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Counts running operations; coroutines wait until there are none. Reusable. Allocates no memory.
class WaitGroup {
 public:
  /// `place` is named in the error if the object is destroyed while coroutines wait.
  // NOLINTNEXTLINE(google-explicit-constructor)
  WaitGroup(Place place = Place::here()) noexcept : waiters_{place} {}
  WaitGroup(const WaitGroup&) = delete;
  WaitGroup& operator=(const WaitGroup&) = delete;

  /// Adds `number` operations. Throws ValueError unless it is above 0.
  void add(std::ptrdiff_t number = 1);
  /// Ends one operation; the last one wakes all waiters. Throws MisuseError if none is running.
  void done();
  /// Suspends until no operation is running; not at all if none is. A woken coroutine goes on, even
  /// if an operation is added before it runs. Throws Cancelled, ObjectDestroyed if the WaitGroup is
  /// destroyed while operations run, and, when `token` fires first, TimedOut for a timeout,
  /// otherwise OperationCancelled.
  void wait(Token token = {}, Place place = Place::here()) {
    if (count_ != 0) wait_in_queue(token, place);
  }
  /// How many operations are running.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  void wait_in_queue(Token token, Place place);

  std::size_t count_ = 0;
  WaitList waiters_;
};

}  // namespace weft
