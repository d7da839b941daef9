#include "weft/thread_channel.hpp"

#include "base/current.hpp"
#include "base/probe.hpp"
#include "threads/runtime_thread_state.hpp"
#include "wait/await_as.hpp"
#include "weft/error.hpp"

namespace weft::detail {

ThreadChannelCore::ThreadChannelCore(std::size_t capacity) : capacity_{capacity} {
  if (capacity == 0) throw ValueError{"A ThreadChannel needs a capacity of at least 1"};
}

ThreadChannelCore::~ThreadChannelCore() = default;

void ThreadChannelCore::close(CloseReason reason) noexcept {
  const Lock lock{mutex_};
  if (reason_ != CloseReason::none) return;
  reason_ = reason;
  while (!receivers_.empty()) wake_first(receivers_);
  while (!senders_.empty()) wake_first(senders_);
}

bool ThreadChannelCore::is_closed() const noexcept {
  const Lock lock{mutex_};
  return reason_ != CloseReason::none;
}

void ThreadChannelCore::push(Line& line, ThreadWaiter& waiter) noexcept {
  if (waiter.again_) {
    line.push_front(waiter);
  } else {
    line.push_back(waiter);
  }
}

/// Fires under the lock: once the lock is released, the waiter may see that it is not in the list
/// any more, and end with its trigger.
void ThreadChannelCore::wake_first(Line& line) noexcept {
  if (ThreadWaiter* const waiter = line.pop_front()) waiter->trigger_.fire();
}

void ThreadChannelCore::park(ThreadWaiter& waiter, Line& line, Lock& lock, Token token,
                             Place place) {
  push(line, waiter);
  lock.unlock();
  try {
    await_as(&line == &senders_ ? "ThreadChannel::send()" : "ThreadChannel::recv()",
             waiter.trigger_, token, place);
  } catch (...) {
    lock.lock();
    if (waiter.is_listed()) {
      line.remove(waiter);
    } else {
      WEFT_PROBE("thread channel hint handed on");
      wake_first(line);
    }
    throw;
  }
  lock.lock();
  if (waiter.is_listed()) line.remove(waiter);
  waiter.again_ = true;
}

Event& ThreadChannelCore::join(ThreadWaiter& waiter, Side side, bool again) noexcept {
  const Lock lock{mutex_};
  waiter.again_ = again;
  push(line(side), waiter);
  // The state may have changed since the caller looked at it, when this waiter was not in the queue
  // and got no hint.
  if (has_for(side) || reason_ != CloseReason::none) {
    line(side).remove(waiter);
    waiter.trigger_.fire();
  }
  return waiter.trigger_;
}

void ThreadChannelCore::arrive(ThreadWaiter& waiter, Side side) noexcept {
  const Lock lock{mutex_};
  if (waiter.is_listed()) line(side).remove(waiter);
}

void ThreadChannelCore::leave(ThreadWaiter& waiter, Side side) noexcept {
  const Lock lock{mutex_};
  if (waiter.is_listed()) {
    line(side).remove(waiter);
  } else {
    wake_first(line(side));
  }
}

void close_with_runtime(const std::shared_ptr<ThreadChannelCore>& channel) {
  if (current_thread.scheduler != nullptr) RuntimeThreadState::here().bind(channel);
}

}  // namespace weft::detail
