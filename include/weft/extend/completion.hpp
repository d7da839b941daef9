#pragma once

#include "weft/detail/abi.hpp"

#include "weft/extend/event.hpp"

namespace weft {

/// An event that happens once, when the object it is part of has completed, and replays that to
/// late subscribers. The memory of that object stays while the event is referenced: `host_retain`
/// and `host_release` ensure it.
class Completion : public Event {
 public:
  using Event::replay;
  bool replay(Outcome& outcome) const override;
  /// Closes the event and wakes its waiters. A second call does nothing.
  void complete() noexcept;

 protected:
  Completion() noexcept {
    set(host_object_flag);
    set(passive_flag);
  }
  ~Completion() override { drop_callbacks(); }
  /// The outcome that waiters receive.
  [[nodiscard]] virtual Outcome outcome() const { return {}; }
};

}  // namespace weft
