#pragma once

#include <exception>

#include "weft/extend/event.hpp"

namespace weft {

/// The event of a channel or a pool: notifies when trying to take something would succeed. A hint:
/// it reserves nothing and gives no place in the queue, so a notified coroutine tries, and may
/// fail. It stores no outcome. Waiting for it while it is ready, or closed, ends at once.
///
/// To make one of your own, derive, return from `can_be_had()` whether trying would succeed, and
/// call `look()` after every change.
class ReadyFace : public Event {
 public:
  bool add_callback(Callback& callback) override;
  [[nodiscard]] bool is_ready() const noexcept override;

  /// Call it after a change: notifies the waiters if the event has become ready.
  void look() noexcept;
  /// The same before the next switch, for callers in the middle of a change.
  void look_later() noexcept;
  /// Closes: it will never be ready again. Waiters get `error`, if given, instead of a hint.
  void end(const std::exception_ptr& error = nullptr) noexcept;

 protected:
  ReadyFace() noexcept { set(hint_flag); }
  ~ReadyFace() override = default;
  /// Whether trying would succeed now, without what is reserved for waiters.
  [[nodiscard]] virtual bool can_be_had() const noexcept = 0;

 private:
  [[nodiscard]] bool is_heard() noexcept {
    return subscribers() != 0 || callbacks().handler() != nullptr;
  }

  mutable bool was_ready_ = false;  // as the waiters were last notified
  bool looks_later_ = false;
};

}  // namespace weft
