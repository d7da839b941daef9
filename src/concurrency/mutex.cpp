#include "weft/mutex.hpp"

#include "base/assert.hpp"
#include "base/current.hpp"
#include "base/planted.hpp"
#include "base/probe.hpp"
#include "concurrency/describe_lock.hpp"
#include "wait/wait_here.hpp"
#include "weft/error.hpp"

namespace weft {

detail::LockOwner detail::this_lock_owner() noexcept {
  static constexpr char outside = 0;
  const Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase() || !scheduler->has_current()) return &outside;
  return &scheduler->current();
}

class Mutex::QueuedWaiter final : public Waiter {
 public:
  QueuedWaiter(const Mutex& mutex, Place place) noexcept
      : Waiter{"Mutex"}, locks_at{place}, mutex_{mutex} {}
  [[nodiscard]] std::string describe() const override {
    if (is_abandoned()) return info();
    return describe_lock("Mutex", mutex_.waiters_.created()) + ", held by " +
           describe_lock_owner(mutex_.owner_, mutex_.taken_at_.unpack());
  }
  const detail::LockOwner who = detail::this_lock_owner();
  const PackedPlace locks_at;

 private:
  const Mutex& mutex_;
};

void Mutex::lock_contended(Token token, Place place) {
  QueuedWaiter waiter{*this, place};
  if (owner_ == waiter.who) {
    throw MisuseError{
        "This coroutine has locked the mutex already, and a Mutex is not recursive: it would wait "
        "for itself"};
  }
  waiters_.push_back(waiter);
  try {
    waiter.wait_here("Mutex::lock()", token, PackedPlace{place});
  } catch (...) {
    if (waiter.is_granted() && !WEFT_PLANTED(lock_not_handed_on)) {
      WEFT_PROBE("a lock granted to a cancelled waiter was handed on");
      unlock();
    }
    throw;
  }
  if (waiter.is_abandoned()) waiter.throw_destroyed();  // a later unlock() would touch it
}

void Mutex::unlock_contended() noexcept {
  WEFT_ASSERT(owner_ != nullptr, "unlock() of a mutex that is not locked");
  WEFT_ASSERT(owner_ == detail::this_lock_owner(),
              "unlock() of a mutex by another coroutine than the one that locked it");
  auto& next = static_cast<QueuedWaiter&>(*waiters_.first());
  owner_ = next.who;
  taken_at_ = next.locks_at;
  next.grant_here();
}

}  // namespace weft
