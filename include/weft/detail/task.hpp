#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/coroutine.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/detail/taking_iterator.hpp"
#include "weft/detail/task_core.hpp"
#include "weft/function.hpp"
#include "weft/future.hpp"
#include "weft/task_results.hpp"

// What TaskGroup and TaskSet have in common, for a type of results.
namespace weft::detail {

/// One task that returns a T, which it keeps until it is delivered.
template <class T>
class Task : public ResultCoroutine<T, TaskEntry> {
 public:
  using Stored = typename Result<T>::Stored;
  static constexpr bool copies = std::is_void_v<T> || std::is_copy_constructible_v<T>;

  /// The value of a successful task: a copy; a value that cannot be copied is moved out, once.
  Stored value() {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return this->take();
    }
  }
  /// Puts back a value that was not taken.
  void put_back(Stored&& value) { this->result_.emplace(std::move(value)); }

  /// Stores the outcome of the task. Throws what moving the value throws, and then it is still
  /// here.
  void give_to(Result<T>& outcome) {
    if (this->error() != nullptr) return outcome.set_error(this->error());
    if constexpr (copies) {
      outcome.set_value(value());
    } else {
      Stored given = value();
      try {
        outcome.set_value(std::move(given));
      } catch (...) {
        put_back(std::move(given));
        throw;
      }
    }
  }
};

/// A task with its body, which is called as an lvalue.
template <class T, class Body>
class BodyTask final : public Task<T> {
 public:
  template <class F>
  explicit BodyTask(std::in_place_t, F&& body) : body_{std::forward<F>(body)} {
    if constexpr (std::is_trivially_destructible_v<Body>) this->body_needs_no_drop();
  }

 private:
  void run_body() override {
    if constexpr (std::is_void_v<T>) {
      (*body_)();
    } else {
      this->result_.emplace(static_cast<T>((*body_)()));
    }
  }
  void drop_body() noexcept override { body_.reset(); }

  friend class Held;
  std::optional<Body> body_;
};

/// The future of race() and any() has a T, that of all() the results.
template <class T, class R>
class TaskFuture final : public FutureState<R>, public TaskJoin {
 public:
  TaskFuture(TaskCore& core, Kind kind, TaskErrors errors, Place place) noexcept
      : FutureState<R>{place}, TaskJoin{core, kind, errors} {}
  [[nodiscard]] std::string describe() const override { return describe_join(); }

 private:
  static constexpr bool is_all = std::is_same_v<R, TaskResults<T>>;
  static Task<T>& task(const Ref<TaskEntry>& entry) noexcept {
    return static_cast<Task<T>&>(*entry);
  }

  bool deliver(const Entries& entries) noexcept override {
    try {
      if (kind() == Kind::race && entries.front()->error() != nullptr) {
        this->fail(entries.front()->error(), {});
      } else if (!entries.empty() && fails(entries)) {
        std::vector<std::exception_ptr> errors;
        for (const Ref<TaskEntry>& entry : entries) errors.push_back(entry->error());
        this->fail(std::make_exception_ptr(CompositeError{std::move(errors)}), {});
      } else {
        succeed(entries);
      }
      return true;
    } catch (...) {
      fail_with(std::current_exception());
      return false;
    }
  }
  /// Errors are thrown together, unless they are ignored.
  [[nodiscard]] bool fails(const Entries& entries) const noexcept {
    return errors() == TaskErrors::fail && entries.front()->error() != nullptr;
  }
  void succeed(const Entries& entries) {
    if constexpr (is_all) {
      R results;
      results.reserve(entries.size());
      try {
        for (const Ref<TaskEntry>& entry : entries) {
          if (entry->error() == nullptr) results.add(entry->key(), task(entry).value());
        }
      } catch (...) {
        put_back(entries, std::move(results));
        throw;
      }
      this->complete({}, std::move(results));
    } else if constexpr (std::is_void_v<T>) {
      this->complete({});
    } else {
      Task<T>& winner = task(entries.front());
      T value = winner.value();
      try {
        this->complete({}, std::move(value));
      } catch (...) {
        if constexpr (!Task<T>::copies) winner.put_back(std::move(value));
        throw;
      }
    }
  }
  void fail_with(std::exception_ptr error) noexcept override {
    if (!this->is_closed()) this->fail(std::move(error), {});
  }
  Event& event() noexcept override { return *this; }

  void return_values(const Entries& entries) noexcept override {
    if constexpr (!Task<T>::copies) {
      if (this->error() != nullptr) return;
      try {
        if constexpr (is_all) {
          put_back(entries, this->take());
        } else {
          task(entries.front()).put_back(this->take());
        }
      } catch (...) {  // its move throws: there is nothing to keep it in
      }
    }
  }
  static void put_back([[maybe_unused]] const Entries& entries,
                       [[maybe_unused]] TaskResults<T>&& results) {
    if constexpr (!Task<T>::copies) {
      std::size_t i = 0;
      for (const Ref<TaskEntry>& entry : entries) {
        if (i == results.size()) return;
        if (entry->error() == nullptr) task(entry).put_back(std::move(results.values()[i++]));
      }
    }
  }

  void unwanted() noexcept override { leave(); }
  void dispose() noexcept override {
    if (end(this->is_taken())) this->ignore();  // the group has it back
    FutureState<R>::dispose();
  }
};

/// The common interface of TaskGroup and TaskSet. Tasks are callables that return a T; they run as
/// coroutines of the group's scope.
///
/// Destroying it cancels the tasks that have not ended and suspends until they have, even if the
/// caller is cancelled. Undelivered errors then fail the scope of the tasks, together, as a
/// CompositeError; cancellations do not count.
template <class T>
class TaskObject {
 public:
  static_assert(std::is_void_v<T> || std::is_object_v<T>, "a task returns a value or nothing");
  using value_type = T;

  TaskObject(const TaskObject&) = delete;
  TaskObject& operator=(const TaskObject&) = delete;

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
    static_assert(always_false<F>,
                  "a task is called without arguments and returns what its group is "
                  "of: this body needs arguments, or returns something else");
  }
  template <class F, std::enable_if_t<!std::is_invocable_r_v<T, std::decay_t<F>&>, int> = 0>
  void spawn_with_key(const TaskKey& /*key*/, F&& /*body*/, Place /*place*/ = {}) {
    static_assert(always_false<F>,
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

 protected:
  TaskObject(TaskCore::Kind kind, const TaskOptions& options, Place place)
      : core_{TaskCore::create(kind, options, place)} {}
  ~TaskObject() { core_->abandon(); }

  [[nodiscard]] std::size_t size() const noexcept { return core_->count(); }
  template <class R>
  Future<R> join(TaskJoin::Kind kind, TaskErrors errors, Place place) {
    auto state = make_ref<TaskFuture<T, R>>(*core_, kind, errors, place);
    core_->join(*state);
    return Future<R>{Ref<FutureState<R>>{state}};
  }

 private:
  template <class F>
  static Ref<TaskEntry> make_task(F&& body) {
    using Made = BodyTask<T, std::decay_t<F>>;
    return Ref<TaskEntry>::adopt(new Made{std::in_place, std::forward<F>(body)});
  }

  friend class Held;
  Ref<TaskCore> core_;
};

/// An input iterator over the tasks.
template <class T>
class TaskObject<T>::Iterator : public TakingIterator<Iterator, TaskOutcome<T>> {
  using Base = TakingIterator<Iterator, TaskOutcome<T>>;
  using Base::value_;
  friend Base;
  friend class TaskObject;

  Iterator(Ref<TaskCore> core, Place place) : core_{std::move(core)}, place_{place} { next(); }
  void next() {
    value_.reset();
    const Ref<TaskEntry> entry = core_->next(last_.get(), place_);
    if (!entry) return;
    try {
      TaskOutcome<T>& outcome = value_.emplace();
      outcome.key = entry->key();
      static_cast<Task<T>&>(*entry).give_to(outcome.outcome);
    } catch (...) {
      value_.reset();
      core_->give_back(*entry);
      throw;
    }
    last_ = entry;
  }

  Ref<TaskCore> core_;
  Place place_;
  Ref<TaskEntry> last_;
};

}  // namespace weft::detail
