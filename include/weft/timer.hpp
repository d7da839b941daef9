#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>

#include "weft/detail/alarm.hpp"
#include "weft/extend/loop_event.hpp"
#include "weft/time.hpp"

namespace weft {

/// Notifies when a duration has passed, counted from its start, that is from the suspension that
/// waits for it. One-shot timers close when they fire.
class Timer : public LoopEvent, public detail::Alarm {
 public:
  /// How often a timer fires: `once`, or as said below.
  enum class Kind : std::uint8_t {
    once,
    periodic,   ///< fires again and again until stopped
    multishot,  ///< fires once per arming and can be armed again, also from its own callback
  };

  /// Negative durations count as zero. Throws ValueError for a periodic timer of zero.
  explicit Timer(TimeSpan duration, Kind kind = Kind::once);
  /// A timer that fires every `duration` until it is stopped.
  static Timer periodic(TimeSpan duration) { return Timer{duration, Kind::periodic}; }
  /// A timer that can be armed again.
  static Timer multishot(TimeSpan duration) { return Timer{duration, Kind::multishot}; }
  ~Timer() override {
    fail_waiters();
    close();
  }

  /// Arms a multishot timer again. False if it is closed or of another kind.
  bool rearm(TimeSpan duration) noexcept;
  /// Stops the timer permanently, without a notification.
  void close() noexcept;

  /// From its start to its firing.
  [[nodiscard]] Duration duration() const noexcept { return duration_; }
  /// Whether it fires again and again.
  [[nodiscard]] bool is_periodic() const noexcept { return kind_ == Kind::periodic; }
  [[nodiscard]] std::string info() const override;
  /// The text of info().
  [[nodiscard]] static std::string text(Duration duration, bool is_periodic);

 private:
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void due(TimePoint now) noexcept override;
  void leave() noexcept override;

  Duration duration_;
  Kind kind_;
};

}  // namespace weft
