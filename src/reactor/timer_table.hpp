#pragma once

#include <cstdint>
#include <vector>

#include "weft/detail/alarm.hpp"
#include "weft/time.hpp"

namespace weft {

/// A row for each armed timer. A timer is on the stack of a parked coroutine, not in the cache:
/// what is needed while it waits is here, close together.
class TimerTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number none = detail::Alarm::nowhere;
  static constexpr Number in_line = none - 1;

  /// Linked by numbers, not by an IntrusiveList: half as wide, and rows move when the table grows.
  struct Row {
    TimePoint deadline;
    detail::Alarm* alarm;
    Number next;      // in its slot of the wheel, or `none`; among the free rows; or `in_line`
    Number previous;  // in its slot; in the heap or the line its position
  };
  /// A timer as the heap and the line sort it.
  struct Entry {
    TimePoint deadline;
    Number row;
  };

  /// Unchecked, because rows are read at every step: `number` comes from take().
  [[nodiscard]] Row& operator[](Number number) noexcept { return rows_.data()[number]; }
  [[nodiscard]] const Row& operator[](Number number) const noexcept { return rows_.data()[number]; }

  [[nodiscard]] std::uint64_t order(const Entry& entry) const noexcept {
    return (*this)[entry.row].alarm->order_;
  }
  /// Equal deadlines keep the order of arming.
  [[nodiscard]] bool before(const Entry& one, const Entry& other) const noexcept {
    if (one.deadline != other.deadline) [[likely]]
      return one.deadline < other.deadline;
    return order(one) < order(other);
  }

  /// Throws std::bad_alloc.
  Number take(detail::Alarm& alarm, TimePoint deadline) {
    if (free_ == none) {
      rows_.push_back({deadline, &alarm, none, none});
      return static_cast<Number>(rows_.size() - 1);
    }
    const Number number = free_;
    Row& row = (*this)[number];
    free_ = row.next;
    row = {deadline, &alarm, none, none};
    return number;
  }
  void give_back(Number number) noexcept {
    (*this)[number] = {never, nullptr, free_, none};
    free_ = number;
  }

 private:
  std::vector<Row> rows_;
  Number free_ = none;
};

}  // namespace weft
