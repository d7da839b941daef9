#include "weft/detail/remote_task.hpp"

#include "scheduler/shield.hpp"
#include "threads/thread_latch.hpp"
#include "weft/await.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"
#include "weft/scope.hpp"
#include "weft/suspend.hpp"

namespace weft::detail {

class RemoteCalls::State {
 public:
  void add() noexcept { ++count_; }
  void drop() noexcept {
    if (--count_ == 0) none_left_.set();
  }
  /// Suspends until all calls have ended. Cannot fail: polls if there are no memory or descriptors
  /// to wait with.
  void wait() noexcept {
    while (!none_left_.is_set()) {
      try {
        none_left_.wait();
      } catch (...) {
        suspend();
      }
    }
  }

 private:
  std::atomic<std::size_t> count_{1};  // 1 for the owner of this RemoteCalls, until it waits
  ThreadLatch none_left_;
};

RemoteCalls::RemoteCalls() : state_{std::make_shared<State>()} {}

RemoteCalls::~RemoteCalls() {
  state_->drop();
  const Shield shield;
  state_->wait();
}

RemoteCalls::Call::Call(const RemoteCalls& calls) noexcept : state_{calls.state_} { state_->add(); }

RemoteCalls::Call::~Call() {
  if (state_ != nullptr) state_->drop();
}

RemoteTask::~RemoteTask() = default;

void RemoteTask::count_in(std::shared_ptr<std::atomic<std::size_t>> waiting) noexcept {
  waiting_ = std::move(waiting);
  ++*waiting_;
}

void RemoteTask::count_out() noexcept {
  if (waiting_ != nullptr) --*std::exchange(waiting_, nullptr);
}

bool RemoteTask::begin() noexcept {
  State expected = State::waiting;
  if (!state_.compare_exchange_strong(expected, State::running)) return false;
  count_out();
  return true;
}

bool RemoteTask::reject(std::exception_ptr error) noexcept {
  State expected = State::waiting;
  if (!state_.compare_exchange_strong(expected, State::ended)) return false;
  count_out();
  drop_body();
  finish(std::move(error));
  return true;
}

void RemoteTask::request_cancel() noexcept {
  if (!reject(std::make_exception_ptr(Cancelled::with_literal("Task has been cancelled")))) {
    cancel_.fire();
  }
}

std::exception_ptr RemoteTask::run(Scope* scope) {
  const Shield shield;
  const auto body = [this] { call(); };
  const Coroutine<void> coroutine = scope != nullptr ? scope->spawn(body) : spawn(body);
  std::exception_ptr error;
  while (!coroutine.is_completed()) {
    try {
      await(static_cast<Event&>(coroutine), error == nullptr ? Token{cancel_} : Token{});
    } catch (const OperationCancelled&) {  // the reader has cancelled, or the task has
      if (!coroutine.is_completed()) coroutine.cancel();
    } catch (...) {
      if (coroutine.is_completed()) break;
      error = std::current_exception();  // the wait failed: the task ends with this error
      coroutine.cancel();
    }
  }
  if (error != nullptr) return error;
  try {
    await(coroutine);
  } catch (...) {
    error = std::current_exception();
  }
  return error;
}

void RemoteTask::finish(std::exception_ptr error) noexcept {
  state_.store(State::ended);
  drop_body();
  try {
    if (error == nullptr) return publish_value();
  } catch (...) {  // the move of the value threw
    error = std::current_exception();
  }
  try {
    publish_error(std::move(error));
  } catch (...) {  // a second write, which cannot happen
  }
}

}  // namespace weft::detail
