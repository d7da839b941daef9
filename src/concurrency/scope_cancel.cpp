#include <new>
#include <string>
#include <utility>

#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "concurrency/time_limit.hpp"
#include "weft/error.hpp"

// How a scope is ended: top-down, child scopes first.
namespace weft {

namespace {

/// With the default text where there is no memory for `reason`.
void cancel_one(CoroutineBase& coroutine, std::string_view reason) noexcept {
  Scheduler& scheduler = *current_thread.scheduler;
  try {
    CancelText text{std::string{reason}};
    if (!text.is_empty()) return scheduler.cancel(coroutine, CancelReason::text, std::move(text));
  } catch (const std::bad_alloc&) {
  }
  scheduler.cancel(coroutine, CancelReason::scope, {});
}

}  // namespace

/// Ends this scope and those below it, the innermost first. A walk, not a recursion: scopes may be
/// nested deeper than a stack is. Where we are is pinned; those above it are by their children.
void ScopeCore::end_tree(std::string_view reason, End end) noexcept {
  if (closed_) return;
  const Pin keep{*this};
  ScopeCore* scope = this;
  scope->pin();
  for (bool came_up = false;;) {
    const bool ends = came_up || !scope->closed_;
    if (ends) scope->cancelled_ = true;
    ScopeCore* next = ends && !came_up ? scope->first_child_ : nullptr;
    if (next == nullptr) {
      if (ends) (scope->*end)(reason);
      if (scope == this) break;
      next = scope->next_sibling_;
      came_up = next == nullptr;
      if (came_up) next = scope->above_;
    }
    next->pin();
    scope->unpin();
    scope = next;
  }
  unpin();
}

void ScopeCore::cancel_all(std::string_view reason) noexcept {
  end_tree(reason, &ScopeCore::cancel_members);
}

void ScopeCore::leave_zombies(std::string_view reason) noexcept {
  end_tree(reason, &ScopeCore::leave_members);
}

void ScopeCore::cancel_members(std::string_view reason) noexcept {
  for (CoroutineBase* c = members().first(); c != nullptr; c = CoroutineList::next(*c)) {
    cancel_one(*c, reason);
  }
  channels_.close_all();
  if (!is_inhabited()) return close();
  complete_if_over();
}

/// Only those that have not started are cancelled.
void ScopeCore::leave_members(std::string_view reason) noexcept {
  for (CoroutineBase* c = members().first(); c != nullptr; c = CoroutineList::next(*c)) {
    if (!c->is_started()) {
      cancel_one(*c, reason);
    } else if (!Scheduler::is_zombie(*c)) {
      current_thread.scheduler->make_zombie(*c);
      --active_;
    }
  }
  channels_.close_all();
  if (!is_inhabited()) return close();
  settle();
  complete_if_over();
}

void ScopeCore::dispose_with(std::string_view reason) noexcept {
  if (allows_zombies_) {
    leave_zombies(reason);
  } else {
    cancel_all(reason);
  }
}

void ScopeCore::dispose_later(Duration duration) {
  checked_limit(duration);
  if (closed_ || !is_inhabited()) return;
  disposal_ = std::make_unique<Disposal>(*this, duration);
}

void ScopeCore::add_finally(Function<void(Scope&)> handler) {
  if (closed_) return handler(*this);
  finally_handlers_.push_back(std::move(handler));
}

void ScopeCore::run_finally() noexcept {
  if (finally_handlers_.empty() || !is_of_this_runtime()) return;
  try {
    auto body = [keep = Pin{*this}, handlers = std::exchange(finally_handlers_, {})]() mutable {
      std::vector<std::exception_ptr> errors;
      for (Function<void(Scope&)>& handler : handlers) {
        try {
          handler(*keep);
        } catch (...) {
          errors.push_back(std::current_exception());
        }
      }
      if (errors.size() == 1) std::rethrow_exception(errors.front());
      if (!errors.empty()) throw CompositeError{std::move(errors)};
    };
    spawn_below("finally", std::move(body));
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

}  // namespace weft
