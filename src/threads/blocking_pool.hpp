#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "weft/blocking.hpp"

namespace weft {

/// The workers that all runtimes of the process share. Workers are started when needed and never
/// stopped: an idle worker costs nothing, and the caller waits for each call.
class BlockingPool {
 public:
  static constexpr std::size_t max_workers = 4;

  /// The pool of this process: a forked child gets its own, because the workers are the parent's.
  static BlockingPool& here();

  /// The trigger of a job; armed before the job is submitted, so that nothing can fail later.
  static Trigger& over(detail::BlockingJob& job) noexcept { return job.over_; }
  /// Throws std::bad_alloc, and std::system_error if there is no worker and none can be started;
  /// then the job does not run.
  void submit(std::shared_ptr<detail::BlockingJob> job);
  /// Takes the job out of the queue. False if it has started.
  bool withdraw(const detail::BlockingJob& job) noexcept;
  [[nodiscard]] bool is_over(const detail::BlockingJob& job) noexcept;

 private:
  BlockingPool() = default;
  void start_worker();
  void work() noexcept;

  std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<std::shared_ptr<detail::BlockingJob>> queue_;
  std::size_t workers_ = 0;
  std::size_t idle_ = 0;
};

}  // namespace weft
