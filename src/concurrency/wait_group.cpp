#include "weft/wait_group.hpp"

#include <limits>

#include "weft/error.hpp"

namespace weft {

void WaitGroup::add(std::ptrdiff_t number) {
  if (number < 1) throw ValueError{"WaitGroup::add() needs a number >= 1"};
  const auto more = static_cast<std::size_t>(number);
  if (more > std::numeric_limits<std::size_t>::max() - count_) {
    throw ValueError{"WaitGroup::add() would count more than can be counted"};
  }
  count_ += more;
}

void WaitGroup::done() {
  if (count_ == 0) throw MisuseError{"WaitGroup::done() was called more often than add() counted"};
  if (--count_ > 0) return;
  while (waiters_.grant_first()) {
  }
}

void WaitGroup::wait_in_queue(Token token, Place place) {
  Waiter waiter{"WaitGroup"};
  waiters_.push_back(waiter);
  waiter.wait("WaitGroup::wait()", token, place);
}

}  // namespace weft
