#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/detail/taking_iterator.hpp"
#include "weft/detail/task.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/function.hpp"
#include "weft/future.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/task_key.hpp"
#include "weft/task_options.hpp"
#include "weft/task_results.hpp"

namespace weft {

/// The common interface of TaskGroup and TaskSet. Tasks are callables that return a T; they run as
/// coroutines of the group's scope.
///
/// Destroying it cancels the tasks that have not ended and suspends until they have, even if the
/// caller is cancelled. Undelivered errors then fail the scope of the tasks, together, as a
/// CompositeError; cancellations do not count.
template <class T>
class Tasks {
 public:
  static_assert(std::is_void_v<T> || std::is_object_v<T>, "a task returns a value or nothing");
  using value_type = T;

  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  /// Suspends while the queue is full; the longest waiter comes first. The task gets the next
  /// integer as its key. Throws MisuseError if the group is closed, or is closed meanwhile; then,
  /// and if it throws Cancelled, nothing was spawned.
  template <class F, std::enable_if_t<std::is_invocable_r_v<T, std::decay_t<F>&>, int> = 0>
  void spawn(F&& body, Place place = Place::here()) {
    core_->spawn(*make_task(std::forward<F>(body)), PackedPlace{place});
  }
  /// The same with a given key. Throws MisuseError if the key is in use.
  template <class F, std::enable_if_t<std::is_invocable_r_v<T, std::decay_t<F>&>, int> = 0>
  void spawn_with_key(TaskKey key, F&& body, Place place = Place::here()) {
    core_->spawn_with_key(*make_task(std::forward<F>(body)), std::move(key), PackedPlace{place});
  }

  template <class F, std::enable_if_t<!std::is_invocable_r_v<T, std::decay_t<F>&>, int> = 0>
  void spawn(F&& /*body*/, Place /*place*/ = {}) {
    static_assert(detail::always_false<F>,
                  "a task is called without arguments and returns what its group is "
                  "of: this body needs arguments, or returns something else");
  }
  template <class F, std::enable_if_t<!std::is_invocable_r_v<T, std::decay_t<F>&>, int> = 0>
  void spawn_with_key(const TaskKey& /*key*/, F&& /*body*/, Place /*place*/ = {}) {
    static_assert(detail::always_false<F>,
                  "a task is called without arguments and returns what its group is "
                  "of: this body needs arguments, or returns something else");
  }

  /// No more tasks can be spawned; those that run or are queued go on.
  void close() noexcept { core_->close(); }
  /// Closes, cancels the tasks that run, and drops the queued ones, which end with Cancelled.
  /// Errors count as handled, also those that tasks end with because of it.
  void cancel(const std::string& reason = "TaskGroup cancelled") noexcept { core_->cancel(reason); }
  /// The same with `error`, or a Cancelled whose previous() it is if it is no cancellation.
  void cancel(const std::exception_ptr& error) noexcept { core_->cancel({}, error); }
  /// Closes, drops the queued tasks, and cancels the scope, with all its other coroutines.
  void dispose() noexcept { core_->dispose(); }
  /// The errors so far count as handled.
  void suppress_errors() noexcept { core_->suppress_errors(); }

  /// Suspends until all tasks of a closed group have ended. Never throws their errors; throws
  /// MisuseError if it is not closed.
  void await_completion(Place place = Place::here()) { core_->await_completion(place); }
  /// Runs `handler` once, in a coroutine of its own, when the group is closed and all tasks have
  /// ended; at once if they already have.
  void on_finally(Function<void()> handler) { core_->on_finally(std::move(handler)); }

  /// Nothing runs and nothing is queued. May change again while the group is open.
  [[nodiscard]] bool is_finished() const noexcept { return core_->is_finished(); }
  /// Whether no more tasks can be spawned.
  [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }
  /// A group is an event, which happens once: when it is closed and all tasks have ended. It never
  /// has their errors, and is replayed to late subscribers. Waiting for it does not keep the tasks
  /// from being cancelled with their group.
  operator Event&() const { return core_->event(); }  // NOLINT(google-explicit-constructor)
  /// Unique in the process while its runtime lives.
  [[nodiscard]] std::uint64_t id() const noexcept { return core_->id(); }
  /// Describes it for messages: "TaskGroup(total=3, active=1)".
  [[nodiscard]] std::string info() const { return core_->info(); }
  /// The same with its id and the place where it was created.
  [[nodiscard]] std::string describe() const { return core_->describe(); }

  class Iterator;
  /// Suspends, as each step does, until the next task in the order of spawning has ended:
  /// `for (auto [key, outcome] : group)`. Ends when the group is closed and all were delivered.
  /// Errors delivered this way count as handled.
  [[nodiscard]] Iterator begin(Place place = Place::here()) { return Iterator{core_, place}; }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  template <class>
  friend class TaskGroup;
  template <class>
  friend class TaskSet;
  friend class detail::Held;

  Tasks(detail::TaskCore::Kind kind, const TaskOptions& options, Place place)
      : core_{detail::TaskCore::create(kind, options, place)} {}
  ~Tasks() { core_->abandon(); }

  [[nodiscard]] std::size_t size() const noexcept { return core_->count(); }
  template <class R>
  Future<R> join(detail::TaskJoin::Kind kind, TaskErrors errors, Place place) {
    auto state = make_ref<detail::TaskFuture<T, R>>(*core_, kind, errors, place);
    core_->join(*state);
    return Future<R>{Ref<FutureState<R>>{state}};
  }
  template <class F>
  static Ref<detail::TaskEntry> make_task(F&& body) {
    using Made = detail::BodyTask<T, std::decay_t<F>>;
    return Ref<detail::TaskEntry>::adopt(new Made{std::in_place, std::forward<F>(body)});
  }

  Ref<detail::TaskCore> core_;
};

/// An input iterator over the tasks.
template <class T>
class Tasks<T>::Iterator : public detail::TakingIterator<Iterator, TaskOutcome<T>> {
  using Base = detail::TakingIterator<Iterator, TaskOutcome<T>>;
  using Base::value_;
  friend Base;
  friend class Tasks;

  Iterator(Ref<detail::TaskCore> core, Place place) : core_{std::move(core)}, place_{place} {
    next();
  }
  void next() {
    value_.reset();
    const Ref<detail::TaskEntry> entry = core_->next(last_.get(), place_);
    if (!entry) return;
    try {
      TaskOutcome<T>& outcome = value_.emplace();
      outcome.key = entry->key();
      static_cast<detail::Task<T>&>(*entry).give_to(outcome.outcome);
    } catch (...) {
      value_.reset();
      core_->give_back(*entry);
      throw;
    }
    last_ = entry;
  }

  Ref<detail::TaskCore> core_;
  Place place_;
  Ref<detail::TaskEntry> last_;
};

}  // namespace weft
