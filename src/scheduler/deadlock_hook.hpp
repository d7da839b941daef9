#pragma once

namespace weft {

class DeadlockHooks;

/// Deadlock hook: called when all coroutines wait and no event can wake one, before that is
/// declared a deadlock.
class DeadlockHook {
 public:
  DeadlockHook(const DeadlockHook&) = delete;
  DeadlockHook& operator=(const DeadlockHook&) = delete;
  /// True: a coroutine was woken.
  virtual bool on_deadlock() noexcept = 0;

 protected:
  DeadlockHook() noexcept = default;
  virtual ~DeadlockHook() { leave(); }
  void leave() noexcept;

 private:
  friend class DeadlockHooks;
  DeadlockHooks* list_ = nullptr;
  DeadlockHook* previous_ = nullptr;
  DeadlockHook* next_ = nullptr;
};

/// The deadlock hooks of a runtime. Neither list nor hook keeps the other alive.
class DeadlockHooks {
 public:
  DeadlockHooks() noexcept = default;
  ~DeadlockHooks() {
    while (first_ != nullptr) first_->leave();
  }
  DeadlockHooks(const DeadlockHooks&) = delete;
  DeadlockHooks& operator=(const DeadlockHooks&) = delete;

  /// Takes `hook` from its present list, if that is another one.
  void add(DeadlockHook& hook) noexcept {
    if (hook.list_ == this) return;
    hook.leave();
    hook.list_ = this;
    hook.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &hook;
    first_ = &hook;
  }
  /// Calls all hooks. True if one has woken a coroutine.
  bool try_all() noexcept {
    bool helped = false;
    for (DeadlockHook* hook = first_; hook != nullptr;) {
      DeadlockHook* const next = hook->next_;
      helped = hook->on_deadlock() || helped;
      hook = next;
    }
    return helped;
  }

 private:
  friend class DeadlockHook;
  DeadlockHook* first_ = nullptr;
};

inline void DeadlockHook::leave() noexcept {
  if (list_ == nullptr) return;
  (previous_ != nullptr ? previous_->next_ : list_->first_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  list_ = nullptr;
  previous_ = next_ = nullptr;
}

}  // namespace weft
