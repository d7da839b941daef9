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

// A task of a TaskGroup or TaskSet, and the futures of their results, for a type of results.
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

}  // namespace weft::detail
