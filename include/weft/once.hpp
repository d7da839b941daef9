#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <utility>

#include "weft/detail/lock_owner.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Runs a function once, however many coroutines call it. Allocates no memory.
class Once {
 public:
  /// `place` is named in the error if the object is destroyed while coroutines wait.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Once(Place place = Place::here()) noexcept : waiters_{place} {}
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  /// Suspends until the work is done: the first caller runs `body`, which may suspend, the others
  /// wait. If `body` throws, even Cancelled, its caller throws that and the oldest waiter tries
  /// with its own body. Throws Cancelled, ObjectDestroyed if the Once is destroyed meanwhile, and
  /// MisuseError if `body` calls call() again: it would wait for itself. A wait for another caller
  /// throws, when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled.
  template <std::invocable F>
  void call(F&& body, Token token = {}, Place place = Place::here()) {
    if (done_) return;
    if (!begin(token, place)) return;
    RunGuard guard{*this};
    std::forward<F>(body)();
    guard.succeed();
  }
  /// Whether the call has succeeded.
  [[nodiscard]] bool is_done() const noexcept { return done_; }

 private:
  class QueuedWaiter;
  /// Ends the run when the body returns or throws. If the Once was destroyed while the body ran,
  /// there is nothing to end.
  class RunGuard {
   public:
    explicit RunGuard(Once& once) noexcept : once_{once} { once.waiters_.keep(held_); }
    ~RunGuard() {
      if (held_.is_granted()) once_.end();
    }
    RunGuard(const RunGuard&) = delete;
    RunGuard& operator=(const RunGuard&) = delete;
    void succeed() noexcept {
      if (held_.is_granted()) once_.done_ = true;
    }

   private:
    Once& once_;
    Waiter held_{"Once"};
  };
  /// Whether the caller is to run its body; else the work is done.
  bool begin(Token token, Place place);
  void end() noexcept;

  bool done_ = false;
  detail::LockOwner runner_ = nullptr;
  WaitList waiters_;
};

}  // namespace weft
