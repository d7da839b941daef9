#pragma once

#include <cstdint>
#include <vector>

#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft {

/// A row for each armed timer. A timer lies on the stack of a coroutine that has not run for long,
/// far from the caches: what is needed while it waits is here, close together.
class TimerTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number none = Timer::nowhere;

  struct Row {
    TimePoint deadline;
    Timer* timer;
    Number next;      // in its slot of the wheel, or `none`; among the free rows
    Number previous;  // in its slot; in the heap its position
  };

  [[nodiscard]] Row& operator[](Number number) noexcept { return rows_[number]; }
  [[nodiscard]] const Row& operator[](Number number) const noexcept { return rows_[number]; }

  /// Throws std::bad_alloc.
  Number take(Timer& timer, TimePoint deadline) {
    if (free_ == none) {
      rows_.push_back({deadline, &timer, none, none});
      return static_cast<Number>(rows_.size() - 1);
    }
    const Number number = free_;
    free_ = rows_[number].next;
    rows_[number] = {deadline, &timer, none, none};
    return number;
  }
  void give_back(Number number) noexcept {
    rows_[number] = {never, nullptr, free_, none};
    free_ = number;
  }

 private:
  std::vector<Row> rows_;
  Number free_ = none;
};

}  // namespace weft
