#pragma once

#include "weft/extend/event.hpp"

namespace weft {

/// Happens once, when what it belongs to is over for good, and then tells late subscribers too. It
/// is part of that object, whose memory stays while the event is referred to; `host_retain` and
/// `host_release` see to that.
class Completion : public Event {
 public:
  using Event::replay;
  bool replay(Outcome& outcome) const override;
  /// It is over: closes, and tells those who wait. Does nothing a second time.
  void complete() noexcept;

 protected:
  Completion() noexcept {
    set(host_object_flag);
    set(passive_flag);
  }
  ~Completion() override { callbacks().clear(); }
  /// With what it ended.
  [[nodiscard]] virtual Outcome outcome() const { return {}; }
};

}  // namespace weft
