#pragma once

#include <cstdint>

#include "weft/loop_event.hpp"
#include "weft/time.hpp"

namespace weft {

/// Tells when a duration has passed, counted from its start, that is from the suspension that waits
/// for it. One-shot timers close when they fire.
class Timer final : public LoopEvent {
 public:
  enum class Kind : std::uint8_t {
    once,
    periodic,   ///< fires again and again until stopped
    multishot,  ///< fires once per arming and can be armed anew, also from its own callback
  };

  /// Negative durations count as zero. Throws ValueError for a periodic timer of zero.
  explicit Timer(TimeSpan duration, Kind kind = Kind::once);
  static Timer periodic(TimeSpan duration) { return Timer{duration, Kind::periodic}; }
  static Timer multishot(TimeSpan duration) { return Timer{duration, Kind::multishot}; }
  ~Timer() override {
    fail_waiters();
    close();
  }

  /// Arms a multishot timer anew. False if it is closed or of another kind.
  bool rearm(TimeSpan duration) noexcept;
  /// Stops it for good; nobody is told.
  void close() noexcept;

  [[nodiscard]] Duration duration() const noexcept { return duration_; }
  [[nodiscard]] bool is_periodic() const noexcept { return kind_ == Kind::periodic; }
  [[nodiscard]] std::string info() const override;

 private:
  friend class TimerQueue;
  friend class TimerTable;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  /// Its time has come; the queue has let go of it.
  void fire(TimePoint now) noexcept;

  Duration duration_;
  TimePoint deadline_{};
  std::uint64_t order_ = 0;      // of arming: equal deadlines fire in this order
  std::uint32_t row_ = nowhere;  // in the table of the timer queue
  Kind kind_;
};

}  // namespace weft
