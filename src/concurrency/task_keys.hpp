#pragma once

#include <cstddef>
#include <unordered_set>

#include "weft/detail/task_core.hpp"

namespace weft::detail {

/// The tasks of a group by key. Few groups have one: not inlined into what all groups do.
class TaskKeys {
 public:
  [[nodiscard]] bool has(const TaskKey& key) const { return tasks_.find(key) != tasks_.end(); }
  /// False if there is one with its key. Throws std::bad_alloc, and then nothing changed.
  [[gnu::noinline]] bool insert(TaskEntry& entry) { return tasks_.insert(&entry).second; }
  [[gnu::noinline]] void erase(TaskEntry& entry) noexcept { tasks_.erase(&entry); }

 private:
  // They take keys and tasks, so that a key is found without a task.
  static const TaskKey& key_of(const TaskKey& key) noexcept { return key; }
  static const TaskKey& key_of(const TaskEntry* entry) noexcept { return entry->key(); }
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const auto& task) const noexcept { return key_of(task).hash(); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const noexcept { return key_of(a) == key_of(b); }
  };

  std::unordered_set<TaskEntry*, Hash, Equal> tasks_;
};

}  // namespace weft::detail
