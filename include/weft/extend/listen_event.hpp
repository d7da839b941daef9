#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <string>

#include "weft/address.hpp"
#include "weft/extend/loop_event.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft {

/// Notifies of each connection to a listening socket, for waits that include other events: take()
/// then returns it. Listener::accept() is the simple way.
class ListenEvent final : public LoopEvent {
 public:
  /// `descriptor` listens, and must stay open as long as the event exists. Closing its Listener
  /// before closes the event as well, and its waiters throw std::system_error.
  explicit ListenEvent(int descriptor) noexcept;
  /// Closes a connection that was not taken.
  ~ListenEvent() override;

  /// The connection of the last notification; it belongs to the caller, non-blocking and not
  /// inherited by children. -1 if it was taken already. A connection that is not taken is notified
  /// again, and no other is accepted before.
  [[nodiscard]] int take() noexcept;
  /// The address of the peer.
  [[nodiscard]] const Address& peer() const noexcept { return peer_; }
  using Event::replay;
  /// The error, if it was closed.
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
