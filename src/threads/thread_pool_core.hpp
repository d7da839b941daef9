#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "threads/thread_latch.hpp"
#include "weft/thread_channel.hpp"
#include "weft/thread_pool.hpp"

namespace weft {

/// One thread of a pool.
struct PoolWorker {
  /// Blocks until the thread has ended. The end of a pool and reload() may wait for the same
  /// worker: the first call joins, the other does nothing.
  void join() {
    if (!joined.exchange(true)) thread.join();
  }
  /// Whether the caller is a task of this worker, which cannot wait for its own end.
  [[nodiscard]] bool is_here() const noexcept {
    return thread.get_id() == std::this_thread::get_id();
  }
  void detach() {
    if (!joined.exchange(true)) thread.detach();
  }

  std::thread thread;
  std::atomic<bool> joined{false};
  Trigger retire;
  std::atomic<bool> retiring{false};
  ThreadLatch ready;  // the bootloader has run, or failed
  ThreadLatch ended;
};

/// What a pool and its workers share.
class ThreadPoolCore : public std::enable_shared_from_this<ThreadPoolCore> {
 public:
  explicit ThreadPoolCore(ThreadPoolOptions options);

  [[nodiscard]] const ThreadPoolOptions& options() const noexcept { return options_; }
  /// Throws std::system_error.
  std::shared_ptr<PoolWorker> start_worker();
  void submit(std::shared_ptr<detail::RemoteTask> task, Token token, Place place);
  void close() noexcept { queue_.close(); }
  [[nodiscard]] bool is_closed() const noexcept { return queue_.is_closed(); }
  void cancel() noexcept;
  /// Rejects all tasks, because the bootloader threw `error`.
  void fail(std::exception_ptr error) noexcept;
  [[nodiscard]] std::exception_ptr failure() const noexcept;
  void reload(Place place);
  /// Removes all workers from the pool and returns them, to be waited for.
  std::vector<std::shared_ptr<PoolWorker>> take_workers() noexcept;

  [[nodiscard]] std::size_t pending() const noexcept;
  std::atomic<std::size_t> running{0};
  std::atomic<std::size_t> completed{0};
  std::atomic<std::size_t> live{0};

 private:
  using Task = std::shared_ptr<detail::RemoteTask>;
  void work(PoolWorker& worker) noexcept;
  /// Suspends. Runs tasks until the worker has to leave.
  void serve(PoolWorker& worker);
  void execute(const Task& task);
  void reject_waiting(const std::exception_ptr& error) noexcept;
  void replace_workers(Place place);

  const ThreadPoolOptions options_;
  detail::TypedThreadChannel<Task> queue_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<PoolWorker>> workers_;
  std::vector<Task> tasks_;  // the running ones
  bool cancelled_ = false;
  std::exception_ptr failure_;
  const std::shared_ptr<std::atomic<std::size_t>> pending_ =
      std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<ThreadLatch> reloading_;
};

}  // namespace weft
