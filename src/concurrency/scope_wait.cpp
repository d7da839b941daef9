#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "weft/error.hpp"

// Waits for the coroutines of a scope.
namespace weft {

std::exception_ptr ScopeCore::was_cancelled() const {
  if (cause_ != nullptr) return cause_;
  return std::make_exception_ptr(Cancelled::with_literal("The scope has been cancelled"));
}

void ScopeCore::notify_end_waiters() noexcept {
  if (cancelled_) {
    completion_.refuse_all(was_cancelled());
  } else {
    while (completion_.grant_first()) {
    }
  }
  complete_if_over();
}

void ScopeCore::refuse_own_members(const Scheduler& scheduler) const {
  if (!scheduler.has_current() || !contains(Scheduler::owner_of(scheduler.current()))) return;
  throw MisuseError{
      "Cannot await completion of scope from a coroutine that belongs to the same scope or its "
      "children"};
}

void ScopeCore::wait_for_completion(Token token, Place place) {
  token.mark_used();
  refuse_own_members(Scheduler::here("Scope::await_completion()"));
  if (cancelled_) std::rethrow_exception(was_cancelled());
  if (closed_ || !is_busy()) return;
  const Pin keep{*this};
  Waiter waiter{"completion of a scope", this};
  completion_.push_back(waiter);
  waiter.wait("Scope::await_completion()", token, place);
}

void ScopeCore::wait_for_end(AfterHandler& handler, Token token, Place place) {
  token.mark_used();
  if (!cancelled_) throw MisuseError{"Attempt to await a Scope that has not been cancelled"};
  refuse_own_members(Scheduler::here("Scope::await_after_cancellation()"));
  const Pin keep{*this};
  struct Counted {
    ScopeCore& scope;
    explicit Counted(ScopeCore& awaited) noexcept : scope{awaited} { ++scope.waiting_for_end_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() {
      --scope.waiting_for_end_;
      if (!scope.errors_at_the_end_.empty()) scope.end_.grant_first();  // for the next waiter
    }
  } const counted{*this};
  for (;;) {
    while (!errors_at_the_end_.empty()) {
      const std::exception_ptr error = std::move(errors_at_the_end_.front());
      errors_at_the_end_.pop_front();
      if (!handler) std::rethrow_exception(error);
      handler(error, *this);
    }
    if (!is_inhabited()) return;
    Waiter waiter{"end of a cancelled scope", this};
    end_.push_back(waiter);
    waiter.wait("Scope::await_after_cancellation()", token, place);
  }
}

void ScopeCore::wait_until_empty(Place place) {
  while (is_inhabited()) {
    Waiter waiter{"end of a scope", this};
    end_.push_back(waiter);
    waiter.wait({}, place);
  }
}

}  // namespace weft
