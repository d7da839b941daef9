#include <new>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"
#include "weft/extend/park.hpp"
#include "weft/suspend.hpp"

namespace weft {

using Reason = CancelReason;

CancelCause::CancelCause(std::string text) noexcept {
  if (text.empty()) return;
  cold_state_ = new (std::nothrow) ColdState;  // no memory: the default text is used
  if (cold_state_ != nullptr) cold_state_->cancel_text = std::move(text);
}

CancelCause::CancelCause(const char* text) : CancelCause{std::string{text}} {}

CancelCause::CancelCause(std::exception_ptr error) {
  if (error == nullptr) return;
  cold_state_ = new ColdState;
  cold_state_->cancel_error = as_cancellation(std::move(error));
}

CancelCause::~CancelCause() { delete cold_state_; }

/// Requests a cancellation, whatever the state of the coroutine. `deferred_` keeps it until a
/// suspension that may throw it.
void Scheduler::cancel(CoroutineBase& coroutine, Reason reason, CancelCause cause) noexcept {
  if (coroutine.is_closed()) return;
  if (coroutine.internal_) return warn("The scheduler coroutine cannot be cancelled");
  if (is_exempt(coroutine) && reason != Reason::section) return;
  const bool lifts = reason == Reason::shutdown || reason == Reason::deadlock;
  if (lifts) coroutine.ignores_protection_ = true;
  if (reason != Reason::section) coroutine.cancelled_ = true;
  // The first reason is kept, except that cancelling the coroutine replaces cancelling a section.
  if (coroutine.deferred_ == Reason::none ||
      (coroutine.deferred_ == Reason::section && reason != Reason::section)) {
    if (reason == Reason::given) {
      WEFT_ASSERT(!cause.is_empty(), "a cancellation with a cause has none");
      if (coroutine.cold_state_ == nullptr) {
        coroutine.cold_state_ = std::exchange(cause.cold_state_, nullptr);
      } else {
        coroutine.cold_state_->cancel_text = std::move(cause.cold_state_->cancel_text);
        coroutine.cold_state_->cancel_error = std::move(cause.cold_state_->cancel_error);
      }
    }
    coroutine.deferred_ = reason;
    coroutine.waker_.special_ = true;
  }
  Waker& waker = coroutine.waker_;
  if (!coroutine.started_) {
    if (waker.status_ == Waker::Status::queued && !coroutine.drops_body_) {
      waker.move_to(Waker::Status::ignored);
    }  // otherwise it is started anyway: its captures must be destroyed on a stack
    return;
  }
  if (waker.is_waiting() && may_throw_cancelled(coroutine)) waker.interrupt();
}

const char* Scheduler::cancel_text(Reason reason) const noexcept {
  switch (reason) {
    case Reason::scope:
      return "Scope was cancelled";
    case Reason::shutdown:
      return "Graceful shutdown";
    case Reason::deadlock:
      return "Deadlock detected";
    default:
      return "Coroutine cancelled";
  }
}

/// The pending cancellation as an error, for a coroutine that ends without throwing it.
std::exception_ptr Scheduler::cancellation_of(CoroutineBase& coroutine,
                                              std::exception_ptr previous) noexcept {
  coroutine.waker_.error_ = std::move(previous);
  try {
    throw_cancelled(coroutine);
  } catch (...) {
    return std::current_exception();
  }
}

void Scheduler::throw_if_cancelled(CoroutineBase& coroutine) {
  if (is_to_end(coroutine)) throw_cancelled(coroutine);
}

/// The pending cancellation counts as delivered from now on. A section that has to end too ends at
/// the next suspension, if the coroutine catches this cancellation.
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
  const Section* innermost =
      coroutine.cold_state_ != nullptr ? coroutine.cold_state_->innermost : nullptr;
  const auto next = has_section_to_end(innermost) ? CancelReason::section : CancelReason::none;
  taken.reason = std::exchange(coroutine.deferred_, next);
  if (taken.reason == CancelReason::given) {
    taken.text = std::move(coroutine.cold_state_->cancel_text);
    taken.error = std::exchange(coroutine.cold_state_->cancel_error, nullptr);
  } else if (taken.reason == CancelReason::shutdown) {
    taken.error = ending_.cause();
    try {
      taken.text = ending_.text();
    } catch (...) {  // no memory: the default text is used
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

detail::Protection::Protection() noexcept : active_{false} {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || !scheduler->has_current() || scheduler->in_phase()) return;
  ++scheduler->current().protect_depth_;
  active_ = true;
}

void detail::Protection::leave() noexcept {
  if (!std::exchange(active_, false)) return;
  --current_thread.scheduler->current().protect_depth_;
}

void detail::Protection::finish() {
  if (!active_) return;
  leave();
  CoroutineBase& me = current_thread.scheduler->current();
  if (WEFT_PLANTED(cancel_lost_in_protect)) me.deferred_ = CancelReason::none;
  current_thread.scheduler->throw_if_cancelled(me);
}

}  // namespace weft
