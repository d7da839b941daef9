#pragma once

#include <cstddef>

#include "base/ring_buffer.hpp"
#include "scheduler/choice.hpp"
#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// The coroutines that are ready, in the order in which they run; tests bring a Choice that takes
/// them in another. There is room for every living coroutine, so adding one needs no memory.
class RunQueue {
 public:
  explicit RunQueue(Choice* choice) : choice_{choice} { ring_.reserve(1); }

  [[nodiscard]] bool empty() const noexcept { return ring_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return ring_.size(); }
  /// Who decides the order, if the runtime is explored.
  [[nodiscard]] Choice* choice() const noexcept { return choice_; }

  void reserve(std::size_t count) { ring_.reserve(count); }
  void shrink(std::size_t count) noexcept { ring_.shrink(count); }
  void clear() noexcept {
    while (!ring_.empty()) ring_.pop_front();
  }

  /// Where its priority says.
  void add(CoroutineBase& coroutine) noexcept {
    if (coroutine.priority() == Priority::high) [[unlikely]]
      return add_first(coroutine);
    add_last(coroutine);
  }
  void add_first(CoroutineBase& coroutine) noexcept { ring_.push_front(&coroutine); }
  void add_last(CoroutineBase& coroutine) noexcept { ring_.push_back(&coroutine); }

  /// Takes the one who is next. There is one. Always inline: every switch comes through here, and
  /// whether g++ does it by itself depends on what else is in the translation unit.
  [[nodiscard, gnu::always_inline]] CoroutineBase& take() noexcept {
    if (choice_ != nullptr) [[unlikely]]
      return *ring_.take(choice_->next_ready(ring_.size()));
    return *ring_.pop_front();
  }
  /// The one after that. There is one.
  [[nodiscard]] const CoroutineBase& first() const noexcept { return *ring_[0]; }

 private:
  RingBuffer<CoroutineBase*> ring_{128};
  Choice* choice_;
};

}  // namespace weft
