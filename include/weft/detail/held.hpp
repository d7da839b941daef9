#pragma once

#include <cstddef>

#include "weft/channel.hpp"
#include "weft/pool.hpp"
#include "weft/tasks.hpp"
#include "weft/values.hpp"

namespace weft::detail {

/// Reaches what the classes hold.
class Held {
 public:
  template <class T, class Visit>
  static void in_channel(const Channel<T>& channel, Visit& visit) {
    for (std::size_t i = 0; i < channel.held_; ++i) {
      const std::size_t to_end = channel.slots() - channel.head_;
      visit(static_cast<const T&>(channel.storage_[i < to_end ? channel.head_ + i : i - to_end]));
    }
  }

  template <class T, class Visit>
  static void in_pool(const Pool<T>& pool, Visit& visit) {
    for (const PoolSlot* slot = pool.core_->first_idle_; slot != nullptr; slot = slot->next_) {
      visit(static_cast<const T&>(*static_cast<const typename Lease<T>::Slot*>(slot)->value));
    }
  }

  template <class T, class Visit>
  static void results(const Tasks<T>& tasks, Visit& visit) {
    if (tasks.core_->references() != 1) return;
    for (const TaskEntry& entry : tasks.core_->entries_) {
      if (entry.references() != 1) continue;
      const auto& result = static_cast<const Task<T>&>(entry).stored();
      if (result) visit(static_cast<const T&>(*result));
    }
  }

  template <class Body, class T, class Visit>
  static void queued(const Tasks<T>& tasks, Visit& visit) {
    for (const TaskEntry& entry : tasks.core_->entries_) {
      const auto* const task = dynamic_cast<const BodyTask<T, Body>*>(&entry);
      if (task == nullptr || entry.references() != 1) continue;
      if (task->body_) visit(static_cast<const Body&>(*task->body_));
    }
  }

  template <class T, class Visit>
  static void in_values(const Values& values, Visit& visit) {
    for (const Values::Entry& entry : values.entries_) {
      if (entry.type == &Values::type_of<T> && entry.value.use_count() == 1) {
        visit(*static_cast<const T*>(entry.value.get()));
      }
    }
  }
};

}  // namespace weft::detail
