#include "weft/once.hpp"

#include "weft/error.hpp"

namespace weft {

class Once::QueuedWaiter final : public Waiter {
 public:
  QueuedWaiter() noexcept : Waiter{"Once"} {}
  const detail::LockOwner who = detail::this_lock_owner();
  bool done = false;  // by another coroutine
};

bool Once::begin(Token token, Place place) {
  QueuedWaiter waiter;
  if (runner_ == nullptr) {
    runner_ = waiter.who;
    return true;
  }
  if (runner_ == waiter.who) {
    throw MisuseError{"Once::call() was called by the body it runs: it would wait for itself"};
  }
  waiters_.push_back(waiter);
  try {
    waiter.wait("Once::call()", token, place);
  } catch (...) {
    if (waiter.is_granted() && !waiter.done) end();  // it was this waiter's turn
    throw;
  }
  if (waiter.done) return false;
  if (waiter.is_abandoned()) waiter.throw_destroyed();
  return true;
}

void Once::end() noexcept {
  runner_ = nullptr;
  if (done_) {
    while (!waiters_.is_empty()) {
      auto& next = static_cast<QueuedWaiter&>(*waiters_.first());
      next.done = true;
      next.grant();
    }
  } else if (!waiters_.is_empty()) {
    auto& next = static_cast<QueuedWaiter&>(*waiters_.first());
    runner_ = next.who;
    next.grant();
  }
}

}  // namespace weft
