#include <algorithm>
#include <utility>

#include "weft/detail/task_core.hpp"

// The index of a group: its keys, and which tasks ended first.
namespace weft::detail {

bool TaskKeys::has(const TaskKey& key) const noexcept {
  if (size_ == 0) return false;
  const TaskEntry* entry = buckets_[position(key)];
  while (entry != nullptr && entry->key_ != key) entry = entry->same_bucket_;
  return entry != nullptr;
}

bool TaskKeys::insert(TaskEntry& entry) {
  if (has(entry.key_)) return false;
  if (size_ == buckets_.size()) grow();
  TaskEntry*& first = buckets_[position(entry.key_)];
  entry.same_bucket_ = std::exchange(first, &entry);
  ++size_;
  return true;
}

void TaskKeys::erase(TaskEntry& entry) noexcept {
  TaskEntry** link = &buckets_[position(entry.key_)];
  while (*link != &entry) link = &(*link)->same_bucket_;
  *link = std::exchange(entry.same_bucket_, nullptr);
  --size_;
}

/// Spreads consecutive numbers, and numbers with equal low bits, over the buckets.
std::size_t TaskKeys::position(const TaskKey& key) const noexcept {
  const std::uint64_t mixed = std::uint64_t{key.hash()} * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(mixed >> 32U) & (buckets_.size() - 1);
}

void TaskKeys::grow() {
  constexpr std::size_t smallest = 8;
  std::vector<TaskEntry*> old(std::max(smallest, 2 * buckets_.size()));
  old.swap(buckets_);
  for (TaskEntry* entry : old) {
    while (entry != nullptr) {
      TaskEntry* const next = entry->same_bucket_;
      entry->same_bucket_ = std::exchange(buckets_[position(entry->key_)], entry);
      entry = next;
    }
  }
}

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
