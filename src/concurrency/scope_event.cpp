#include "base/probe.hpp"
#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "weft/error.hpp"

// A scope as an event, and its descriptions for reports.
namespace weft {

std::string ScopeCore::describe() const {
  const std::size_t count = members().size();
  std::string details = std::to_string(count) + (count == 1 ? " coroutine" : " coroutines");
  if (inhabited_children_ > 0) details += " and more below it";
  if (cancelled_) details += ", cancelled";
  return origin_.describe("Scope", details);
}

bool ScopeCore::EndEvent::add_callback(Callback& callback) {
  const Scheduler* scheduler = current_thread.scheduler;
  if (scheduler != nullptr && scheduler->has_current() && !scheduler->in_phase() &&
      scope_.contains(Scheduler::owner_of(scheduler->current()))) {
    throw MisuseError{
        "Cannot wait for the event of a scope in a coroutine that belongs to it or its children"};
  }
  return Completion::add_callback(callback);
}

Outcome ScopeCore::EndEvent::outcome() const {
  if (scope_.failure_ != nullptr) return Outcome{scope_.failure_};
  return scope_.cancelled_ ? Outcome{scope_.was_cancelled()} : Outcome{};
}

Event& ScopeCore::event() {
  if (over_ == nullptr) {
    over_ = std::make_unique<EndEvent>(*this);
    if (is_over()) over_->complete();
  }
  return *over_;
}

void ScopeCore::complete_event() noexcept {
  if (over_->is_closed()) return;
  const Pin keep{*this};
  over_->complete();
  if (!std::exchange(owes_the_failure_, false)) return;
  if (over_->has(Event::exception_handled_flag)) return;
  WEFT_PROBE("a failure of a scope was waited for by events that did not take it");
  leave_pending(failure_);
}

/// Leaves the failure to the waiters of the event, which wake when the scope is over.
bool ScopeCore::leave_to_event() noexcept {
  if (over_->is_closed()) return over_->has(Event::exception_handled_flag);  // was over at once
  owes_the_failure_ = true;
  return true;
}

}  // namespace weft
