#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "weft/detail/remote_task.hpp"

namespace weft {

/// How a thread runs.
struct ThreadOptions {
  /// Runs first in the thread. If it throws, the future fails with its error.
  std::function<void()> bootloader = {};
};

/// A thread with a runtime of its own.
class Thread {
 public:
  Thread() = delete;

  /// Starts a thread that runs `function` as weft::run() would. `function` is moved there, and its
  /// value or exception is returned through the future after everything else in that runtime has
  /// ended. Throws std::system_error if the thread cannot be started.
  ///
  /// An exception that was not read when the last future is destroyed ends the program, as that of
  /// a coroutine does, unless ignore() was called.
  ///
  /// Cancelling the future cancels the function, see ThreadPool::submit(). A thread that is not
  /// waited for does not keep the caller's runtime alive, but the process waits for it at exit.
  template <std::invocable F>
  [[nodiscard]] static auto start(F function, ThreadOptions options = {},
                                  Place place = Place::here()) {
    using R = std::invoke_result_t<F&>;
    const auto task =
        detail::TypedRemoteTask<F, R>::make(std::move(function), place, detail::RemoteKind::thread);
    start_task(task, std::move(options));
    Future<R> future = task->future();
    static_cast<detail::FutureBase&>(static_cast<Event&>(future)).rethrow_if_unread();
    return future;
  }

 private:
  static void start_task(std::shared_ptr<detail::RemoteTask> task, ThreadOptions options);
};

}  // namespace weft
