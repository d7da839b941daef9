#include "weft/microtask.hpp"

#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"
#include "weft/extend/embed.hpp"

namespace weft {
namespace {

class FunctionMicrotask final : public Microtask {
 public:
  explicit FunctionMicrotask(Function<void()> body) noexcept : body_{std::move(body)} {}
  void run() override { body_(); }

 private:
  Function<void()> body_;
};

}  // namespace

void Scheduler::post(Microtask& task) {
  if (task.is_cancelled()) return;
  microtasks_.reserve(microtasks_.size() + 1);
  task.retain();
  microtasks_.push_back(&task);
  request_due_work();
}

/// Runs all microtasks, those posted meanwhile too, until one fails; the rest stays queued.
void Scheduler::run_microtasks() noexcept {
  SchedulerPhase phase{*this};
  while (!microtasks_.empty() && pending_ == nullptr) {
    Microtask* task = microtasks_.pop_front();
    if (!task->is_cancelled()) {
      try {
        task->run();
      } catch (...) {
        leave_pending(std::current_exception());
      }
    }
    task->release();
  }
}

void post_microtask(Microtask& task) { Scheduler::here("post_microtask()").post(task); }

void post_microtask(Function<void()> task) {
  Scheduler& scheduler = Scheduler::here("post_microtask()");
  scheduler.post(*make_ref<FunctionMicrotask>(std::move(task)));
}

Function<void()> Scheduler::set_heartbeat(Function<void()> hook) {
  Function<void()> previous = heartbeat_.replace(std::move(hook));
  request_due_work();
  return previous;
}

Function<void()> set_heartbeat(Function<void()> hook) {
  return Scheduler::here("set_heartbeat()").set_heartbeat(std::move(hook));
}

void tick_reactor() { Scheduler::here("tick_reactor()").tick_reactor(); }

void interrupt() noexcept {
  if (Scheduler* const scheduler = current_thread.scheduler) scheduler->interrupt();
}

}  // namespace weft
