#include "weft/semaphore.hpp"

#include "base/planted.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

std::size_t checked(std::ptrdiff_t permits, std::ptrdiff_t least, const char* complaint) {
  if (permits < least) throw ValueError{complaint};
  return static_cast<std::size_t>(permits);
}

}  // namespace

Semaphore::Semaphore(std::ptrdiff_t permits, Place place)
    : available_{checked(permits, 0, "The permits of a semaphore must be >= 0")}, waiters_{place} {}

void Semaphore::wait_in_queue(Token token, Place place) {
  Waiter waiter{"Semaphore"};
  waiters_.push_back(waiter);
  try {
    waiter.wait("Semaphore::acquire()", token, place);
  } catch (...) {
    if (waiter.is_granted() && !WEFT_PLANTED(permit_not_handed_on)) release();
    throw;
  }
}

void Semaphore::release(std::ptrdiff_t permits) {
  std::size_t left = checked(permits, 1, "The permits to release must be >= 1");
  while (left > 0 && waiters_.grant_first()) --left;
  available_ += left;
}

}  // namespace weft
