#pragma once

#include <cstddef>

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Counts things under way; others wait until there are none. Can be used again and again. Needs no
/// memory.
class WaitGroup {
 public:
  /// `place` is named when it is destroyed while coroutines wait.
  // NOLINTNEXTLINE(google-explicit-constructor)
  WaitGroup(Place place = Place::here()) noexcept : waiters_{place} {}
  WaitGroup(const WaitGroup&) = delete;
  WaitGroup& operator=(const WaitGroup&) = delete;

  /// Counts `number` more. Throws ValueError unless it is above 0.
  void add(std::ptrdiff_t number = 1);
  /// Counts one less; the last one wakes all who wait. Throws MisuseError if nothing is under way.
  void done();
  /// Suspends until nothing is under way; returns at once if nothing is. Whoever was woken goes on,
  /// even if something is added before it runs. Throws Cancelled, OperationCancelled when `token`
  /// comes first, and ObjectDestroyed if the WaitGroup goes while something is under way.
  void wait(Token token = {}, Place place = Place::here()) {
    if (count_ != 0) wait_in_line(token, place);
  }
  /// How many are under way.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  void wait_in_line(Token token, Place place);

  std::size_t count_ = 0;
  WaitList waiters_;
};

}  // namespace weft
