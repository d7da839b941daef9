#include "bridge/worker.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <uv.h>

#include "base/current.hpp"
#include "reactor/loop_table.hpp"
#include "reactor/reactor.hpp"
#include "weft/extend/park.hpp"
#include "weft/extend/waker.hpp"

namespace weft::bridge {
namespace {

class WorkerWait;
class Workers;

/// Held by the queue or the loop until the worker is done.
struct Request {
  uv_work_t native{};
  std::shared_ptr<Work> work;
  Workers* workers = nullptr;     // null: the loop has ended
  WorkerWait* waiting = nullptr;  // null: the coroutine does not wait any more
};

/// Requests of one loop. Lookups that hang must leave workers to what else the pool does, such as
/// files: all loops together use at most half of it, and one worker each.
class Workers final : public LoopTable {
 public:
  explicit Workers(Reactor& reactor) noexcept : loop_{reactor.loop()} {}
  /// What workers have taken ends later.
  ~Workers() override {
    for (Request* const request : running_) request->workers = nullptr;
  }
  /// The child has no workers. Requests stay where they are: waits of the parent's coroutines point
  /// to them.
  void after_fork() override {
    for (std::unique_ptr<Request>& queued : queue_) static_cast<void>(queued.release());
    queue_.clear();
    running_.clear();
    all_running_ = 0;
  }
  /// Throws std::bad_alloc.
  Request& add(std::shared_ptr<Work> work) {
    auto request = std::make_unique<Request>();
    request->native.data = request.get();
    request->work = std::move(work);
    request->workers = this;
    running_.reserve(running_.size() + queue_.size() + 1);
    queue_.push_back(std::move(request));
    Request& added = *queue_.back();
    start();
    return added;
  }
  /// The coroutine has gone: a request that no worker has taken is dropped.
  void forget(const Request& request) noexcept {
    std::erase_if(queue_, [&](const auto& queued) { return queued.get() == &request; });
  }

 private:
  static unsigned most() noexcept {
    constexpr unsigned usual = 4;
    const char* const size = std::getenv("UV_THREADPOOL_SIZE");
    const int wanted = size != nullptr ? std::atoi(size) : 0;
    return std::max(1U, (wanted > 0 ? static_cast<unsigned>(wanted) : usual) / 2);
  }
  /// Starts what may run now.
  void start() noexcept {
    static const unsigned limit = most();
    while (!queue_.empty()) {
      if (!running_.empty() && all_running_.load(std::memory_order_relaxed) >= limit) return;
      all_running_.fetch_add(1, std::memory_order_relaxed);
      Request* const request = queue_.front().release();
      queue_.pop_front();
      running_.push_back(request);
      // It cannot fail: there is a function to run.
      static_cast<void>(uv_queue_work(&loop_, &request->native, &Workers::run, &Workers::after));
    }
  }
  static void run(uv_work_t* native) noexcept { static_cast<Request*>(native->data)->work->run(); }
  static void after(uv_work_t* native, int status) noexcept;

  static inline std::atomic<unsigned> all_running_{0};  // of all loops
  uv_loop_t& loop_;
  std::vector<Request*> running_;  // of this loop
  std::deque<std::unique_ptr<Request>> queue_;
};

class WorkerWait final : public DirectWait {
 public:
  WorkerWait(const char* function, Reactor& reactor) noexcept
      : function_{function}, reactor_{reactor} {}
  ~WorkerWait() override { leave(); }

  void begin(Request& request) noexcept {
    request_ = &request;
    request.waiting = this;
    reactor_.hold_time();
    reactor_.add_active_wait();
  }
  void done() noexcept {
    leave();
    reactor_.delivered();
    is_done_ = true;
    if (waker() != nullptr) waker()->complete();
  }
  [[nodiscard]] Ended park(Place place) noexcept {
    std::exception_ptr error;
    Woken woken = Woken::event;
    while (!is_done_ && woken == Woken::event) {  // resume() by other code does not end it
      Waker& waker = current_thread.scheduler->current().waker().renew();
      waker.resume_when(*this);
      woken = weft::park(waker, error, place);
      forget_waker();
    }
    if (is_done_) return Ended::ready;
    errno = ENOMEM;
    return woken == Woken::cancelled ? Ended::cancelled : Ended::failed;
  }
  [[nodiscard]] std::string describe() const override {
    return std::string{function_} + "() on a worker thread";
  }

 private:
  void on_wait_ended() noexcept override { leave(); }
  void leave() noexcept {
    if (request_ == nullptr) return;
    Request* const request = std::exchange(request_, nullptr);
    request->waiting = nullptr;
    if (request->workers != nullptr) request->workers->forget(*request);
    reactor_.remove_active_wait();
    reactor_.release_time();
  }

  const char* function_;
  Reactor& reactor_;
  Request* request_ = nullptr;
  bool is_done_ = false;
};

void Workers::after(uv_work_t* native, int /*status*/) noexcept {
  const std::unique_ptr<Request> over{static_cast<Request*>(native->data)};
  all_running_.fetch_sub(1, std::memory_order_relaxed);
  Workers* const workers = over->workers;
  if (workers != nullptr) std::erase(workers->running_, over.get());
  if (over->waiting != nullptr) over->waiting->done();
  if (workers != nullptr) workers->start();
}

}  // namespace

Ended run_on_worker(const char* function, std::shared_ptr<Work> work) noexcept {
  try {
    Reactor& reactor = *current_thread.reactor;
    Workers& workers = reactor.table<Workers>();
    WorkerWait wait{function, reactor};
    wait.begin(workers.add(std::move(work)));
    return leave_stack(ThreadState::here(), function,
                       [&](Place place) { return wait.park(place); });
  } catch (...) {
    errno = ENOMEM;
    return Ended::failed;
  }
}

}  // namespace weft::bridge
