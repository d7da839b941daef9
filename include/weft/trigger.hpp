#pragma once

#include "weft/detail/abi.hpp"

#include <atomic>
#include <mutex>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

class Mailbox;

/// An event that any thread may fire. Several firings before the loop polls may become one
/// notification; a firing without a waiter is kept for the next wait.
class Trigger : public LoopEvent {
 public:
  Trigger() noexcept = default;
  ~Trigger() override {
    fail_waiters();
    close();
  }

  /// Wakes all waiters. Safe from any thread, but not from a signal handler; does nothing once
  /// closed.
  void fire() noexcept;
  /// Closes the trigger permanently.
  void close() noexcept;
  [[nodiscard]] std::string info() const override { return "Trigger"; }

 private:
  friend class Mailbox;
  friend class detail::ListAccess;
  void arm(Reactor& reactor) override;
  void started_again() override { deliver(); }
  void disarm(Reactor& reactor) noexcept override;
  /// On the loop's thread: notifies if a firing is due.
  void deliver() noexcept;

  std::atomic<bool> fired_{false};
  std::atomic<bool> open_{true};
  std::mutex mutex_;                       // guards mailbox_ against firing threads
  Mailbox* mailbox_ = nullptr;             // where fire() posts while armed
  detail::ListLinks<Trigger> list_links_;  // in the mailbox, guarded by its mutex
};

}  // namespace weft
