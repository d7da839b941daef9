#pragma once

#include "weft/detail/abi.hpp"

#include <exception>

#include "weft/extend/event.hpp"

namespace weft {

/// The event of a channel or a pool: notifies when trying to take something would succeed. A hint:
/// it reserves nothing and gives no place in the queue, so a notified coroutine tries, and may
/// fail. It stores no outcome. Waiting for it while it is ready, or closed, ends at once.
///
/// To make one of your own, derive, return from `is_available()` whether trying would succeed, and
/// call `update()` after every change.
class HintEvent : public Event {
 public:
  bool add_callback(Callback& callback) override;
  [[nodiscard]] bool is_ready() const noexcept override;

  /// Call it after a change: notifies the waiters if the event has become ready.
  void update() noexcept;
  /// The same before the next switch, for callers in the middle of a change.
  void update_later() noexcept;
  /// Closes: it will never be ready again. Waiters get `error`, if given, instead of a hint.
  void end(const std::exception_ptr& error = nullptr) noexcept;

 protected:
  HintEvent() noexcept { set(hint_flag); }
  ~HintEvent() override = default;
  /// Whether trying would succeed now, without what is reserved for waiters.
  [[nodiscard]] virtual bool is_available() const noexcept = 0;

 private:
  [[nodiscard]] bool has_listeners() const noexcept {
    return subscribers() != 0 || has_notify_handler();
  }

  mutable bool was_ready_ = false;  // as the waiters were last notified
  bool update_is_posted_ = false;
};

}  // namespace weft
