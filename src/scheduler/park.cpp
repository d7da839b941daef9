#include "weft/park.hpp"

#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"

// The wait of suspend(), for callers through whose frames no exception may pass.
namespace weft {

Woken Scheduler::how_it_ended(CoroutineBase& me, std::exception_ptr& error) noexcept {
  Waker& waker = me.waker_;
  waker.woken_by_ = Wake::resolve;
  error = std::exchange(waker.error_, nullptr);
  if (is_to_end(me)) return Woken::cancelled;
  return error == nullptr || waker.triggered_ >= 0 ? Woken::event : Woken::failed;
}

__attribute__((no_stack_protector)) Woken Scheduler::wait_quietly(Waker& waker,
                                                                  std::exception_ptr& error,
                                                                  PackedPlace place) noexcept {
  CoroutineBase& me = *current_;
  WEFT_ASSERT(&me.waker_ == &waker, "a coroutine can only suspend with its own waker");
  if (is_to_end(me)) [[unlikely]] {
    waker.forget();
    return Woken::cancelled;
  }
  try {
    wait(waker, place);
  } catch (...) {
    error = std::current_exception();
    return Woken::failed;
  }
  return how_it_ended(me, error);
}

bool can_suspend() noexcept {
  const Scheduler* scheduler = current_thread.scheduler;
  return scheduler != nullptr && !scheduler->in_phase() && scheduler->has_current();
}

Woken park(Waker& waker, std::exception_ptr& error, Place place) noexcept {
  error = nullptr;
  if (!can_suspend()) [[unlikely]]
    return Woken::refused;
  Scheduler& scheduler = *current_thread.scheduler;
  if (&waker != &scheduler.current().waker()) [[unlikely]] {
    try {
      throw MisuseError{"A coroutine can only wait with its own waker"};
    } catch (...) {  // or for want of memory another error
      error = std::current_exception();
    }
    return Woken::failed;
  }
  return scheduler.wait_quietly(waker, error, PackedPlace{place});
}

Woken park(Event& event, std::exception_ptr& error, Place place) noexcept {
  error = nullptr;
  if (!can_suspend()) [[unlikely]]
    return Woken::refused;
  Scheduler& scheduler = *current_thread.scheduler;
  Waker& waker = scheduler.current().waker().renew();
  try {
    waker.resume_when(event);
  } catch (...) {
    error = std::current_exception();
    return Woken::failed;
  }
  return scheduler.wait_quietly(waker, error, PackedPlace{place});
}

Woken park(std::exception_ptr& error, Place place) noexcept {
  error = nullptr;
  if (!can_suspend()) [[unlikely]]
    return Woken::refused;
  return current_thread.scheduler->yield_quietly(error, PackedPlace{place});
}

Cancellation take_cancellation() noexcept {
  if (!can_suspend()) return {};
  Scheduler& scheduler = *current_thread.scheduler;
  CoroutineBase& me = scheduler.current();
  return scheduler.is_to_end(me) ? scheduler.take_cancellation(me, nullptr) : Cancellation{};
}

}  // namespace weft
