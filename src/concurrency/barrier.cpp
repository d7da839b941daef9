#include "weft/barrier.hpp"

#include "weft/error.hpp"

namespace weft {

Barrier::Barrier(std::ptrdiff_t parties, Place place)
    : parties_{static_cast<std::size_t>(parties)}, waiters_{place} {
  if (parties < 1) throw ValueError{"The parties of a barrier must be >= 1"};
}

void Barrier::arrive_and_wait(Token token, Place place) {
  if (waiters_.size() + 1 == parties_) drop_decided_waiters();
  if (waiters_.size() + 1 < parties_) {
    Waiter waiter{"Barrier"};
    waiters_.push_back(waiter);
    return waiter.wait("Barrier::arrive_and_wait()", token, place);
  }
  while (waiters_.grant_first()) {
  }
}

/// A cancelled coroutine is in the list until it runs, but its wait is decided.
void Barrier::drop_decided_waiters() noexcept {
  Waiter* next = nullptr;
  for (Waiter* waiter = waiters_.first(); waiter != nullptr; waiter = next) {
    next = waiter->next();
    if (!waiter->is_awaited()) waiter->leave();
  }
}

}  // namespace weft
