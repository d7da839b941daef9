#include "weft/blocking.hpp"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "base/probe.hpp"
#include "scheduler/scheduler.hpp"
#include "scheduler/shield.hpp"
#include "threads/blocking_pool.hpp"
#include "weft/await.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// Blocks all signals while it lives; threads started meanwhile inherit that, so that signal
/// handlers run on the threads of the program.
class WithoutSignals {
 public:
  WithoutSignals() noexcept {
    sigset_t every;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

detail::BlockingJob::~BlockingJob() = default;

BlockingPool& BlockingPool::here() {
  struct Kept {
    BlockingPool* pool;
    pid_t process;
  };
  static std::atomic<Kept*> kept{nullptr};
  Kept* known = kept.load(std::memory_order_acquire);
  const pid_t process = ::getpid();
  if (known != nullptr && known->process == process) return *known->pool;
  auto fresh = std::make_unique<Kept>();
  auto pool = std::unique_ptr<BlockingPool>{new BlockingPool};
  fresh->pool = pool.get();
  fresh->process = process;
  if (!kept.compare_exchange_strong(known, fresh.get())) return *known->pool;
  static_cast<void>(fresh.release());  // the pool lives as long as the process
  return *pool.release();
}

void BlockingPool::submit(std::shared_ptr<detail::BlockingJob> job) {
  const std::lock_guard lock{mutex_};
  queue_.push_back(std::move(job));
  if (queue_.size() > idle_ && workers_ < max_workers) {
    try {
      start_worker();
    } catch (...) {  // no thread, or no memory for one: the present workers run the job
      if (workers_ == 0) {
        queue_.pop_back();
        throw;
      }
    }
  }
  waiting_.notify_one();
}

void BlockingPool::start_worker() {
  const WithoutSignals quiet;
  std::thread{[this] { work(); }}.detach();
  ++workers_;
}

bool BlockingPool::withdraw(const detail::BlockingJob& job) noexcept {
  const std::lock_guard lock{mutex_};
  if (job.started_) return false;
  for (auto at = queue_.begin(); at != queue_.end(); ++at) {
    if (at->get() != &job) continue;
    queue_.erase(at);
    break;
  }
  return true;
}

bool BlockingPool::is_over(const detail::BlockingJob& job) noexcept {
  const std::lock_guard lock{mutex_};
  return job.ended_;
}

void BlockingPool::work() noexcept {
  std::unique_lock lock{mutex_};
  for (;;) {
    ++idle_;
    waiting_.wait(lock, [this] { return !queue_.empty(); });
    --idle_;
    std::shared_ptr<detail::BlockingJob> job = std::move(queue_.front());
    queue_.pop_front();
    job->started_ = true;
    lock.unlock();
    job->run();
    lock.lock();
    job->ended_ = true;
    job->over_.fire();
    lock.unlock();
    job.reset();
    lock.lock();
  }
}

void detail::run_blocking(const std::shared_ptr<detail::BlockingJob>& job, Place place) {
  Scheduler& scheduler = Scheduler::here("blocking()");
  if (!scheduler.has_current() || scheduler.in_phase()) {
    throw MisuseError{
        "blocking() suspends: microtasks, callbacks and switch handlers may not call it; spawn() a "
        "coroutine from there instead"};
  }
  cancellation_point();
  BlockingPool& pool = BlockingPool::here();
  Trigger& over = BlockingPool::over(*job);
  // Closed with this frame: the worker may keep the job longer, and with it the trigger, which must
  // not stay in this loop.
  const struct Armed {
    explicit Armed(Trigger& armed) : trigger{armed} { trigger.start(); }
    ~Armed() { trigger.close(); }
    Armed(const Armed&) = delete;
    Armed& operator=(const Armed&) = delete;
    Trigger& trigger;
  } armed{over};
  pool.submit(job);
  try {
    while (!pool.is_over(*job)) await(over, place);
  } catch (...) {
    if (pool.withdraw(*job)) {
      WEFT_PROBE("blocking call withdrawn");
      throw;
    }
    // The function may use objects on this stack: nothing may end the wait before the function
    // ends.
    WEFT_PROBE("blocking call outlives its cancellation");
    const Shield shield;
    while (!pool.is_over(*job)) await(over, place);
    throw;
  }
}

}  // namespace weft
