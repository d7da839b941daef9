#pragma once

#include <cstddef>

#include "scheduler/owner.hpp"
#include "weft/coroutine_base.hpp"

namespace weft {

/// Every coroutine that has not ended: owner by owner, so that an owner finds its own at once.
class Registry {
 public:
  void push_back(CoroutineBase& coroutine, Owner& owner) noexcept {
    if (owner.members_.empty()) link(owner);
    owner.members_.push_back(coroutine);
    ++size_;
  }
  void remove(CoroutineBase& coroutine, Owner& owner) noexcept {
    owner.members_.remove(coroutine);
    if (owner.members_.empty()) unlink(owner);
    --size_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] CoroutineBase* first() const noexcept {
    return first_ != nullptr ? first_->members_.first() : nullptr;
  }
  [[nodiscard]] static CoroutineBase* next(const CoroutineBase& coroutine,
                                           const Owner& owner) noexcept {
    if (CoroutineBase* next = CoroutineList::next(coroutine)) return next;
    return owner.next_ != nullptr ? owner.next_->members_.first() : nullptr;
  }

 private:
  void link(Owner& owner) noexcept {
    owner.previous_ = last_;
    owner.next_ = nullptr;
    (last_ != nullptr ? last_->next_ : first_) = &owner;
    last_ = &owner;
  }
  void unlink(Owner& owner) noexcept {
    (owner.previous_ != nullptr ? owner.previous_->next_ : first_) = owner.next_;
    (owner.next_ != nullptr ? owner.next_->previous_ : last_) = owner.previous_;
  }

  Owner* first_ = nullptr;
  Owner* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft
