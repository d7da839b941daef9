#include "base/assert.hpp"
#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"

// How a coroutine ends.
namespace weft {

/// Notifies the coroutine itself that it has ended, wakes the one that awaits that directly, then
/// notifies the callbacks.
[[gnu::always_inline]] inline void Scheduler::notify_end(CoroutineBase& coroutine) noexcept {
  if (coroutine.watches_end_) coroutine.ended();
  if (Waker* const awaiter = std::exchange(coroutine.awaiter_, nullptr)) {
    if (coroutine.waker_.error_) [[unlikely]] {
      coroutine.claim_error();
      awaiter->keep_error(coroutine.waker_.error_);
    }
    awaiter->end(0, Wake::resolve, coroutine.result_address());
  }
  if (coroutine.is_listened_to()) [[unlikely]]
    coroutine.notify_awaiters();
}

/// Notifies the owner that its coroutine has ended, and drops the registry's reference.
[[gnu::always_inline]] inline void Scheduler::leave_owner(CoroutineBase& coroutine,
                                                          Owner& owner) noexcept {
  if (owner.watches()) owner.left(coroutine);
  if (current_ == &coroutine) current_ = nullptr;
  coroutine.release();  // the registry's reference
}

/// Runs `coroutine` from its first line to its end, on its own stack. Leaves the scheduler in the
/// scheduler phase: what follows is scheduler work until another coroutine runs.
///
/// The short path is for most coroutines: the body has returned, has a trivial destructor, and
/// nothing but the result is left. end_slow() handles everything else.
void Scheduler::execute(CoroutineBase& coroutine) noexcept {
  const Waker& waker = coroutine.waker_;
  coroutine.started_ = true;
  try {
    if (waker.special_) [[unlikely]]
      begin_slow(coroutine);
    coroutine.run_body();
  } catch (...) {
    thrown_ = std::current_exception();  // handled outside of the catch block
  }
  if (thrown_ || coroutine.drops_body_ || waker.special_ || !waker.is_clean() ||
      coroutine.cold_state_ != nullptr)
    return end_slow(coroutine);
  expect_no_exception();
  ++phase_;
  coroutine.close();
  notify_end(coroutine);
  Owner& owner = *std::exchange(coroutine.owner_, nullptr);
  registry_.remove(coroutine, owner);
  leave_owner(coroutine, owner);
}

/// Shielded: captures of the body and a dropped result may suspend in their destructors.
void Scheduler::end_slow(CoroutineBase& coroutine) noexcept {
  std::exception_ptr error = std::exchange(thrown_, nullptr);
  ++coroutine.shields_;
  coroutine.drop_body();
  if (coroutine.has(Event::host_object_flag) && !error) error = coroutine.take_failure();
  if (error || coroutine.deferred_ != CancelReason::none) coroutine.drop_result();
  --coroutine.shields_;
  expect_no_exception();
  ++phase_;
  finish(coroutine, std::move(error));
}

/// The registry's reference keeps `coroutine` alive until the last line.
void Scheduler::finish(CoroutineBase& coroutine, std::exception_ptr error) noexcept {
  coroutine.close();
  keep_outcome(coroutine, std::move(error));
  notify_end(coroutine);
  release_resources(coroutine);
  Owner& owner = *coroutine.owner_;
  registry_.remove(coroutine, owner);
  if (is_to_be_read(coroutine)) {
    failures_.hold(coroutine);
  } else {
    coroutine.owner_ = nullptr;  // the owner may be destroyed from here on
  }
  leave_owner(coroutine, owner);
}

/// For coroutines with switch handlers, and for those that were cancelled or given an error before
/// their first line, whose body never runs.
[[gnu::noinline]] void Scheduler::begin_slow(CoroutineBase& coroutine) {
  coroutine.started_ =
      coroutine.deferred_ == CancelReason::none && coroutine.waker_.error_ == nullptr;
  if (coroutine.has_switch_handlers_ && coroutine.started_) run_handlers(coroutine, Switch::enter);
  throw_if_cancelled(coroutine);
  if (coroutine.waker_.error_ != nullptr) {
    std::rethrow_exception(std::exchange(coroutine.waker_.error_, nullptr));
  }
}

void Scheduler::keep_outcome(CoroutineBase& coroutine, std::exception_ptr error) noexcept {
  // A cancellation that no suspension has thrown becomes the outcome.
  if (error == nullptr && coroutine.deferred_ != CancelReason::none) {
    error = cancellation_of(coroutine, std::exchange(coroutine.waker_.error_, nullptr));
  }
  if (coroutine.has_switch_handlers_) run_handlers(coroutine, Switch::finish);
  coroutine.waker_.forget();
  coroutine.waker_.error_ = std::move(error);
  coroutine.set(Event::exception_handled_flag, false);
}

void Scheduler::release_resources(CoroutineBase& coroutine) noexcept {
  if (coroutine.cold_state_ != nullptr) {
    coroutine.cold_state_->destroy_internal_values();
    schedule_finally(coroutine);
    coroutine.cold_state_->spill.reset();
  }
  if (coroutine.waker_.error_ != nullptr) offer_error(coroutine);
}

/// Whether the failure of `coroutine` stays on a handle, or on a host's object, until it is read.
bool Scheduler::is_to_be_read(const CoroutineBase& coroutine) noexcept {
  const std::exception_ptr& error = coroutine.waker_.error_;
  return error && coroutine.is_held() && !is_cancellation(error) &&
         !coroutine.has(Event::error_caught_flag);
}

void Scheduler::schedule_finally(CoroutineBase& coroutine) noexcept {
  Ref<CoroutineBase> runner = std::move(coroutine.cold_state_->finally_runner);
  if (!runner) return;
  registry_
      .drop_reservation();  // room for it was reserved together with it, so nothing here can fail
  enter(*runner, coroutine.owner_->below());
}

/// An error that no await took stays on a handle, if there is one; else the owner may handle it;
/// else it ends the program.
void Scheduler::offer_error(CoroutineBase& coroutine) noexcept {
  const std::exception_ptr& error = coroutine.waker_.error_;
  if (coroutine.has(Event::exception_handled_flag) || coroutine.has(Event::error_caught_flag)) {
    coroutine.set(Event::error_caught_flag);
    return;
  }
  if (is_cancellation(error)) return;
  const bool held = coroutine.is_held() && &coroutine != main_.get();
  if (held && !coroutine.owner_->wants_every_error()) return;
  coroutine.set(Event::error_caught_flag);
  if (coroutine.owner_->take_error(coroutine, error)) return;
  ending_.fail(error);
}

void Scheduler::finish_ignored(CoroutineBase& coroutine) noexcept {
  WEFT_ASSERT(coroutine.waker_.status_ == Waker::Status::ignored,
              "a waker made a move that its table does not allow");
  // Cancelled, then resumed with an error: the cancellation is previous() of that error.
  const bool merged = coroutine.deferred_ == CancelReason::none;
  finish_without_running(coroutine,
                         merged ? std::exchange(coroutine.waker_.error_, nullptr) : nullptr);
}

/// Ends a coroutine that never ran, on the stack that took it from the queue.
void Scheduler::finish_without_running(CoroutineBase& coroutine,
                                       std::exception_ptr error) noexcept {
  SchedulerPhase phase{*this};
  CoroutineBase* const before = std::exchange(current_, &coroutine);
  coroutine.waker_.status_ = Waker::Status::none;
  coroutine.drop_body();
  finish(coroutine, std::move(error));
  current_ = before;
}

void Scheduler::handle_dropped(CoroutineBase& coroutine) noexcept {
  if (failures_.handle_dropped(coroutine)) request_due_work();
}

}  // namespace weft
