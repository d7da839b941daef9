#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/remote_future.hpp"

namespace weft {
class Scope;
}

namespace weft::detail {

/// Calls, in other threads, of a function that refers to the caller's frame. The caller waits until
/// none of them exists any more.
class RemoteCalls {
 public:
  RemoteCalls();
  /// Suspends until every call was dropped; this wait cannot be cancelled.
  ~RemoteCalls();
  RemoteCalls(const RemoteCalls&) = delete;
  RemoteCalls& operator=(const RemoteCalls&) = delete;

  class State;
  /// Part of a call, destroyed last.
  class Call {
   public:
    explicit Call(const RemoteCalls& calls) noexcept;
    Call(Call&& other) noexcept = default;
    Call& operator=(Call&&) = delete;
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

   private:
    std::shared_ptr<State> state_;
  };

 private:
  std::shared_ptr<State> state_;
};

/// A function to be run by another thread, and the promise of its outcome. Underneath ThreadPool
/// and Thread.
class RemoteTask {
 public:
  RemoteTask() noexcept = default;
  virtual ~RemoteTask();
  RemoteTask(const RemoteTask&) = delete;
  RemoteTask& operator=(const RemoteTask&) = delete;

  /// Counts in `waiting` until it begins or is rejected. For a task that is not shared yet.
  void count_in(std::shared_ptr<std::atomic<std::size_t>> waiting) noexcept;
  void count_out() noexcept;
  /// Called by the worker. False: it was cancelled before, and never runs.
  [[nodiscard]] bool begin() noexcept;
  /// Ends a task that has not begun with `error`. False if it has begun or ended.
  bool reject(std::exception_ptr error) noexcept;
  /// From any thread: a task that has not begun never does, a running one is cancelled.
  void request_cancel() noexcept;

  /// Suspends until the function has run, in a coroutine of `scope`, or of the current one's if
  /// that is null. Returns its error. Only the reader can cancel it.
  std::exception_ptr run(Scope* scope);
  /// Gives the value, or `error`, to the reader.
  void finish(std::exception_ptr error) noexcept;

 protected:
  virtual void call() = 0;
  virtual void drop_body() noexcept = 0;
  /// Gives the value of call() to the promise.
  virtual void publish_value() = 0;
  virtual void publish_error(std::exception_ptr error) = 0;

 private:
  enum class State : std::uint8_t { waiting, running, ended };
  std::atomic<State> state_{State::waiting};
  std::shared_ptr<std::atomic<std::size_t>> waiting_;
  Trigger cancel_;
};

template <class F, class R>
class TypedRemoteTask final : public RemoteTask {
 public:
  template <class G>
  TypedRemoteTask(G&& function, Place place, RemoteKind kind)
      : function_{std::in_place, std::forward<G>(function)}, promise_{place, kind} {}
  ~TypedRemoteTask() override = default;

  /// Connects the future's cancellation with the task.
  static std::shared_ptr<TypedRemoteTask> make(F&& function, Place place, RemoteKind kind) {
    auto task = std::make_shared<TypedRemoteTask>(std::move(function), place, kind);
    task->promise_.on_cancel([weak = std::weak_ptr<RemoteTask>{task}] {
      if (const auto known = weak.lock()) known->request_cancel();
    });
    return task;
  }
  [[nodiscard]] Future<R> future() const { return promise_.future(); }

 private:
  void call() override {
    if constexpr (std::is_void_v<R>) {
      std::invoke(*function_);
      value_.emplace();
    } else if constexpr (std::is_reference_v<R>) {
      value_.emplace(std::addressof(std::invoke(*function_)));
    } else {
      value_.emplace(std::invoke(*function_));
    }
  }
  void drop_body() noexcept override { function_.reset(); }
  void publish_value() override {
    if constexpr (std::is_void_v<R>) {
      promise_.complete();
    } else if constexpr (std::is_reference_v<R>) {
      promise_.complete(static_cast<R>(**value_));
    } else {
      promise_.complete(std::move(*value_));
    }
    value_.reset();
  }
  void publish_error(std::exception_ptr error) override { promise_.fail(std::move(error)); }

  std::optional<F> function_;
  RemotePromise<R> promise_;
  std::optional<typename Result<R>::Stored> value_;
};

}  // namespace weft::detail
