#pragma once

#include "weft/detail/abi.hpp"

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

/// Notifies of every delivery of a signal to this process while it is started. Any number of
/// events, in any number of runtimes, may wait for the same signal; all are notified. Deliveries
/// while it is started and has no waiter are kept, as one, for the next wait: call start() before a
/// loop of waits, and the loop misses nothing.
///
/// While an event is started, the default action of the signal does not happen. A handler that the
/// program had installed before is called as well, and is restored when the last event stops. If
/// this thread blocks the signal, it is unblocked until the last event of this runtime is stopped.
class SignalEvent : public LoopEvent {
 public:
  /// Throws ValueError for a number that is no signal, or one that a faulting thread raises (such
  /// as SIGSEGV): returning from its handler would fault again.
  explicit SignalEvent(int number);
  ~SignalEvent() override;

  /// The number of the signal.
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] std::string info() const override;

 protected:
  /// Enters the table of the runtime. Throws std::system_error if the system refuses a handler, as
  /// it does for SIGKILL.
  void arm(Reactor& reactor) override;
  void started_again() override;
  void disarm(Reactor& reactor) noexcept override;

 private:
  friend class SignalTable;
  friend class detail::ListAccess;
  void deliver() noexcept;

  int number_;
  bool kept_ = false;  // arrived without a waiter
  detail::ListLinks<SignalEvent> list_links_;
};

}  // namespace weft
