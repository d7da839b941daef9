#include "weft/thread_pool.hpp"

#include "base/current.hpp"
#include "scheduler/shield.hpp"
#include "threads/thread_pool_core.hpp"

namespace weft {
namespace {

/// Waits until `workers`, which have to leave, have ended. A coroutine suspends; other code blocks.
void wait_for(std::vector<std::shared_ptr<PoolWorker>> workers) noexcept {
  const Scheduler* scheduler = current_thread.scheduler;
  const bool suspends = scheduler != nullptr && scheduler->has_current() && !scheduler->in_phase();
  for (const auto& worker : workers) {
    if (worker->is_here()) {
      worker->detach();
      continue;
    }
    if (suspends) {
      const Shield shield;
      try {
        worker->ended.wait();
      } catch (...) {  // the wait failed, as without memory: join() below blocks
      }
    }
    worker->join();
  }
}

}  // namespace

ThreadPool::ThreadPool(ThreadPoolOptions options)
    : core_{std::make_shared<ThreadPoolCore>(std::move(options))} {
  try {
    for (std::size_t i = 0; i < core_->options().workers; ++i) core_->start_worker();
  } catch (...) {
    core_->close();
    wait_for(core_->take_workers());
    throw;
  }
}

ThreadPool::~ThreadPool() {
  core_->close();
  wait_for(core_->take_workers());
}

void ThreadPool::submit_task(std::shared_ptr<detail::RemoteTask> task, Token token, Place place) {
  const auto core = core_;
  core->submit(std::move(task), token, place);
}

void ThreadPool::close() noexcept { core_->close(); }
void ThreadPool::cancel() noexcept { core_->cancel(); }
void ThreadPool::reload(Place place) {
  const auto core = core_;
  core->reload(place);
}
bool ThreadPool::is_closed() const noexcept { return core_->is_closed(); }
std::size_t ThreadPool::pending() const noexcept { return core_->pending(); }
std::size_t ThreadPool::running() const noexcept { return core_->running; }
std::size_t ThreadPool::completed() const noexcept { return core_->completed; }
std::size_t ThreadPool::workers() const noexcept { return core_->live; }

}  // namespace weft
