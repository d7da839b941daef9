#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "scheduler/error_chain.hpp"
#include "weft/error.hpp"

// A failure that nothing has handled goes from the scope of its coroutine upward.
namespace weft {

bool ScopeCore::take_error(CoroutineBase& coroutine, const std::exception_ptr& error) noexcept {
  // A coroutine that got no stack may be the handler of another: calling a handler for it could go
  // on for ever.
  const bool asks = handler_ != nullptr && coroutine.is_started();
  if (asks && handle_later(coroutine, error, false)) return true;
  return escalate(coroutine, error);
}

bool ScopeCore::handle_of_child(CoroutineBase& coroutine,
                                const std::exception_ptr& error) noexcept {
  const bool handled = handler_ != nullptr || child_handler_ != nullptr;
  return handled && handle_later(coroutine, error, true);
}

/// Handlers may suspend, which an ended coroutine cannot: they get a coroutine of their own, and
/// the scope is not complete before that has ended. False if there is no memory for it.
bool ScopeCore::handle_later(CoroutineBase& coroutine, const std::exception_ptr& error,
                             bool from_child) noexcept {
  try {
    auto body = [keep = Pin{*this}, failed = AnyCoroutine::observing(coroutine), error,
                 from_child] { keep->handle(failed, error, from_child); };
    if (cancelled_ || closed_) {
      spawn_below("exception handler", std::move(body));
    } else {
      detail::Spawner::spawn_cleanup(this, "exception handler", std::move(body));
    }
    return true;
  } catch (...) {
    return false;
  }
}

void ScopeCore::handle(const AnyCoroutine& coroutine, std::exception_ptr error, bool from_child) {
  // Copies: a handler may replace itself.
  const std::shared_ptr<ExceptionHandler> in_turn[] = {from_child ? child_handler_ : nullptr,
                                                       handler_};
  for (const std::shared_ptr<ExceptionHandler>& handler : in_turn) {
    if (handler == nullptr) continue;
    try {
      return (*handler)(*this, coroutine, error);
    } catch (...) {
      std::exception_ptr later = std::current_exception();
      if (is_cancellation(later)) continue;  // the handler was cancelled, so `error` stands
      if (later != error) link_errors(later, std::exchange(error, later));
    }
  }
  if (!escalate(coroutine.base(), error)) leave_pending(error);
}

/// No handler took the error: cancels the scope, offers it to its waiters, then to the parent.
bool ScopeCore::escalate(CoroutineBase& coroutine, const std::exception_ptr& given) noexcept {
  // A waiter that ends may free the owner of the error, and this scope. The ancestors stay:
  // children pin their parents.
  const std::exception_ptr error = given;  // NOLINT(performance-unnecessary-copy-initialization)
  const Pin keep{*this};
  for (ScopeCore* scope = this;; scope = scope->above_) {
    const bool is_first = scope->failure_ == nullptr;
    if (is_first) scope->failure_ = error;
    const bool is_event_awaited = is_first && scope->is_event_awaited();
    if (!scope->cancelled_) scope->cancel_all(scope->failure_text_);
    if (scope->give_to_waiters(error)) return true;
    if (is_event_awaited && scope->leave_to_event()) return true;
    if (scope->above_ == nullptr) {
      return scope->parent_ != nullptr && scope->parent_->take_error(coroutine, error);
    }
    if (scope->above_->handle_of_child(coroutine, error)) return true;
  }
}

bool ScopeCore::give_to_waiters(const std::exception_ptr& error) noexcept {
  if (failure_sink_ != nullptr) {
    failure_sink_->keep(error);
    return true;
  }
  if (waiting_for_end_ > 0) {
    try {
      errors_at_the_end_.push_back(error);
      end_.grant_first();
      return true;
    } catch (...) {  // no memory: not taken
    }
  }
  if (completion_.is_empty()) return false;
  completion_.refuse_all(error);
  return true;
}

void ScopeCore::set_handler(ExceptionHandler handler) {
  handler_ = std::make_shared<ExceptionHandler>(std::move(handler));
}

void ScopeCore::set_child_handler(ExceptionHandler handler) {
  child_handler_ = std::make_shared<ExceptionHandler>(std::move(handler));
}

}  // namespace weft
