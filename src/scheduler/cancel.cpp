#include <new>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/extras.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"

namespace weft {

using Reason = CancelReason;

CancelCause::CancelCause(std::string text) noexcept {
  if (text.empty()) return;
  extras_ = new (std::nothrow) CoroutineExtras;  // no memory for the text: the default one will do
  if (extras_ != nullptr) extras_->cancel_text = std::move(text);
}

CancelCause::CancelCause(const char* text) : CancelCause{std::string{text}} {}

CancelCause::CancelCause(std::exception_ptr error) {
  if (error == nullptr) return;
  extras_ = new CoroutineExtras;
  extras_->cancel_error = as_cancellation(std::move(error));
}

CancelCause::~CancelCause() { delete extras_; }

/// Asks for a cancellation in whatever state the coroutine is. It is kept in `deferred_` until a
/// suspension that may throw it.
void Scheduler::cancel(CoroutineBase& coroutine, Reason reason, CancelCause cause) noexcept {
  if (coroutine.is_closed()) return;
  if (coroutine.internal_) return warn("The scheduler coroutine cannot be cancelled");
  if (is_exempt(coroutine) && reason != Reason::section) return;
  const bool lifts = reason == Reason::shutdown || reason == Reason::deadlock;
  if (lifts) coroutine.lifted_ = true;
  if (reason != Reason::section) coroutine.cancelled_ = true;
  // The first reason is kept, but the end of the whole goes before the end of a part.
  if (coroutine.deferred_ == Reason::none ||
      (coroutine.deferred_ == Reason::section && reason != Reason::section)) {
    if (reason == Reason::given) {
      WEFT_ASSERT(!cause.is_empty(), "a cancellation with a cause has none");
      if (coroutine.extras_ == nullptr) {
        coroutine.extras_ = std::exchange(cause.extras_, nullptr);
      } else {
        coroutine.extras_->cancel_text = std::move(cause.extras_->cancel_text);
        coroutine.extras_->cancel_error = std::move(cause.extras_->cancel_error);
      }
    }
    coroutine.deferred_ = reason;
  }
  Waker& waker = coroutine.waker_;
  if (!coroutine.started_) {
    if (waker.status_ == Waker::Status::queued && coroutine.drops_quietly()) {
      waker.move_to(Waker::Status::ignored);
    }  // else it gets a stack after all, for the destructors of what it captured
    return;
  }
  if (waker.status_ == Waker::Status::waiting && may_throw_cancelled(coroutine)) wake(coroutine);
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

}  // namespace weft
