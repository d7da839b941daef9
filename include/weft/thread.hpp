#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "weft/detail/remote_task.hpp"

namespace weft {

struct ThreadOptions {
  /// Runs first in the thread. If it throws, the future fails with that.
  std::function<void()> bootloader = {};
};

/// A thread with a runtime of its own.
class Thread {
 public:
  Thread() = delete;

  /// Starts a thread that runs `function` as weft::run() would; it is moved there, and its value or
  /// its exception comes back through the future, after everything else in that runtime has ended.
  /// Throws std::system_error if there is no thread to be had.
  ///
  /// An exception that nobody has read when the last future goes ends the program, as that of a
  /// coroutine does; ignore() says that nobody will.
  ///
  /// Cancelling the future cancels the function, as ThreadPool::submit() says. A thread that nobody
  /// waits for does not keep the caller's runtime alive, but the process waits for it at exit.
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
