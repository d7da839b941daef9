#include "weft/suspend.hpp"

#include "base/probe.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/extras.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"
#include "weft/park.hpp"

namespace weft {

void Scheduler::refuse_to_suspend() {
  Scheduler& scheduler = here("suspend()");
  if (scheduler.in_phase()) {
    throw MisuseError{
        "A coroutine cannot be stopped from the Scheduler context: microtasks, callbacks and "
        "switch handlers may not suspend; spawn() a coroutine from there instead"};
  }
  throw MisuseError{"suspend() was called outside a coroutine"};
}

void Scheduler::throw_if_cancelled(CoroutineBase& coroutine) {
  if (is_to_end(coroutine)) throw_cancelled(coroutine);
}

/// The same, for those who are watched, explored, or in the middle of unwinding.
[[gnu::noinline]] void Scheduler::park_with_care(CoroutineBase& me, PackedPlace place) {
  ++suspensions_;
  // An exception in flight means that a destructor suspends: nothing may be thrown at it.
  const bool shielded = is_unwinding(me);
  if (shielded) ++me.shields_;
  if (choice_ != nullptr) choice_->at_suspension(*this, me);
  if (me.has_switch_handlers_) run_handlers(me, Switch::leave);
  me.suspend_place_ = place;
  if (me.waker_.status_ != Waker::Status::result) {
    tick(me);
  } else {
    pass();  // a handler has decided the wait already, so nobody has queued us
  }
  me.waker_.status_ = Waker::Status::result;
  if (me.has_switch_handlers_) run_handlers(me, Switch::enter);
  if (shielded) --me.shields_;
  me.waker_.status_ = Waker::Status::none;
}

/// Parks a coroutine in an ordinary state, up to the switch, when somebody is ready and no other
/// work is due. Null: take the long way.
__attribute__((no_stack_protector)) void* Scheduler::park_quickly(void* place, void* frame) {
  Scheduler& scheduler = *current_thread.scheduler;
  CoroutineBase& me = *scheduler.current_;
  if (!scheduler.is_ordinary(me) || scheduler.ready_.empty() || scheduler.countdown_ == 1)
      [[unlikely]] {
    return the_long_way();
  }
  --scheduler.countdown_;
  ++scheduler.suspensions_;
  me.suspend_place_ = PackedPlace::from_word(place);
  me.stack_pointer_ = frame;
  return scheduler.go_to_next(me);
}

void Scheduler::park_slowly(void* place) {
  Scheduler& scheduler = *current_thread.scheduler;
  scheduler.park(*scheduler.current_, PackedPlace::from_word(place));
}

/// Its wait is decided, and meanwhile there was something to do for it; suspend() delivers.
void Scheduler::after_quick_park(void* /*unused*/) {
  Scheduler& scheduler = *current_thread.scheduler;
  CoroutineBase& me = *scheduler.current_;
  if (me.has_switch_handlers_) scheduler.run_handlers(me, Switch::enter);
}

/// Who runs when `next` was taken from the queue and has no stack yet, or will never run.
[[gnu::cold, gnu::noinline]] CoroutineBase& Scheduler::next_instead_of(
    CoroutineBase& next) noexcept {
  if (next.waker_.status_ == Waker::Status::ignored) {
    finish_ignored(next);
  } else if (give_stack(next)) {
    return next;
  }
  return next_or_idle();
}

[[gnu::always_inline]] inline void Scheduler::suspend(Waker& waker, PackedPlace place) {
  CoroutineBase& me = *current_;
  WEFT_ASSERT(&me.waker_ == &waker, "a coroutine can only suspend with its own waker");
  if (is_to_end(me)) [[unlikely]] {
    waker.forget();
    throw_cancelled(me);
  }
  wait(waker, place);
  if (me.deferred_ != CancelReason::none || waker.error_ != nullptr ||
      waker.woken_by_ != Wake::resolve) [[unlikely]] {
    waker.deliver(*this);
  }
}

__attribute__((no_stack_protector)) void suspend_at(Waker& waker, PackedPlace place) {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]] {
    Scheduler::refuse_to_suspend();
  }
  scheduler->suspend(waker, place);
}

__attribute__((no_stack_protector)) void Scheduler::wait_only_for(Event& event, Waker*& told,
                                                                  PackedPlace place) {
  Waker& waker = renewed_waker("await()");
  waker.wait_only_for(event);
  told = &waker;
  current_thread.scheduler->suspend(waker, place);
}

/// Whoever waits for the end of a coroutine mostly waits alone and for nothing else. Then no
/// reference is needed either: until it has told us, the registry keeps it.
__attribute__((no_stack_protector)) void CoroutineBase::await_end(PackedPlace place) {
  Waker& waker = Scheduler::renewed_waker("await()");
  set(result_used_flag);
  if (subscribers() == 0 && callbacks().handler() == nullptr && registered_) [[likely]] {
    callbacks().push_first(waker.inline_[0]);
    waker.wait_only_for(*this);
    awaited_alone_ = true;
  } else {
    waker.resume_when(*this, Wake::resolve);
  }
  current_thread.scheduler->suspend(waker, place);
}

void Waker::deliver(Scheduler& scheduler) {
  CoroutineBase& me = coroutine();
  const Wake kind = std::exchange(woken_by_, Wake::resolve);
  if (scheduler.is_to_end(me)) {
    if (triggered_ >= 0) WEFT_PROBE("cancel won over completion");
    scheduler.throw_cancelled(me);
  }
  std::exception_ptr error = std::exchange(error_, nullptr);
  if (kind == Wake::cancel) throw OperationCancelled{"Operation has been cancelled", error};
  if (error != nullptr) std::rethrow_exception(std::move(error));
  if (kind == Wake::timeout) throw TimedOut{};
}

/// What is pending counts as delivered from now on. A section that is to end as well does so at the
/// next suspension, if the coroutine survives.
Cancellation Scheduler::take_cancellation(CoroutineBase& coroutine,
                                          const std::exception_ptr& met) noexcept {
  Cancellation taken;
  if (coroutine.deferred_ == CancelReason::section || !may_end(coroutine)) {
    if (Section* section = section_to_end(coroutine)) {
      taken.reason = CancelReason::section;
      taken.error = end_of(*section, met);
      return taken;
    }
  }
  const Section* innermost = coroutine.extras_ != nullptr ? coroutine.extras_->innermost : nullptr;
  const auto next = has_section_to_end(innermost) ? CancelReason::section : CancelReason::none;
  taken.reason = std::exchange(coroutine.deferred_, next);
  if (taken.reason == CancelReason::given) {
    taken.text = std::move(coroutine.extras_->cancel_text);
    taken.error = std::exchange(coroutine.extras_->cancel_error, nullptr);
  } else if (taken.reason == CancelReason::shutdown) {
    taken.error = shutdown_cause_;
    try {
      taken.text = shutdown_text_;
    } catch (...) {  // no memory for the text: the default one will do
    }
  }
  return taken;
}

void Scheduler::throw_cancelled(CoroutineBase& coroutine) {
  std::exception_ptr met = std::exchange(coroutine.waker_.error_, nullptr);
  Cancellation taken = take_cancellation(coroutine, met);
  if (taken.error != nullptr) {
    link_errors(taken.error, std::move(met));
    std::rethrow_exception(std::move(taken.error));
  }
  if (!taken.text.empty()) throw Cancelled{std::move(taken.text), std::move(met)};
  throw Cancelled::with_literal(cancel_text(taken.reason), std::move(met));
}

void cancellation_point() {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler != nullptr && scheduler->has_current() && !scheduler->in_phase()) {
    scheduler->throw_if_cancelled(scheduler->current());
  }
}

Protection::Protection() noexcept : active_{false} {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || !scheduler->has_current() || scheduler->in_phase()) return;
  ++scheduler->current().protect_depth_;
  active_ = true;
}

void Protection::leave() noexcept {
  if (!std::exchange(active_, false)) return;
  --current_thread.scheduler->current().protect_depth_;
}

void Protection::finish() {
  if (!active_) return;
  leave();
  CoroutineBase& me = current_thread.scheduler->current();
  if (WEFT_PLANTED(cancel_lost_in_protect)) me.deferred_ = CancelReason::none;
  current_thread.scheduler->throw_if_cancelled(me);
}

}  // namespace weft
