#include <algorithm>

#include "base/assert.hpp"
#include "weft/task_core.hpp"

// What a group knows of its tasks: which keys there are, and which ended first.
namespace weft {
namespace {

constexpr auto later = [](const Ref<TaskEntry>& a, const Ref<TaskEntry>& b) noexcept {
  return a->order() > b->order();
};

}  // namespace

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

/// Numbers in a row, or all with the same low bits, spread over the buckets alike.
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

void TaskOrder::grow(std::size_t size) {
  heap_.reserve(all_stay_ ? 1 : std::max(size, 2 * heap_.capacity()));
}

void TaskOrder::insert(TaskEntry& entry, bool TaskEntry::*mark) noexcept {
  if (all_stay_) heap_.clear();
  WEFT_ASSERT(heap_.size() < heap_.capacity(), "room for every task that may end");
  entry.*mark = true;
  heap_.emplace_back(&entry);
  std::push_heap(heap_.begin(), heap_.end(), later);
}

TaskEntry* TaskOrder::first(bool TaskEntry::*mark) noexcept {
  while (!heap_.empty() && !heap_.front()->listed_) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    (*heap_.back()).*mark = false;
    heap_.pop_back();
  }
  return heap_.empty() ? nullptr : heap_.front().get();
}

}  // namespace weft
