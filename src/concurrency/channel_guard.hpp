#pragma once

#include "scheduler/deadlock_hook.hpp"
#include "weft/detail/channel_base.hpp"
#include "weft/timer.hpp"

namespace weft {

/// The protection timers of a channel: each runs while a coroutine waits on its side, and restarts
/// with all traffic. Soft timers keep no program waiting in which nothing else is alive: they close
/// their channel then.
class ChannelGuard final : public DeadlockHook {
 public:
  ChannelGuard(detail::ChannelBase& channel, const ChannelOptions& options);
  /// The lists of waiters have changed.
  void update(bool traffic) noexcept;
  void receiver_joined() noexcept;
  void sender_joined() noexcept;
  ~ChannelGuard() override = default;
  bool on_deadlock() noexcept override;

 private:
  class Watch final : public Callback {
   public:
    Watch(detail::ChannelBase& channel, WaitList& queue, CloseReason reason, Duration limit,
          bool hard);
    ~Watch() override;
    void update(bool traffic) noexcept;
    void joined() noexcept;
    [[nodiscard]] bool is_armed() const noexcept { return timer_.is_armed(); }
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    detail::ChannelBase& channel_;
    WaitList& queue_;
    CloseReason reason_;
    Duration limit_;
    Timer timer_;
  };
  void watch() noexcept;

  detail::ChannelBase& channel_;
  Watch producers_;
  Watch consumers_;
  bool hard_;
};

}  // namespace weft
