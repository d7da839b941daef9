#include "weft/condition_variable.hpp"

#include "scheduler/shield.hpp"
#include "weft/error.hpp"

namespace weft {

/// Unlocks the mutex, and knows whether the mutex was destroyed meanwhile.
class ConditionVariable::Unlocked {
 public:
  explicit Unlocked(std::unique_lock<Mutex>& lock) noexcept : lock_{lock} {
    lock.mutex()->unlock();
    lock.mutex()->waiters_.keep(watch_);
  }
  ~Unlocked() { watch_.leave(); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  /// Suspends until the mutex is locked again, even if cancelled. Throws ObjectDestroyed if it is
  /// gone; the caller's unique_lock is released then.
  void lock_again(Place place) {
    const Shield shield;
    try {
      if (watch_.is_abandoned()) watch_.throw_destroyed();
      watch_.leave();
      lock_.mutex()->lock({}, place);
    } catch (const ObjectDestroyed&) {
      lock_.release();
      throw;
    }
  }

 private:
  std::unique_lock<Mutex>& lock_;
  Waiter watch_{"Mutex"};
};

class ConditionVariable::QueuedWaiter final : public Waiter {
 public:
  QueuedWaiter() noexcept : Waiter{"ConditionVariable"} {}
  bool notified_alone = false;  // by notify_one(), which notified no other waiter
};

namespace {

void check(const std::unique_lock<Mutex>& lock) {
  if (!lock.owns_lock() || !lock.mutex()->is_mine()) {
    throw MisuseError{"ConditionVariable::wait() needs a lock that the caller holds"};
  }
  const Scheduler& scheduler = Scheduler::here("ConditionVariable::wait()");
  if (!scheduler.has_current() || scheduler.in_phase()) {
    Scheduler::refuse_to_suspend("ConditionVariable::wait()");
  }
}

}  // namespace

void ConditionVariable::wait(std::unique_lock<Mutex>& lock, Token token, Place place) {
  check(lock);
  QueuedWaiter waiter;
  Unlocked unlocked{lock};
  waiters_.push_back(waiter);  // no coroutine runs between the unlock and this
  try {
    waiter.wait("ConditionVariable::wait()", token, place);
  } catch (...) {
    if (waiter.is_granted() && waiter.notified_alone) notify_one();
    try {
      unlocked.lock_again(place);
    } catch (const ObjectDestroyed&) {  // the error of the wait is thrown instead
    }
    throw;
  }
  unlocked.lock_again(place);
}

void ConditionVariable::notify_one() noexcept {
  if (waiters_.is_empty()) return;
  auto& waiter = static_cast<QueuedWaiter&>(*waiters_.first());
  waiter.notified_alone = true;
  waiter.grant();
}

void ConditionVariable::notify_all() noexcept {
  while (waiters_.grant_first()) {
  }
}

}  // namespace weft
