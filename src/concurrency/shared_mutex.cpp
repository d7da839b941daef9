#include "weft/shared_mutex.hpp"

#include "base/assert.hpp"
#include "weft/error.hpp"

namespace weft {

class SharedMutex::InLine final : public Waiter {
 public:
  explicit InLine(bool writer) noexcept
      : Waiter{writer ? "SharedMutex, to write" : "SharedMutex, to read"}, writes{writer} {}
  const Holder who = this_holder();
  const bool writes;
};

void SharedMutex::wait_in_line(bool writes, Token token, Place place) {
  InLine waiter{writes};
  if (writer_ == waiter.who) {
    throw MisuseError{
        "This coroutine has locked the shared mutex already, and it is not recursive: it would "
        "wait for itself"};
  }
  waiters_.push_back(waiter);
  try {
    waiter.wait(token, place);
  } catch (...) {
    if (!waiter.is_granted()) {
      hand_on();  // it was perhaps a writer who held up the readers behind it
    } else if (writes) {
      unlock();
    } else {
      unlock_shared();
    }
    throw;
  }
}

void SharedMutex::unlock_contended() noexcept {
  WEFT_ASSERT(writer_ != nullptr, "unlock() of a shared mutex that no writer has locked");
  WEFT_ASSERT(writer_ == this_holder(),
              "unlock() of a shared mutex by another coroutine than the one that locked it");
  writer_ = nullptr;
  hand_on();
}

void SharedMutex::unlock_shared_contended() noexcept {
  WEFT_ASSERT(readers_ != 0, "unlock_shared() of a shared mutex that no reader has locked");
  --readers_;
  hand_on();
}

void SharedMutex::hand_on() noexcept {
  while (writer_ == nullptr && !waiters_.is_empty()) {
    auto& next = static_cast<InLine&>(*waiters_.first());
    if (next.writes) {
      if (readers_ != 0) return;
      writer_ = next.who;
    } else {
      ++readers_;
    }
    next.grant();
  }
}

}  // namespace weft
