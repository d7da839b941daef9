#pragma once

#include <cstddef>
#include <vector>

#include "reactor/timer_table.hpp"

namespace weft {

/// Timers that have come near, earliest first. They come by whole slots of the wheel, and each slot
/// after those before it: to sort them once costs less than to sift each through a heap.
class TimerLine {
 public:
  using Number = TimerTable::Number;
  using Entry = TimerTable::Entry;

  explicit TimerLine(TimerTable& rows) noexcept : rows_{rows} {}
  /// So many may stand here at once. Throws std::bad_alloc.
  void reserve(std::size_t count) { line_.reserve(count); }
  /// Takes a list that is chained by the rows' `next`; all are later than those that are here.
  void append(Number list) noexcept;
  void remove(Number number) noexcept;
  [[nodiscard]] bool contains(Number number) const noexcept {
    return rows_[number].next == TimerTable::in_line;
  }

  [[nodiscard]] bool empty() const noexcept { return first_ == line_.size(); }
  [[nodiscard]] const Entry& front() const noexcept { return line_[first_]; }

 private:
  void drop_gaps() noexcept;

  TimerTable& rows_;
  std::vector<Entry> line_;  // one that has gone leaves a gap: its row is `none`
  std::size_t first_ = 0;    // all before it have gone
  std::size_t gaps_ = 0;
};

}  // namespace weft
