#pragma once

#include "weft/detail/abi.hpp"

#include <string>

#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft {

/// A token that fires when a duration has passed since it was first waited on, not since it was
/// created. Further waits share the remaining time. Its error is TimedOut.
class Timeout final : public Event {
 public:
  /// Throws ValueError unless `duration` is above 0.
  explicit Timeout(TimeSpan duration);
  ~Timeout() override;

  /// Completes it without an error: it never fires. Does nothing if it is completed.
  void cancel() noexcept;
  /// Whether its time is over, or it was cancelled.
  [[nodiscard]] bool is_completed() const noexcept { return is_closed(); }
  /// Whether it was cancelled before its time was over.
  [[nodiscard]] bool is_cancelled() const noexcept { return is_closed() && !expired_; }
  /// How long it takes.
  [[nodiscard]] Duration duration() const noexcept { return duration_; }

  bool start() override;
  bool stop() noexcept override;
  bool replay(Outcome& outcome) const override;
  void set_hidden(bool hidden) noexcept override;
  [[nodiscard]] std::string info() const override;

 private:
  class Alarm final : public Callback {
   public:
    explicit Alarm(Timeout& timeout) noexcept : timeout_{timeout} {}
    ~Alarm() override = default;
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    Timeout& timeout_;
  };
  /// References to it are references to the timeout, which must not go while its timer notifies.
  class OwnTimer final : public Timer {
   public:
    OwnTimer(Timeout& timeout, TimeSpan duration)
        : Timer{duration, Kind::multishot}, timeout_{timeout} {
      set(host_object_flag);
    }
    ~OwnTimer() override = default;

   private:
    void host_retain() noexcept override { timeout_.retain(); }
    void host_release() noexcept override { timeout_.release(); }
    Timeout& timeout_;
  };
  [[nodiscard]] std::exception_ptr error() const noexcept;
  /// Turns the expiry of the timer into a TimedOut.
  void notified(const Outcome& outcome) noexcept override;

  Duration duration_;
  TimePoint deadline_ = never;  // known from the first start on
  OwnTimer timer_;
  Alarm alarm_{*this};
  bool expired_ = false;
};

/// A token for a wait: `await(event, timeout(50ms))`.
[[nodiscard]] inline Timeout timeout(TimeSpan duration) { return Timeout{duration}; }

}  // namespace weft
