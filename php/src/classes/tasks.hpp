#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "callable.hpp"
#include "object.hpp"
#include "value.hpp"

namespace weft_php {

/// What the tasks of a TaskGroup have returned and thrown, by key; a TaskSet, whose results are
/// delivered once, has no entries. Shared with the tasks, which may outlive the object.
struct TaskLog {
  struct Entry {
    Value key;
    Value value;
    std::exception_ptr error;
    bool has_ended = false;
  };
  std::vector<Entry> entries;    // in the order of spawning
  zend_object* group = nullptr;  // null when the object is gone
};

/// Async\TaskGroup and Async\TaskSet: `Tasks` is weft's class of results that are PHP values.
template <class Tasks>
class TasksObject final : public Object {
 public:
  TasksObject() = default;
  ~TasksObject() override = default;
  [[nodiscard]] weft::Event* event() override {
    return tasks_ ? &static_cast<weft::Event&>(*tasks_) : nullptr;
  }
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;
  void last_reference_went() override;

  void begin(const weft::TaskOptions& options, weft::Place place) {
    tasks_.emplace(options, place);
    log_->group = self();
  }
  [[nodiscard]] Tasks* tasks() noexcept { return tasks_ ? &*tasks_ : nullptr; }
  [[nodiscard]] const std::shared_ptr<TaskLog>& log() const noexcept { return log_; }
  /// The handlers that PHP code has registered.
  [[nodiscard]] Handlers& handlers() noexcept { return handlers_; }
  /// The key of a task that is given none: one above the highest number so far.
  [[nodiscard]] zend_long next_key() const noexcept { return next_key_; }
  void used_key(zend_long key) noexcept {
    if (key >= next_key_) next_key_ = key + 1;
  }

 private:
  std::optional<Tasks> tasks_;
  std::shared_ptr<TaskLog> log_ = std::make_shared<TaskLog>();
  Handlers handlers_;
  zend_long next_key_ = 0;
};

using TaskGroupObject = TasksObject<weft::TaskGroup<Value>>;
using TaskSetObject = TasksObject<weft::TaskSet<Value>>;
extern template class TasksObject<weft::TaskGroup<Value>>;
extern template class TasksObject<weft::TaskSet<Value>>;

}  // namespace weft_php
