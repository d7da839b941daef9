#pragma once

#include <exception>

#include "weft/extend/event.hpp"

namespace weft {

/// The face that something to be had shows to those who wait for events: it tells them when there
/// is some. A hint: it reserves nothing and gives no place in a line, so whoever is told tries, and
/// may come too late. It keeps no outcome. Waiting for it while it is ready, or closed, ends at
/// once.
///
/// To make one of your own, derive, say in `can_be_had()` whether trying would succeed, and call
/// `look()` after every change.
class ReadyFace : public Event {
 public:
  bool add_callback(Callback& callback) override;
  [[nodiscard]] bool is_ready() const noexcept override;

  /// Something has changed: if there is some now, and was none, those who wait are told.
  void look() noexcept;
  /// The same before the next switch, for whoever is in the middle of a change.
  void look_later() noexcept;
  /// Nothing will ever be had any more: closes. `error`: what those who wait get instead of a hint.
  void end(const std::exception_ptr& error = nullptr) noexcept;

 protected:
  ReadyFace() noexcept { set(hint_flag); }
  ~ReadyFace() override = default;
  /// Whether trying would succeed now, on what is promised to no one else.
  [[nodiscard]] virtual bool can_be_had() const noexcept = 0;

 private:
  [[nodiscard]] bool is_heard() noexcept {
    return subscribers() != 0 || callbacks().handler() != nullptr;
  }

  mutable bool was_ready_ = false;  // as far as those who wait were told
  bool looks_later_ = false;
};

}  // namespace weft
