#include "weft/run_on_cores.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "base/current.hpp"
#include "runtime/process_exit.hpp"
#include "scheduler/scheduler.hpp"
#include "server/pinned_thread.hpp"
#include "weft/error.hpp"
#include "weft/runtime.hpp"
#include "weft/trigger.hpp"

namespace weft {
namespace {

constexpr unsigned most_cores = 1'024;

/// Shuts down one of the runtimes when another thread fires its trigger.
class CoreTrigger final : public Callback {
 public:
  CoreTrigger() = default;
  ~CoreTrigger() override {
    trigger_.remove_callback(*this);
    trigger_.close();
  }
  /// In the thread of the runtime, which exists now and ends later.
  void start() {
    trigger_.set_hidden(true);  // it keeps no runtime alive
    trigger_.add_callback(*this);
    trigger_.start();
  }
  void fire() noexcept { trigger_.fire(); }
  void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
    try {
      shutdown("Another core ended");
    } catch (const std::bad_alloc&) {  // no memory: the default text is used
      shutdown();
    }
  }

 private:
  Trigger trigger_;
};

/// All the runtimes of one call, and the first failure.
class Cores {
 public:
  Cores(unsigned count, const std::function<void(unsigned)>& body, const CoresOptions& options)
      : core_triggers_(count), body_{body}, options_{options.runtime} {
    options_.exit_throws = true;  // the process exits when all runtimes have ended
  }

  void run(unsigned core) noexcept {
    bool shut_down = false;
    try {
      weft::run(
          [&] {
            core_triggers_[core].start();
            const NotedShutdown noted{shut_down};
            body_(core);
          },
          options_);
      if (shut_down) fire_all();
    } catch (...) {
      fail(std::current_exception());
    }
  }
  void fail(std::exception_ptr error) noexcept {
    {
      const std::lock_guard lock{mutex_};
      if (error_ != nullptr) return;
      error_ = std::move(error);
    }
    fire_all();
  }
  /// Called when all runtimes have ended.
  void throw_failure(bool exit_throws) {
    if (error_ == nullptr) return;
    if (exit_throws) std::rethrow_exception(error_);
    end_process(exit_request(error_));
  }

 private:
  /// Notes the end of a body: a runtime that shuts down ends its body last.
  class NotedShutdown {
   public:
    explicit NotedShutdown(bool& noted) noexcept : noted_{noted} {}
    ~NotedShutdown() { noted_ = current_thread.scheduler->is_shutting_down(); }
    NotedShutdown(const NotedShutdown&) = delete;
    NotedShutdown& operator=(const NotedShutdown&) = delete;

   private:
    bool& noted_;
  };

  void fire_all() noexcept {
    for (CoreTrigger& trigger : core_triggers_) trigger.fire();
  }

  std::vector<CoreTrigger> core_triggers_;
  const std::function<void(unsigned)>& body_;
  Options options_;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void run_on_cores(unsigned cores, const std::function<void(unsigned)>& body,
                  const CoresOptions& options) {
  if (current_thread.scheduler != nullptr) {
    throw MisuseError{"run_on_cores() was called inside a runtime: call it instead of run()"};
  }
  if (cores == 0) cores = std::max(1U, std::thread::hardware_concurrency());
  if (cores > most_cores) {
    throw ValueError{"run_on_cores(): " + std::to_string(cores) + " cores are more than 1,024"};
  }
  const std::vector<std::size_t> places =
      options.pinned ? allowed_cores() : std::vector<std::size_t>{};
  Cores all{cores, body, options};
  const auto run_one = [&](unsigned core) noexcept {
    try {
      if (core >= places.size()) return all.run(core);
      const PinnedThread pinned{places[core]};
      all.run(core);
    } catch (...) {  // no memory to pin a thread
      all.fail(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(cores - 1);
    try {
      for (unsigned core = 1; core < cores; ++core) threads.emplace_back(run_one, core);
      run_one(0);
    } catch (...) {  // no thread: the running ones are shut down
      all.fail(std::current_exception());
    }
  }
  all.throw_failure(options.runtime.exit_throws || !is_first_thread());
}

}  // namespace weft
