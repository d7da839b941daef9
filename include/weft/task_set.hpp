#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/tasks.hpp"

namespace weft {

/// Like a TaskGroup, but removes what it delivers: each result goes to one reader, through a future
/// or a loop. A future that is destroyed before its value was taken puts it back.
template <class T>
class TaskSet final : public Tasks<T> {
 public:
  /// An empty set.
  explicit TaskSet(const TaskOptions& options = {}, Place place = Place::here())
      : Tasks<T>{detail::TaskCore::Kind::set, options, place} {}

  /// A future of the outcome of the next task to end, value or error; of several that have ended
  /// already, the first that was spawned. Throws MisuseError if the set is empty; fails with it if
  /// other readers took all tasks.
  [[nodiscard]] Future<T> join_next(Place place = Place::here()) {
    return this->template join<T>(detail::TaskJoin::Kind::race, TaskErrors::fail, place);
  }
  /// A future of the next success. The errors before it stay in the set and count as handled. If
  /// all fail, its error is a CompositeError of what was left in the set. Throws like join_next().
  [[nodiscard]] Future<T> join_any(Place place = Place::here()) {
    return this->template join<T>(detail::TaskJoin::Kind::any, TaskErrors::fail, place);
  }
  /// A future of all results that are left when no task runs or is queued. If tasks failed, its
  /// error is a CompositeError, which removes only those: the values stay for another call. Ignored
  /// errors are removed too.
  [[nodiscard]] Future<TaskResults<T>> join_all(TaskErrors errors = TaskErrors::fail,
                                                Place place = Place::here()) {
    return this->template join<TaskResults<T>>(detail::TaskJoin::Kind::all, errors, place);
  }
  /// Tasks that have not been delivered.
  [[nodiscard]] std::size_t count() const noexcept { return this->size(); }
};

}  // namespace weft
