#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/tasks.hpp"

namespace weft {

/// Runs callables that return a T, a limited number at once, and keeps their results: all(), race()
/// and any() can be called again with the same answer. A T that cannot be copied is moved out by
/// the first answer it is part of; a second one fails with MisuseError.
template <class T>
class TaskGroup final : public Tasks<T> {
 public:
  /// An empty group.
  explicit TaskGroup(const TaskOptions& options = {}, Place place = Place::here())
      : Tasks<T>{detail::TaskCore::Kind::group, options, place} {}

  /// A future of all results by key, in the order of spawning, when no task runs or is queued. If
  /// tasks failed, its error is a CompositeError, unless errors are ignored. For an empty group it
  /// has no results.
  [[nodiscard]] Future<TaskResults<T>> all(TaskErrors errors = TaskErrors::fail,
                                           Place place = Place::here()) {
    return this->template join<TaskResults<T>>(detail::TaskJoin::Kind::all, errors, place);
  }
  /// A future of the outcome of the first task to end, value or error; of several that have ended
  /// already, the first that was spawned. Throws MisuseError if the group is empty.
  [[nodiscard]] Future<T> race(Place place = Place::here()) {
    return this->template join<T>(detail::TaskJoin::Kind::race, TaskErrors::fail, place);
  }
  /// A future of the first success; the errors before it count as handled. If all fail, its error
  /// is a CompositeError. Throws MisuseError if the group is empty.
  [[nodiscard]] Future<T> any(Place place = Place::here()) {
    return this->template join<T>(detail::TaskJoin::Kind::any, TaskErrors::fail, place);
  }
  /// All tasks that were ever spawned.
  [[nodiscard]] std::size_t count() const noexcept { return this->size(); }
};

}  // namespace weft
