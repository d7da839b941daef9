#include <new>
#include <string>
#include <utility>

#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "wait/time_limit.hpp"
#include "weft/error.hpp"

// How a scope is ended: top-down, child scopes first.
namespace weft {

namespace {

/// Uses the default text if there is no memory for a cause.
void cancel_one(CoroutineBase& coroutine, const ScopeEnd& why) noexcept {
  Scheduler& scheduler = *current_thread.scheduler;
  try {
    CancelCause cause = why.error != nullptr ? CancelCause{why.error} : std::string{why.text};
    if (!cause.is_empty()) {
      return scheduler.cancel(coroutine, CancelReason::given, std::move(cause));
    }
  } catch (const std::bad_alloc&) {
  }
  scheduler.cancel(coroutine, CancelReason::scope, {});
}

}  // namespace

/// Ends this scope and its descendants, the innermost first. A walk, not a recursion: scopes may be
/// nested deeper than a stack allows. Pins keep the present scope, and with it its ancestors.
void ScopeCore::end_tree(const ScopeEnd& why, End end) noexcept {
  if (closed_) return;
  const Pin keep{*this};
  ScopeCore* scope = this;
  scope->pin();
  for (bool came_up = false;;) {
    const bool ends = came_up || !scope->closed_;
    if (ends && !std::exchange(scope->cancelled_, true)) scope->cause_ = why.error;
    ScopeCore* next = ends && !came_up ? scope->children_.first() : nullptr;
    if (next == nullptr) {
      if (ends) (scope->*end)(why);
      if (scope == this) break;
      next = scope->list_links_.next();
      came_up = next == nullptr;
      if (came_up) next = scope->above_;
    }
    next->pin();
    scope->unpin();
    scope = next;
  }
  unpin();
}

void ScopeCore::cancel_all(const ScopeEnd& why) noexcept {
  end_tree(why, &ScopeCore::cancel_members);
}

void ScopeCore::leave_zombies(const ScopeEnd& why) noexcept {
  end_tree(why, &ScopeCore::leave_members);
}

void ScopeCore::cancel_members(const ScopeEnd& why) noexcept {
  for (CoroutineBase* c = members().first(); c != nullptr; c = CoroutineList::next(*c)) {
    cancel_one(*c, why);
  }
  channels_.close_all();
  if (!is_inhabited()) return close();
  complete_if_over();
}

/// Cancels only coroutines that have not started.
void ScopeCore::leave_members(const ScopeEnd& why) noexcept {
  for (CoroutineBase* c = members().first(); c != nullptr; c = CoroutineList::next(*c)) {
    if (!c->is_started()) {
      cancel_one(*c, why);
    } else if (!Scheduler::is_zombie(*c)) {
      current_thread.scheduler->make_zombie(*c);
      --active_;
    }
  }
  channels_.close_all();
  if (!is_inhabited()) return close();
  update_counts();
  complete_if_over();
}

void ScopeCore::dispose_with(const ScopeEnd& why) noexcept {
  if (allows_zombies_) {
    leave_zombies(why);
  } else {
    cancel_all(why);
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
