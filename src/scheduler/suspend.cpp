#include "weft/suspend.hpp"

#include "base/probe.hpp"
#include "scheduler/extras.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"

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
  if (coroutine.deferred_ != CancelReason::none && may_throw_cancelled(coroutine) &&
      !is_unwinding(coroutine)) {
    throw_cancelled(coroutine);
  }
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
  if (me.deferred_ != CancelReason::none) [[unlikely]] {
    if (may_throw_cancelled(me) && !is_unwinding(me)) {
      waker.forget();
      throw_cancelled(me);
    }
  }
  if (waker.empty()) [[unlikely]]
    return;  // nothing could ever wake us
  waker.move_to(Waker::Status::waiting);
  if (!waker.waits_for_one_that_needs_no_start()) waker.start_events();
  if (waker.status_ == Waker::Status::result) {  // one has already happened: no suspension at all
    waker.move_to(Waker::Status::none);
  } else if constexpr (has_quick_switch) {
    weft_quick_park(place.word(), &park_quickly, &park_slowly, &after_quick_park);
  } else {
    park(me, place);
  }
  if (waker.referencing_) waker.release_events();
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
  if (me.deferred_ != CancelReason::none && scheduler.may_throw_cancelled(me) &&
      !scheduler.is_unwinding(me)) {
    if (triggered_ >= 0) WEFT_PROBE("cancel won over completion");
    scheduler.throw_cancelled(me);
  }
  std::exception_ptr error = std::exchange(error_, nullptr);
  if (kind == Wake::cancel) throw OperationCancelled{"Operation has been cancelled", error};
  if (error != nullptr) std::rethrow_exception(std::move(error));
  if (kind == Wake::timeout) throw TimedOut{};
}

void Scheduler::throw_cancelled(CoroutineBase& coroutine) {
  std::exception_ptr met = std::exchange(coroutine.waker_.error_, nullptr);
  if (coroutine.deferred_ == CancelReason::section || !may_end(coroutine)) {
    if (Section* section = section_to_end(coroutine)) throw_to(*section, std::move(met));
  }
  // A section that is to end as well does so at the next suspension, if the coroutine survives.
  const Section* innermost = coroutine.extras_ != nullptr ? coroutine.extras_->innermost : nullptr;
  const auto next = has_section_to_end(innermost) ? CancelReason::section : CancelReason::none;
  const auto reason = std::exchange(coroutine.deferred_, next);
  if (reason == CancelReason::text) {
    throw Cancelled{std::move(coroutine.extras_->cancel_text), std::move(met)};
  }
  if (reason == CancelReason::shutdown && !shutdown_text_.empty()) {
    std::string text;
    try {
      text = shutdown_text_;
    } catch (...) {  // no memory for the text: the default one will do
    }
    if (!text.empty()) throw Cancelled{std::move(text), std::move(met)};
  }
  throw Cancelled::with_literal(cancel_text(reason), std::move(met));
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
