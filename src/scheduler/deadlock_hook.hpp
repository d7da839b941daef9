#pragma once

#include <utility>

#include "base/notify_list.hpp"

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
  friend class detail::ListAccess;
  DeadlockHooks* list_ = nullptr;
  detail::ListLinks<DeadlockHook> list_links_;
};

/// The deadlock hooks of a runtime. Neither list nor hook keeps the other alive.
class DeadlockHooks {
 public:
  DeadlockHooks() noexcept = default;
  ~DeadlockHooks() {
    while (!all_.empty()) all_.first()->leave();
  }
  DeadlockHooks(const DeadlockHooks&) = delete;
  DeadlockHooks& operator=(const DeadlockHooks&) = delete;

  /// Takes `hook` from its present list, if that is another one.
  void add(DeadlockHook& hook) noexcept {
    if (hook.list_ == this) return;
    hook.leave();
    hook.list_ = this;
    all_.push_back(hook);
  }
  /// Calls all hooks. True if one has woken a coroutine.
  bool try_all() noexcept {
    bool helped = false;
    all_.notify([&](DeadlockHook& hook) { helped = hook.on_deadlock() || helped; });
    return helped;
  }

 private:
  friend class DeadlockHook;
  NotifyList<DeadlockHook> all_;
};

inline void DeadlockHook::leave() noexcept {
  if (list_ != nullptr) std::exchange(list_, nullptr)->all_.remove(*this);
}

}  // namespace weft
