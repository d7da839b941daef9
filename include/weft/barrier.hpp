#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Lets a fixed number of coroutines wait for each other; reusable. Allocates no memory.
class Barrier {
 public:
  /// Throws ValueError unless `parties` is above 0.
  explicit Barrier(std::ptrdiff_t parties, Place place = Place::here());
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  /// Suspends until all parties have arrived; the last one to arrive does not suspend. Throws
  /// Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled: a coroutine that leaves before the last party arrived does not count as
  /// arrived, one cancelled after that does. Throws ObjectDestroyed if the Barrier is destroyed
  /// before the last party arrived.
  void arrive_and_wait(Token token = {}, Place place = Place::here());
  /// How many coroutines have arrived and wait for the others.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiters_.size(); }

 private:
  void drop_decided_waiters() noexcept;

  std::size_t parties_;
  WaitList waiters_;
};

}  // namespace weft
