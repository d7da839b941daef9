#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reactor/timer_table.hpp"
#include "reactor/timer_wheel.hpp"
#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft {

class Choice;

/// The armed timers of a reactor, earliest first. Those whose time is near stand in a heap with
/// four children per node, which is small then; the others in a wheel. Equal deadlines keep the
/// order of arming.
class TimerQueue {
 public:
  /// Throws std::bad_alloc, and then nothing changed.
  void add(Timer& timer, TimePoint deadline);
  void remove(Timer& timer) noexcept;
  /// Fires every timer that is due at `now`; tells whether there were any. Those armed meanwhile
  /// wait for the next call.
  bool fire_due(TimePoint now, Choice* choice) noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// One of them; there must be one.
  [[nodiscard]] Timer& any() const noexcept {
    return *rows_[heap_.empty() ? wheel_.any() : heap_.front().row].timer;
  }
  /// Deadline of the first; `never` if there is none.
  [[nodiscard]] TimePoint next() const noexcept {
    return heap_.empty() ? wheel_.next() : heap_.front().deadline;
  }

 private:
  using Number = TimerTable::Number;
  struct Entry {
    TimePoint deadline;
    Number row;
  };

  [[nodiscard]] std::uint64_t order(const Entry& entry) const noexcept {
    return rows_[entry.row].timer->order_;
  }
  [[nodiscard]] bool before(const Entry& one, const Entry& other) const noexcept {
    if (one.deadline != other.deadline) [[likely]]
      return one.deadline < other.deadline;
    return order(one) < order(other);
  }
  void put(std::size_t position, const Entry& entry) noexcept;
  void sift_up(std::size_t position, Entry entry) noexcept;
  void sift_down(std::size_t position, Entry entry) noexcept;
  void push(Number row) noexcept;
  void erase(std::size_t position) noexcept;
  void bring_near(TimePoint now) noexcept;
  [[nodiscard]] std::size_t choose_due(std::uint64_t newest, Choice& choice) const noexcept;

  TimerTable rows_;
  TimerWheel wheel_{rows_};
  std::vector<Entry> heap_;  // has room for all timers, also for those in the wheel
  std::size_t size_ = 0;
  std::uint64_t next_order_ = 0;
};

}  // namespace weft
