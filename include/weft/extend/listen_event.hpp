#pragma once

#include <exception>
#include <string>

#include "weft/address.hpp"
#include "weft/extend/loop_event.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft {

/// Tells of each connection to a listening socket, for waits that include other events: take() then
/// gives it. Listener::accept() is the simple way.
class ListenEvent final : public LoopEvent {
 public:
  /// `descriptor` listens, and stays open as long as this lives; a Listener that is closed before
  /// closes this as well, and whoever waits for it throws std::system_error.
  explicit ListenEvent(int descriptor) noexcept;
  /// A connection that nobody took is closed.
  ~ListenEvent() override;

  /// The connection that was told of last; it belongs to the caller, non-blocking and not passed on
  /// to children. -1 if it was taken already. One that is not taken is told of again, and no other
  /// is accepted before.
  [[nodiscard]] int take() noexcept;
  /// Who has connected.
  [[nodiscard]] const Address& peer() const noexcept { return peer_; }
  using Event::replay;
  /// Of one that was closed: the error.
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  class Step;
  void arm(Reactor& reactor) override;
  void started_again() override;
  void disarm(Reactor& reactor) noexcept override;
  void accept_one() noexcept;

  int number_;
  int accepted_ = -1;
  Address peer_;
  Ref<Poll> poll_;
  Ref<Step> step_;
};

}  // namespace weft
