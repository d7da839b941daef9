#include "scheduler/park.hpp"
#include "weft/error.hpp"
#include "weft/extend/park.hpp"

// suspend() for callers whose frames no exception may pass through.
namespace weft {

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
    } catch (...) {  // or std::bad_alloc while making it
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
  if (error != nullptr) [[unlikely]]
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
