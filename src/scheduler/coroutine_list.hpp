#pragma once

#include <cstddef>

#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// Coroutines in the order in which they were added, linked through themselves. A coroutine is in
/// one list at most: the registry while it lives, the list of unread failures after that.
class CoroutineList {
 public:
  void push_back(CoroutineBase& coroutine) noexcept {
    coroutine.registry_previous_ = last_;
    coroutine.registry_next_ = nullptr;
    (last_ != nullptr ? last_->registry_next_ : first_) = &coroutine;
    last_ = &coroutine;
    ++size_;
  }
  void remove(CoroutineBase& coroutine) noexcept {
    (coroutine.registry_previous_ != nullptr ? coroutine.registry_previous_->registry_next_
                                             : first_) = coroutine.registry_next_;
    (coroutine.registry_next_ != nullptr ? coroutine.registry_next_->registry_previous_ : last_) =
        coroutine.registry_previous_;
    --size_;
  }
  [[nodiscard]] CoroutineBase* first() const noexcept { return first_; }
  static CoroutineBase* next(const CoroutineBase& coroutine) noexcept {
    return coroutine.registry_next_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  CoroutineBase* first_ = nullptr;
  CoroutineBase* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft
