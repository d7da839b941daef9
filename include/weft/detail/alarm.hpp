#pragma once

#include <cstdint>

#include "weft/time.hpp"

namespace weft {
class TimerQueue;
class TimerTable;
}  // namespace weft

namespace weft::detail {

/// An entry in the timer queue of a reactor: a Timer, or a coroutine that sleeps.
class Alarm {
 public:
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Leaves the queue, because the runtime ends.
  virtual void leave() noexcept = 0;

 protected:
  Alarm() noexcept = default;
  virtual ~Alarm() = default;
  /// Whether it is in a queue.
  [[nodiscard]] bool is_set() const noexcept { return row_ != nowhere; }
  [[nodiscard]] TimePoint deadline() const noexcept { return deadline_; }

 private:
  friend class weft::TimerQueue;
  friend class weft::TimerTable;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  /// The deadline has come; the queue has removed the entry.
  virtual void due(TimePoint now) noexcept = 0;

  TimePoint deadline_{};
  std::uint64_t order_ = 0;      // of arming: equal deadlines are due in this order
  std::uint32_t row_ = nowhere;  // in the table of the queue
};

}  // namespace weft::detail
