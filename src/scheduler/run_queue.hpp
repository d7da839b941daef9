#pragma once

#include <cstddef>

#include "base/ring_buffer.hpp"
#include "weft/extend/choice.hpp"
#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// The ready coroutines, in the order in which they run; a Choice, in tests, takes them in another.
/// There is room for every living coroutine, so adding one never allocates.
class RunQueue {
 public:
  explicit RunQueue(Choice* choice) : choice_{choice} { ring_.reserve(1); }

  [[nodiscard]] bool empty() const noexcept { return ring_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return ring_.size(); }
  /// Decides the order if the runtime is explored, else null.
  [[nodiscard]] Choice* choice() const noexcept { return choice_; }

  void reserve(std::size_t count) { ring_.reserve(count); }
  void shrink(std::size_t count) noexcept { ring_.shrink(count); }
  void clear() noexcept {
    while (!ring_.empty()) ring_.pop_front();
  }

  /// At the head for high priority, else at the tail.
  void add(CoroutineBase& coroutine) noexcept {
    if (coroutine.priority() == Priority::high) [[unlikely]]
      return add_first(coroutine);
    add_last(coroutine);
  }
  void add_first(CoroutineBase& coroutine) noexcept { ring_.push_front(&coroutine); }
  void add_last(CoroutineBase& coroutine) noexcept { ring_.push_back(&coroutine); }

  /// Moves a queued coroutine to the head.
  void move_to_first(CoroutineBase& coroutine) noexcept {
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      if (ring_[i] == &coroutine) return add_first(*ring_.take(i));
    }
  }

  /// Takes the next coroutine. The queue must not be empty. Always inline: every switch comes
  /// through here, and g++ would decide by what else is in the translation unit.
  [[nodiscard, gnu::always_inline]] CoroutineBase& take() noexcept {
    if (choice_ != nullptr) [[unlikely]]
      return *ring_.take(choice_->next_ready(ring_.size()));
    return *ring_.pop_front();
  }
  /// The coroutine that take() would take. The queue must not be empty.
  [[nodiscard]] const CoroutineBase& first() const noexcept { return *ring_[0]; }

 private:
  RingBuffer<CoroutineBase*> ring_{128};
  Choice* choice_;
};

}  // namespace weft
