#pragma once

#include <mutex>
#include <sys/types.h>

namespace weft::bridge {

/// The process, as it was when the bridge was installed or after the last fork().
[[nodiscard]] pid_t process_id() noexcept;
/// From now on forks keep process_id() true, and the locks of the bridge usable in the child.
void watch_forks_for_bridge() noexcept;
/// In this thread, from the first to the last handler of pthread_atfork(): it has all locks then.
extern constinit thread_local bool is_forking;

/// Locks a mutex that the bridge also locks around a fork. Handlers of pthread_atfork() may make
/// hooked calls, so it does nothing in the thread that forks.
class ForkableLock {
 public:
  explicit ForkableLock(std::mutex& mutex) : mutex_{is_forking ? nullptr : &mutex} {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~ForkableLock() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  ForkableLock(const ForkableLock&) = delete;
  ForkableLock& operator=(const ForkableLock&) = delete;

 private:
  std::mutex* mutex_;
};

/// In the child of a hooked fork(), at a call that may wait: its coroutine goes on alone. False:
/// there is nothing to continue, or it is not possible, and calls block.
[[nodiscard]] bool continue_alone() noexcept;

}  // namespace weft::bridge
