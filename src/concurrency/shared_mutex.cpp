#include "weft/shared_mutex.hpp"

#include "base/assert.hpp"
#include "concurrency/describe_lock.hpp"
#include "weft/error.hpp"

namespace weft {

class SharedMutex::QueuedWaiter final : public Waiter {
 public:
  QueuedWaiter(const SharedMutex& mutex, bool writer, Place place) noexcept
      : Waiter{"SharedMutex"}, writes{writer}, locks_at{place}, mutex_{mutex} {}
  [[nodiscard]] std::string info() const override {
    return writes ? "SharedMutex, to write" : "SharedMutex, to read";
  }
  [[nodiscard]] std::string describe() const override {
    if (is_abandoned()) return info();
    return describe_lock(info().c_str(), mutex_.waiters_.created()) + ", " + holders();
  }
  const detail::LockOwner who = detail::this_lock_owner();
  const bool writes;
  const PackedPlace locks_at;

 private:
  [[nodiscard]] std::string holders() const {
    const Place place = mutex_.taken_at_.unpack();
    if (mutex_.writer_ != nullptr) {
      return "held to write by " + describe_lock_owner(mutex_.writer_, place);
    }
    std::string text = "held by " + std::to_string(mutex_.readers_) + " readers";
    if (mutex_.last_reader_ != nullptr) {
      text += ", one of them " + describe_lock_owner(mutex_.last_reader_, place);
    }
    return text;
  }
  const SharedMutex& mutex_;
};

void SharedMutex::wait_in_queue(bool writes, Token token, Place place) {
  QueuedWaiter waiter{*this, writes, place};
  if (writer_ == waiter.who) {
    throw MisuseError{
        "This coroutine has locked the shared mutex already, and it is not recursive: it would "
        "wait for itself"};
  }
  waiters_.push_back(waiter);
  try {
    waiter.wait(writes ? "SharedMutex::lock()" : "SharedMutex::lock_shared()", token, place);
  } catch (...) {
    if (waiter.is_abandoned()) {
      // The mutex is gone: nothing to hand over.
    } else if (!waiter.is_granted()) {
      grant_next();  // a writer may have blocked the readers behind it
    } else if (writes) {
      unlock();
    } else {
      unlock_shared();
    }
    throw;
  }
  if (waiter.is_abandoned()) waiter.throw_destroyed();  // a later unlock() would touch it
}

void SharedMutex::unlock_contended() noexcept {
  WEFT_ASSERT(writer_ != nullptr, "unlock() of a shared mutex that no writer has locked");
  WEFT_ASSERT(writer_ == detail::this_lock_owner(),
              "unlock() of a shared mutex by another coroutine than the one that locked it");
  writer_ = nullptr;
  grant_next();
}

void SharedMutex::unlock_shared_contended() noexcept {
  WEFT_ASSERT(readers_ != 0, "unlock_shared() of a shared mutex that no reader has locked");
  --readers_;
  grant_next();
}

void SharedMutex::grant_next() noexcept {
  while (writer_ == nullptr && !waiters_.is_empty()) {
    auto& next = static_cast<QueuedWaiter&>(*waiters_.first());
    if (next.writes) {
      if (readers_ != 0) return;
      take_to_write(next.who, next.locks_at);
    } else {
      take_to_read(next.who, next.locks_at);
    }
    next.grant();
  }
}

}  // namespace weft
