#pragma once

#include <cstddef>
#include <vector>

#include "reactor/timer_table.hpp"

namespace weft {

/// Timers that are due soon, earliest first. They come from the wheel in whole slots, each later
/// than those before it: one sort costs less than sifting each through a heap.
class TimerLine {
 public:
  using Number = TimerTable::Number;
  using Entry = TimerTable::Entry;

  explicit TimerLine(TimerTable& rows) noexcept : rows_{rows} {}
  /// Makes room for `count` timers. Throws std::bad_alloc.
  void reserve(std::size_t count) { line_.reserve(count); }
  /// Takes a list linked by the rows' `next`; all are later than those that are here.
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
  std::vector<Entry> line_;  // a removed one leaves a gap: its row is `none`
  std::size_t first_ = 0;    // all before it were removed
  std::size_t gaps_ = 0;
};

}  // namespace weft
