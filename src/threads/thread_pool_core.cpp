#include "threads/thread_pool_core.hpp"

#include <algorithm>

#include "base/probe.hpp"
#include "scheduler/shield.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"
#include "weft/runtime.hpp"
#include "weft/scope.hpp"
#include "weft/semaphore.hpp"
#include "weft/suspend.hpp"
#include "weft/wait_group.hpp"

namespace weft {
namespace {

ThreadPoolOptions completed_options(ThreadPoolOptions options) {
  if (options.workers == 0) {
    options.workers = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  }
  if (options.queue == 0) options.queue = 4 * options.workers;
  return options;
}

std::exception_ptr cancellation() noexcept {
  return std::make_exception_ptr(Cancelled::with_literal("ThreadPool was cancelled"));
}

}  // namespace

ThreadPoolCore::ThreadPoolCore(ThreadPoolOptions options)
    : options_{completed_options(std::move(options))}, queue_{options_.queue} {}

std::shared_ptr<PoolWorker> ThreadPoolCore::start_worker() {
  auto worker = std::make_shared<PoolWorker>();
  const std::lock_guard lock{mutex_};
  workers_.reserve(workers_.size() + 1);
  ++live;  // before it can end
  try {
    worker->thread = std::thread{[core = shared_from_this(), worker] { core->work(*worker); }};
  } catch (...) {
    --live;
    throw;
  }
  workers_.push_back(worker);
  return worker;
}

void ThreadPoolCore::submit(Task task, Token token, Place place) {
  task->count_in(pending_);
  try {
    Task sent = task;
    queue_.send(std::move(sent), token, place);
    return;
  } catch (const ChannelClosed&) {  // handled below, outside of this block
  } catch (...) {
    task->count_out();
    throw;
  }
  task->count_out();
  std::exception_ptr error = failure();
  if (error == nullptr) throw ThreadPoolClosed{"ThreadPool is closed"};
  task->reject(std::move(error));
}

std::size_t ThreadPoolCore::pending() const noexcept { return *pending_; }

std::exception_ptr ThreadPoolCore::failure() const noexcept {
  const std::lock_guard lock{mutex_};
  return failure_;
}

void ThreadPoolCore::reject_waiting(const std::exception_ptr& error) noexcept {
  while (std::optional<Task> task = queue_.try_recv()) (*task)->reject(error);
}

void ThreadPoolCore::fail(std::exception_ptr error) noexcept {
  {
    const std::lock_guard lock{mutex_};
    if (failure_ == nullptr) failure_ = error;
  }
  queue_.close();
  reject_waiting(error);
}

void ThreadPoolCore::cancel() noexcept {
  queue_.close();
  reject_waiting(cancellation());
  const std::lock_guard lock{mutex_};
  cancelled_ = true;
  if (options_.coroutines == 0) return;
  for (const Task& task : tasks_) task->request_cancel();
}

std::vector<std::shared_ptr<PoolWorker>> ThreadPoolCore::take_workers() noexcept {
  const std::lock_guard lock{mutex_};
  return std::move(workers_);
}

void ThreadPoolCore::reload(Place place) {
  Scheduler& scheduler = Scheduler::here("ThreadPool::reload()");
  if (!scheduler.has_current() || scheduler.in_phase()) {
    throw MisuseError{"ThreadPool::reload() suspends: call it in a coroutine"};
  }
  if (is_closed()) throw ThreadPoolClosed{"ThreadPool is closed"};
  const auto mine = std::make_shared<ThreadLatch>();
  std::shared_ptr<ThreadLatch> other;
  {
    const std::lock_guard lock{mutex_};
    if (std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->is_here(); })) {
      throw MisuseError{
          "ThreadPool::reload() was called in a task of the same pool: it would wait for itself"};
    }
    if (reloading_ == nullptr) {
      reloading_ = mine;
    } else {
      other = reloading_;
    }
  }
  if (other != nullptr) {
    WEFT_PROBE("reload of a pool joined another one");
    return other->wait(place);
  }
  const auto finish = [&] {
    {
      const std::lock_guard lock{mutex_};
      reloading_ = nullptr;
    }
    mine->set();
  };
  try {
    replace_workers(place);
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (std::exception_ptr error = failure()) std::rethrow_exception(error);
}

/// Starts a new worker for each old one. Shielded from the start of a worker to the join of the old
/// one: its thread must be joined even after a cancellation.
void ThreadPoolCore::replace_workers(Place place) {
  std::vector<std::shared_ptr<PoolWorker>> old;
  {
    const std::lock_guard lock{mutex_};
    old = workers_;
  }
  for (const auto& worker : old) {
    cancellation_point();
    const auto fresh = start_worker();
    const Shield shield;
    fresh->ready.wait(place);
    if (failure() != nullptr) return;
    worker->retiring = true;
    worker->retire.fire();
    worker->ended.wait(place);
    worker->join();
    const std::lock_guard lock{mutex_};
    std::erase(workers_, worker);
  }
}

void ThreadPoolCore::work(PoolWorker& worker) noexcept {
  // A task may shut down the runtime it runs in: the worker then makes a new one.
  for (bool leaving = false; !leaving;) {
    bool booted = false;
    std::exception_ptr error;
    std::exception_ptr cannot_serve;
    try {
      run([&] {
        if (options_.bootloader) options_.bootloader();
        booted = true;
        worker.ready.set();
        try {
          serve(worker);
          leaving = true;
        } catch (const Cancelled&) {
          throw;
        } catch (...) {  // a new runtime would fail the same way
          cannot_serve = std::current_exception();
          throw;
        }
      });
    } catch (...) {
      error = std::current_exception();
    }
    if (cannot_serve != nullptr) {
      fail(std::move(cannot_serve));
      leaving = true;
    } else if (!booted) {
      if (error == nullptr) {
        error = std::make_exception_ptr(Error{"The bootloader shut the runtime down"});
      }
      fail(std::move(error));
      leaving = true;
    }
  }
  worker.ready.set();
  --live;
  worker.ended.set();
}

void ThreadPoolCore::serve(PoolWorker& worker) {
  Semaphore places{static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, options_.coroutines))};
  WaitGroup tasks;
  std::exception_ptr error;
  try {
    for (;;) {
      places.acquire();
      if (worker.retiring) break;
      Task task = queue_.recv(worker.retire, Place::here());
      spawn([this, &places, &tasks, task = std::move(task)]() mutable {
        const Shield shield;
        execute(std::exchange(task, nullptr));
        places.release();
        tasks.done();
      });
      tasks.add();  // after spawn(), which may throw; the coroutine has not run yet
    }
  } catch (const ChannelClosed&) {       // the pool is closed and its queue is empty
  } catch (const OperationCancelled&) {  // this worker has to leave
  } catch (...) {
    error = std::current_exception();
  }
  const Shield shield;
  tasks.wait();
  if (error != nullptr) std::rethrow_exception(error);
}

namespace {

/// Runs the task in a scope of its own, which ends with it, and returns its error.
std::exception_ptr run_in_scope(detail::RemoteTask& task) {
  std::exception_ptr of_child;
  const Ref<Scope> scope = Scope::inherit();  // finds the values that the bootloader set
  // A child that fails ends its task, but not the worker.
  scope->set_exception_handler(
      [&](Scope& /*scope*/, const AnyCoroutine& /*child*/, std::exception_ptr failure) {
        if (of_child != nullptr) return;
        of_child = std::move(failure);
        task.request_cancel();
      });
  std::exception_ptr error = task.run(scope.get());
  scope->cancel();
  scope->await_after_cancellation([](std::exception_ptr /*error*/, Scope& /*scope*/) {});
  return of_child != nullptr && is_cancellation(error) ? std::move(of_child) : std::move(error);
}

}  // namespace

void ThreadPoolCore::execute(const Task& task) {
  bool too_late = false;  // the pool was cancelled after this worker had taken the task
  {
    const std::lock_guard lock{mutex_};
    too_late = cancelled_;
    if (!too_late) {
      if (!task->begin()) return;
      tasks_.push_back(task);
    }
  }
  if (too_late) {
    task->reject(cancellation());
    return;
  }
  ++running;
  std::exception_ptr error;
  try {
    error = run_in_scope(*task);
  } catch (...) {  // no memory for the coroutine of the task
    error = std::current_exception();
  }
  {
    const std::lock_guard lock{mutex_};
    std::erase(tasks_, task);
  }
  --running;
  ++completed;
  task->finish(std::move(error));
}

}  // namespace weft
