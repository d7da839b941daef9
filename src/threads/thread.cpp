#include "weft/thread.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

#include "weft/error.hpp"
#include "weft/runtime.hpp"

namespace weft {
namespace {

/// The threads of the process. Ended ones are joined when the next one starts, the others at exit.
class Threads {
 public:
  static Threads& here() {
    static Threads* const threads = new Threads;
    static const struct AtExit {
      ~AtExit() { threads->join_all(); }
    } at_exit;
    return *threads;
  }

  void start(std::shared_ptr<detail::RemoteTask> task, ThreadOptions options) {
    const std::lock_guard lock{mutex_};
    join_ended();
    ended_.reserve(threads_.size() + 1);  // so that the end of a thread does not allocate
    threads_.emplace_back();
    try {
      threads_.back() =
          std::thread{[this, task = std::move(task), options = std::move(options)]() mutable {
            run_task(std::exchange(task, nullptr), std::exchange(options, {}));
            const std::lock_guard ending{mutex_};
            ended_.push_back(std::this_thread::get_id());
          }};
    } catch (...) {
      threads_.pop_back();
      throw;
    }
  }

 private:
  void join_ended() {
    for (const std::thread::id id : ended_) {
      const auto at = std::find_if(threads_.begin(), threads_.end(),
                                   [&](const std::thread& one) { return one.get_id() == id; });
      at->join();
      threads_.erase(at);
    }
    ended_.clear();
  }
  void join_all() {
    if (process_ != ::getpid()) return;  // in a forked child the threads are the parent's
    for (;;) {
      std::thread last;
      {
        const std::lock_guard lock{mutex_};
        join_ended();
        if (threads_.empty()) return;
        last = std::move(threads_.back());
        threads_.pop_back();
      }
      const std::thread::id id = last.get_id();
      last.join();
      const std::lock_guard lock{mutex_};
      std::erase(ended_, id);
    }
  }
  static void run_task(std::shared_ptr<detail::RemoteTask> task, ThreadOptions options) noexcept {
    bool begun = false;
    std::exception_ptr error;
    std::exception_ptr of_runtime;
    try {
      run([&] {
        if (options.bootloader) options.bootloader();
        begun = task->begin();
        if (begun) error = task->run(nullptr);
      });
    } catch (...) {
      of_runtime = std::current_exception();
    }
    // What ended the runtime has cancelled the function.
    if (error == nullptr || (of_runtime != nullptr && is_cancellation(error))) {
      error = std::move(of_runtime);
    }
    if (begun) {
      task->finish(std::move(error));
    } else {
      if (error == nullptr) error = std::make_exception_ptr(Cancelled{});
      task->reject(std::move(error));
    }
  }

  std::mutex mutex_;
  std::list<std::thread> threads_;
  std::vector<std::thread::id> ended_;
  const pid_t process_ = ::getpid();
};

}  // namespace

void Thread::start_task(std::shared_ptr<detail::RemoteTask> task, ThreadOptions options) {
  Threads::here().start(std::move(task), std::move(options));
}

}  // namespace weft
