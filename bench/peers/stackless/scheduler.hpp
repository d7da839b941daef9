// What a program that uses C++20 coroutines without a library writes for itself: tasks, a run
// queue, a yield, and a loop. One thread. A suspension resumes the next ready task directly
// (symmetric transfer), the fastest switch of the language.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace stackless {

/// A coroutine that stands in the run queue; part of its promise, so that queueing allocates
/// nothing.
struct Ready {
  std::coroutine_handle<> handle;
  Ready* next = nullptr;
};

class RunQueue {
 public:
  void push(Ready& ready) noexcept {
    ready.next = nullptr;
    if (last_ != nullptr) {
      last_->next = &ready;
    } else {
      first_ = &ready;
    }
    last_ = &ready;
  }
  /// The next task to run, or null.
  std::coroutine_handle<> pop() noexcept {
    if (first_ == nullptr) return {};
    Ready& ready = *first_;
    first_ = ready.next;
    if (first_ == nullptr) last_ = nullptr;
    return ready.handle;
  }
  /// The next task to run, or a handle that returns to run().
  std::coroutine_handle<> next() noexcept {
    const std::coroutine_handle<> handle = pop();
    return handle ? handle : std::noop_coroutine();
  }

 private:
  Ready* first_ = nullptr;
  Ready* last_ = nullptr;
};

inline RunQueue run_queue;

/// A coroutine. spawn() starts it, co_await waits for its end and throws what it threw.
class Task {
 public:
  struct promise_type : Ready {
    Task get_return_object() noexcept {
      handle = std::coroutine_handle<promise_type>::from_promise(*this);
      return Task{*this};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct End {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        promise_type& promise = ended.promise();
        promise.ended = true;
        if (promise.waiter) return promise.waiter;
        if (promise.detached) ended.destroy();
        return run_queue.next();
      }
      void await_resume() noexcept {}
    };
    End final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { error = std::current_exception(); }

    std::coroutine_handle<> waiter;
    std::exception_ptr error;
    bool ended = false;
    bool detached = false;
  };

  Task(Task&& other) noexcept : promise_{std::exchange(other.promise_, nullptr)} {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (promise_ != nullptr) promise_->handle.destroy();
  }

  struct Await {
    bool await_ready() const noexcept { return promise.ended; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
      promise.waiter = waiter;
      return run_queue.next();
    }
    void await_resume() const {
      if (promise.error) std::rethrow_exception(promise.error);
    }
    promise_type& promise;
  };
  Await operator co_await() const noexcept { return {*promise_}; }

  /// The frame is destroyed when the coroutine ends.
  void detach() noexcept { std::exchange(promise_, nullptr)->detached = true; }

 private:
  friend Task spawn(Task task) noexcept;
  explicit Task(promise_type& promise) noexcept : promise_{&promise} {}
  promise_type* promise_;
};

/// Puts the task into the run queue.
inline Task spawn(Task task) noexcept {
  run_queue.push(*task.promise_);
  return task;
}

/// Awaiting this queues the task at the end of the run queue.
struct Yield {
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(
      std::coroutine_handle<Task::promise_type> yielding) const noexcept {
    run_queue.push(yielding.promise());
    return run_queue.next();
  }
  void await_resume() const noexcept {}
};

/// Runs tasks until none is ready.
inline void run() {
  while (const std::coroutine_handle<> handle = run_queue.pop()) handle.resume();
}

}  // namespace stackless
