#include "concurrency/scope_core.hpp"

#include "concurrency/disposal.hpp"
#include "weft/error.hpp"

// The members of a scope, and its lifetime.
namespace weft {

ScopeCore::ScopeCore(Owner* parent, bool allows_zombies, Place place) noexcept
    : Owner{true, parent, allows_zombies},
      runtime_{current_thread.scheduler->serial()},
      above_{parent != nullptr && parent->watches() ? static_cast<ScopeCore*>(parent) : nullptr},
      origin_{place} {
  ScopeCore* above = parent_scope();
  if (above == nullptr) return;
  above->pin();
  above->children_.push_front(*this);
}

ScopeCore::~ScopeCore() {
  for (const std::exception_ptr& unread : errors_at_the_end_) leave_pending(unread);
  if (above_ != nullptr) above_->children_.remove(*this);
}

bool ScopeCore::contains(const Owner* owner) const noexcept {
  for (; owner != nullptr; owner = owner->parent()) {
    if (owner == this) return true;
  }
  return false;
}

/// A new child scope, or this one if there is no memory for a child.
Owner& ScopeCore::below() noexcept {
  ScopeCore* child = new (std::nothrow) ScopeCore{this, allows_zombies_, origin_.place()};
  if (child == nullptr) return *this;
  child->held_by_members_ = true;
  return *child;
}

void ScopeCore::spawn_below(const char* name, Function<void()> body) {
  ScopeCore& child = *new ScopeCore{this, allows_zombies_, origin_.place()};
  try {
    detail::Spawner::spawn_cleanup(&child, name, std::move(body));
  } catch (...) {
    child.drop_holder();
    throw;
  }
  child.held_by_members_ = true;
}

void ScopeCore::admit_cleanup() {
  if (!is_of_this_runtime()) throw MisuseError{"The scope belongs to another runtime"};
  if (closed_) throw MisuseError{"Cannot spawn a coroutine in a closed scope"};
}

void ScopeCore::admit() {
  if (!is_of_this_runtime() || closed_ || cancelled_) [[unlikely]]
    refuse_to_admit();
}

void ScopeCore::refuse_to_admit() {
  admit_cleanup();
  throw MisuseError{"Cannot spawn a coroutine in a cancelled scope"};
}

void ScopeCore::joined(CoroutineBase& /*coroutine*/) noexcept {
  ++active_;
  if (!counted_busy_ || !counted_inhabited_) update_ancestors();
}

void ScopeCore::left(CoroutineBase& coroutine) noexcept {
  if (!Scheduler::is_zombie(coroutine)) --active_;
  update_counts();
}

/// A member came or left: updates the counts of the ancestors, as long as they change. A loop, not
/// a recursion: scopes may be nested deeper than a stack allows.
void ScopeCore::update_ancestors() noexcept {
  const Pin keep{*this};  // and with it its ancestors: children pin their parents
  ScopeCore* scope = this;
  while (scope != nullptr) scope = scope->update_parent();
}

/// Wakes the waiters of a scope that is empty now, and updates the counts of the parent; returns
/// the parent if they have changed.
ScopeCore* ScopeCore::update_parent() noexcept {
  // Finally handlers run in child scopes: waiters wake when they have ended too.
  if (counted_inhabited_ && !is_inhabited()) {
    if (std::exchange(held_by_members_, false)) --holders_;
    if (cancelled_ || holders_ == 0) close();
  }
  const bool busy = is_busy();
  const bool inhabited = is_inhabited();
  const bool rests = counted_busy_ && !busy;
  const bool empties = counted_inhabited_ && !inhabited;
  const bool changed = busy != counted_busy_ || inhabited != counted_inhabited_;
  if (above_ != nullptr) {
    if (busy != counted_busy_) above_->busy_children_ += busy ? 1 : std::size_t(-1);
    if (inhabited != counted_inhabited_) {
      above_->inhabited_children_ += inhabited ? 1 : std::size_t(-1);
    }
  }
  counted_busy_ = busy;
  counted_inhabited_ = inhabited;
  if (disposal_ != nullptr) disposal_->count(inhabited);
  if (rests) notify_end_waiters();
  if (empties) {
    while (end_.grant_first()) {
    }
  }
  return changed ? above_ : nullptr;
}

void ScopeCore::unpin() noexcept {
  --pins_;
  free_if_unused();
}

void ScopeCore::drop_holder() noexcept {
  if (--holders_ > 0) return;
  ++pins_;
  if (is_inhabited()) {
    dispose_with("Scope is being disposed due to object destruction");
  } else {
    close();
  }
  unpin();
}

void ScopeCore::free_if_unused() noexcept {
  // A loop, not a recursion: a long chain of scopes may be freed at once, on a small stack.
  for (ScopeCore* scope = this; scope != nullptr && scope->holders_ == 0 && scope->pins_ == 0 &&
                                scope->closed_ && !scope->is_inhabited();) {
    ScopeCore* const above = scope->parent_scope();
    delete scope;
    if (above != nullptr) --above->pins_;
    scope = above;
  }
}

void ScopeCore::close() noexcept {
  if (closed_) return;
  closed_ = true;
  if (disposal_ != nullptr) disposal_->stop();
  run_finally();
  complete_if_over();
}

}  // namespace weft
