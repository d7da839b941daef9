#pragma once

#include <cstdint>

#include "weft/extend/loop_event.hpp"

namespace weft {

/// Tells every delivery of a signal to this process while it is started. Any number of events, in
/// any number of runtimes, may wait for the same signal; all are told. What comes while it is
/// started and nobody waits is kept, as one, for the next wait: start it by hand around a loop of
/// waits, and the loop misses nothing.
///
/// While somebody waits, the default action of the signal does not happen. A handler that the
/// program had installed before is called as well, and is back alone when the last one leaves. If
/// this thread blocks the signal, it does not until the last event of this runtime is stopped.
class SignalEvent : public LoopEvent {
 public:
  /// Throws ValueError for a number that is no signal, or one that a thread raises by its own
  /// fault (SIGSEGV and its like): to return from these means to fail again.
  explicit SignalEvent(int number);
  ~SignalEvent() override;

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
  void deliver() noexcept;

  int number_;
  bool kept_ = false;        // came while nobody waited
  std::uint64_t order_ = 0;  // of arming: one that is armed by a delivery is not told of it
  SignalEvent* previous_ = nullptr;
  SignalEvent* next_ = nullptr;
};

}  // namespace weft
