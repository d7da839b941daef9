#include "concurrency/scope_core.hpp"

#include "concurrency/disposal.hpp"
#include "weft/error.hpp"

// The life of a scope: who is in it, and how long it stays.
namespace weft {

ScopeCore::ScopeCore(Owner* parent, bool allows_zombies) noexcept
    : Owner{true, parent, allows_zombies},
      above_{parent != nullptr && parent->watches() ? static_cast<ScopeCore*>(parent) : nullptr} {
  ScopeCore* above = parent_scope();
  if (above == nullptr) return;
  above->pin();
  next_sibling_ = above->first_child_;
  if (next_sibling_ != nullptr) next_sibling_->previous_sibling_ = this;
  above->first_child_ = this;
}

ScopeCore::~ScopeCore() {
  ScopeCore* above = parent_scope();
  if (above == nullptr) return;
  (previous_sibling_ != nullptr ? previous_sibling_->next_sibling_ : above->first_child_) =
      next_sibling_;
  if (next_sibling_ != nullptr) next_sibling_->previous_sibling_ = previous_sibling_;
  above->unpin();
}

bool ScopeCore::contains(const Owner* owner) const noexcept {
  for (; owner != nullptr; owner = owner->parent()) {
    if (owner == this) return true;
  }
  return false;
}

void ScopeCore::admit() {
  if (closed_) throw MisuseError{"Cannot spawn a coroutine in a closed scope"};
  if (cancelled_) throw MisuseError{"Cannot spawn a coroutine in a cancelled scope"};
}

void ScopeCore::joined(CoroutineBase& /*coroutine*/) noexcept {
  ++active_;
  settle();
}

void ScopeCore::left(CoroutineBase& coroutine) noexcept {
  if (!Scheduler::is_zombie(coroutine)) --active_;
  settle();
}

/// Something came or went: the parent is told when that changes what it counts, and those who wait
/// when nothing is left.
void ScopeCore::settle() noexcept {
  const bool busy = is_busy();
  const bool inhabited = is_inhabited();
  const bool rests = said_busy_ && !busy;
  const bool empties = said_inhabited_ && !inhabited;
  ++pins_;
  if (ScopeCore* above = parent_scope();
      above != nullptr && (busy != said_busy_ || inhabited != said_inhabited_)) {
    if (busy != said_busy_) above->busy_children_ += busy ? 1 : std::size_t(-1);
    if (inhabited != said_inhabited_) above->inhabited_children_ += inhabited ? 1 : std::size_t(-1);
    said_busy_ = busy;
    said_inhabited_ = inhabited;
    above->settle();
  }
  said_busy_ = busy;
  said_inhabited_ = inhabited;
  if (rests) tell_the_end();
  if (empties) {
    while (end_.grant_first()) {
    }
    if (cancelled_ || holders_ == 0) close();
  }
  unpin();
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
  if (holders_ == 0 && pins_ == 0 && closed_ && !is_inhabited()) delete this;
}

void ScopeCore::close() noexcept {
  if (closed_) return;
  closed_ = true;
  disposal_.reset();
  run_finally();
}

}  // namespace weft
