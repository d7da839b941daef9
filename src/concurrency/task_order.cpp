#include <utility>

#include "weft/detail/task_core.hpp"

// Which of the tasks that have ended was spawned first.
namespace weft::detail {

void TaskOrder::pop() noexcept { root_ = join_all(std::exchange(root_->child_, nullptr)); }

/// Pairs first, then one after the other: keeps the trees flat (pairing heap).
TaskEntry* TaskOrder::join_all(TaskEntry* siblings) noexcept {
  TaskEntry* pairs = nullptr;
  while (siblings != nullptr) {
    TaskEntry* joined = siblings;
    TaskEntry* const second = siblings->right_;
    siblings = second != nullptr ? second->right_ : nullptr;
    if (second != nullptr) joined = &join(*joined, *second);
    joined->right_ = std::exchange(pairs, joined);
  }
  TaskEntry* all = nullptr;
  while (pairs != nullptr) {
    TaskEntry& next = *std::exchange(pairs, pairs->right_);
    next.right_ = nullptr;
    all = all != nullptr ? &join(*all, next) : &next;
  }
  return all;
}

}  // namespace weft::detail
