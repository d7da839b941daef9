#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"
#include "weft/extend/embed.hpp"

// Calls on the thread's own stack, for code that needs more than a coroutine's.
namespace weft {

void Scheduler::call_on_main(Function<void()>& body) {
  if (in_phase() || current_ == nullptr) {
    throw MisuseError{"The operation cannot be executed in the scheduler context"};
  }
  if (current_ == main_.get()) return body();
  struct Call {
    Scheduler& scheduler;
    Function<void()>& body;
    std::exception_ptr error;
  } call{*this, body, nullptr};
  CoroutineBase& me = *current_;
  const ExceptionState mine = *exceptions_;
  *exceptions_ = ExceptionState{};
  ++switches_;
  call_on_context(
      *me.context_, *main_->context_, main_->stack_pointer_,
      [](void* data) {
        auto& task = *static_cast<Call*>(data);
        SchedulerPhase phase{task.scheduler};  // main's stack is borrowed: no parking on it
        try {
          task.body();
        } catch (...) {
          task.error = std::current_exception();
        }
      },
      &call);
  ++switches_;
  *exceptions_ = mine;
  if (call.error != nullptr) std::rethrow_exception(call.error);
}

void run_on_main_stack(Function<void()> body) {
  Scheduler::here("run_on_main_stack()").call_on_main(body);
}

}  // namespace weft
