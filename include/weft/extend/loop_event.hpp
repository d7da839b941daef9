#pragma once

#include "weft/detail/abi.hpp"

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/event.hpp"

namespace weft {

class Reactor;

/// An event of the reactor's loop: armed by the first start, disarmed by the last stop, and counted
/// by deadlock detection unless it is hidden.
///
/// Only kinds of weft derive from it: arm() and disarm() work on the reactor, whose class is
/// internal. A kind of your own derives from Event, holds a Poll, a Timer or a Trigger, and starts
/// and stops that; the page "Events" of the guide says how.
class LoopEvent : public Event {
 public:
  bool start() final;
  bool stop() noexcept final;
  void set_hidden(bool hidden) noexcept final;
  /// Whether it is in the loop.
  [[nodiscard]] bool is_armed() const noexcept { return reactor_ != nullptr; }

 protected:
  /// Whether the reactor lists the event while it is armed, to stop it when the runtime ends: for
  /// events that no other table lists (`yes`), or not (`no`).
  enum class Listed : bool { no, yes };
  /// Not armed yet.
  explicit LoopEvent(Listed listed = Listed::yes) noexcept : listed_{listed} {}
  ~LoopEvent() override;

  /// Enters the loop. May notify at once if it has happened already.
  virtual void arm(Reactor& reactor) = 0;
  /// One more start of an event that is armed already.
  virtual void started_again() {}
  /// Leaves the loop.
  virtual void disarm(Reactor& reactor) noexcept = 0;
  /// Leaves the loop whatever the number of starts: on close, or when the runtime ends.
  void stop_all() noexcept;
  /// The loop it is armed in; null if it is not.
  [[nodiscard]] Reactor* reactor() const noexcept { return reactor_; }

 private:
  friend class Reactor;
  friend class detail::ListAccess;
  Reactor* reactor_ = nullptr;               // the loop it is armed in
  detail::ListLinks<LoopEvent> list_links_;  // in the reactor, while armed
  Listed listed_;
};

}  // namespace weft
