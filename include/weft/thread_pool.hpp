#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/detail/mistake.hpp"
#include "weft/detail/remote_task.hpp"
#include "weft/error.hpp"
#include "weft/token.hpp"

namespace weft {

class ThreadPoolCore;

/// How many threads a pool has, and what they do first.
struct ThreadPoolOptions {
  /// Number of threads; 0: as many as the machine runs at once.
  std::size_t workers = 0;
  /// Tasks that may wait for a worker; 0: four for each worker.
  std::size_t queue = 0;
  /// Tasks that run at once in each worker, as coroutines. 0: one after the other, and cancel()
  /// lets running tasks end by themselves.
  std::size_t coroutines = 0;
  /// Runs first in every worker; tasks find the values() that it set. If it throws, the pool has
  /// failed.
  std::function<void()> bootloader = {};
};

/// A task was submitted to a pool that accepts no more.
class ThreadPoolClosed : public Error {
 public:
  using Error::Error;
};

/// Threads that run tasks. Each has a runtime of its own and runs a task in a coroutine there, so a
/// task may suspend; coroutines that it leaves behind are cancelled when it ends. An exception of a
/// task goes to its future and does not affect the worker.
class ThreadPool {
 public:
  /// Starts the workers. Throws std::system_error if a thread cannot be started.
  explicit ThreadPool(ThreadPoolOptions options = {});
  /// Suspends, in a coroutine, until all tasks have ended; elsewhere blocks the thread. This wait
  /// cannot be cancelled; call cancel() before to shorten it. A task that destroys its own pool
  /// waits for the other workers only.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Suspends while the queue is full; then hands `function` to a worker. Throws ThreadPoolClosed,
  /// Cancelled, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled.
  ///
  /// Cancelling the future, or the last coroutine that waits for it, stops the task at its next
  /// suspension, or before it begins; so does destroying a future that a coroutine has waited for.
  /// Destroying one that was never waited for does not stop its task.
  template <std::invocable F>
  [[nodiscard]] auto submit(F function, Token token = {}, Place place = Place::here()) {
    using R = std::invoke_result_t<F&>;
    const auto task =
        detail::TypedRemoteTask<F, R>::make(std::move(function), place, detail::RemoteKind::task);
    submit_task(task, token, place);
    return task->future();
  }

  template <class F>
  requires(!std::invocable<F>) auto submit(F /*function*/, Token /*token*/ = {},
                                           Place /*place*/ = {}) {
    static_assert(detail::always_false<F>,
                  "ThreadPool::submit() calls its function without arguments: let "
                  "the function capture what it needs");
    return detail::AnyResult{};
  }
  /// Suspends until `function` was called in the workers with each element of `range`; returns the
  /// results in the order of the elements. The first error in that order is thrown, and the calls
  /// behind it are cancelled. When map() returns or throws, even Cancelled, no call runs any more,
  /// so `function` may refer to the caller's frame. Elements and `function` are copied.
  template <class Range, class F>
  auto map(const Range& range, F function, Place place = Place::here()) {
    using Element = std::decay_t<decltype(*std::begin(range))>;
    using R = std::invoke_result_t<F&, const Element&>;
    struct Body {
      detail::RemoteCalls::Call call;
      F function;
      Element element;
      R operator()() { return function(element); }
    };
    Batch<R> batch;
    for (const auto& element : range) {
      batch.futures.push_back(
          submit(Body{detail::RemoteCalls::Call{batch.calls}, function, element}, {}, place));
    }
    if constexpr (std::is_void_v<R>) {
      for (const Future<R>& future : batch.futures) future.await(place);
    } else {
      std::vector<R> results;
      results.reserve(batch.futures.size());
      for (const Future<R>& future : batch.futures) results.push_back(future.await(place));
      return results;
    }
  }

  /// Accepts no new tasks; those already accepted still run.
  void close() noexcept;
  /// Closes the pool; waiting tasks fail with Cancelled. With `coroutines` running ones are
  /// cancelled too.
  void cancel() noexcept;
  /// Suspends until every worker was replaced by a new one, one by one; an old one exits when its
  /// tasks have ended. A call during another one waits for it. Throws what a bootloader threw,
  /// ThreadPoolClosed, and MisuseError in a task of this pool: it would wait for itself.
  void reload(Place place = Place::here());

  /// Whether it takes no more tasks.
  [[nodiscard]] bool is_closed() const noexcept;
  /// Tasks that wait for a worker.
  [[nodiscard]] std::size_t pending() const noexcept;
  /// How many tasks run now.
  [[nodiscard]] std::size_t running() const noexcept;
  /// Tasks that have ended, with or without an error. Never decreases.
  [[nodiscard]] std::size_t completed() const noexcept;
  /// Threads that exist, including old ones that still work.
  [[nodiscard]] std::size_t workers() const noexcept;

 private:
  /// The calls of one map(). Those left when map() throws are cancelled and waited for.
  template <class R>
  struct Batch {
    Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() {
      for (const Future<R>& future : futures) {
        future.ignore();
        future.cancel();
      }
    }
    detail::RemoteCalls calls;
    std::vector<Future<R>> futures;
  };
  void submit_task(std::shared_ptr<detail::RemoteTask> task, Token token, Place place);

  const std::shared_ptr<ThreadPoolCore> core_;
};

}  // namespace weft
