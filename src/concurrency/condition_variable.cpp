#include "weft/condition_variable.hpp"

#include "scheduler/shield.hpp"
#include "weft/error.hpp"

namespace weft {

class ConditionVariable::InLine final : public Waiter {
 public:
  InLine() noexcept : Waiter{"ConditionVariable"} {}
  bool told_alone = false;  // by notify_one(): nobody else was told in its place
};

namespace {

/// Unlocks, and locks again however the wait ends.
class Unlocked {
 public:
  explicit Unlocked(std::unique_lock<Mutex>& lock, Place place) noexcept
      : mutex_{*lock.mutex()}, place_{place} {
    mutex_.unlock();
  }
  ~Unlocked() {
    const Shield shield;
    mutex_.lock({}, place_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Mutex& mutex_;
  Place place_;
};

void check(const std::unique_lock<Mutex>& lock) {
  if (!lock.owns_lock() || !lock.mutex()->is_mine()) {
    throw MisuseError{"ConditionVariable::wait() needs a lock that the caller holds"};
  }
  const Scheduler& scheduler = Scheduler::here("ConditionVariable::wait()");
  if (!scheduler.has_current() || scheduler.in_phase()) {
    throw MisuseError{"ConditionVariable::wait() was called outside a coroutine"};
  }
}

}  // namespace

void ConditionVariable::wait(std::unique_lock<Mutex>& lock, Token token, Place place) {
  check(lock);
  InLine waiter;
  const Unlocked unlocked{lock, place};
  waiters_.push_back(waiter);  // nobody runs between the unlocking and this
  try {
    waiter.wait(token, place);
  } catch (...) {
    if (waiter.is_granted() && waiter.told_alone) notify_one();
    throw;
  }
}

void ConditionVariable::notify_one() noexcept {
  if (waiters_.is_empty()) return;
  auto& waiter = static_cast<InLine&>(*waiters_.first());
  waiter.told_alone = true;
  waiter.grant();
}

void ConditionVariable::notify_all() noexcept {
  while (waiters_.grant_first()) {
  }
}

}  // namespace weft
