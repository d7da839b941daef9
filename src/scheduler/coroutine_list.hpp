#pragma once

#include <cstddef>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// Coroutines in the order in which they were added, linked through themselves. A coroutine is in
/// one list at most: the registry while it lives, the list of unread failures after that.
class CoroutineList {
 public:
  void push_back(CoroutineBase& coroutine) noexcept {
    list_.push_back(coroutine);
    ++size_;
  }
  void remove(CoroutineBase& coroutine) noexcept {
    list_.remove(coroutine);
    --size_;
  }
  [[nodiscard]] CoroutineBase* first() const noexcept { return list_.first(); }
  static CoroutineBase* next(const CoroutineBase& coroutine) noexcept {
    return coroutine.list_links_.next();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  detail::IntrusiveList<CoroutineBase> list_;
  std::size_t size_ = 0;
};

}  // namespace weft
