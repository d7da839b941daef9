#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/for_siblings.hpp"
#include "reactor/timer_line.hpp"
#include "reactor/timer_table.hpp"
#include "reactor/timer_wheel.hpp"
#include "weft/detail/alarm.hpp"
#include "weft/time.hpp"

namespace weft {

class Choice;

/// The armed timers of a reactor, earliest first. Those that are due later are in a wheel, and move
/// from there into a line; those that are due soon when they are armed are in a heap with four
/// children per node, which stays small. Equal deadlines keep the order of arming.
class TimerQueue {
 public:
  /// Throws std::bad_alloc, and then nothing changed.
  WEFT_FOR_SIBLINGS void add(detail::Alarm& alarm, TimePoint deadline);
  WEFT_FOR_SIBLINGS void remove(detail::Alarm& alarm) noexcept;
  /// Fires every timer that is due at `now`; true if there were any. Timers armed meanwhile wait
  /// for the next call.
  bool fire_due(TimePoint now, Choice* choice) noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Any armed timer; there must be one.
  [[nodiscard]] detail::Alarm& any() const noexcept {
    const Entry* const near = earliest();
    return *rows_[near == nullptr ? wheel_.any() : near->row].alarm;
  }
  /// The first deadline; `never` if there is none.
  [[nodiscard]] TimePoint next() const noexcept {
    const Entry* const near = earliest();
    return near == nullptr ? wheel_.next() : near->deadline;
  }

 private:
  using Number = TimerTable::Number;
  using Entry = TimerTable::Entry;

  [[nodiscard]] std::uint64_t order(const Entry& entry) const noexcept {
    return rows_.order(entry);
  }
  [[nodiscard]] bool before(const Entry& one, const Entry& other) const noexcept {
    return rows_.before(one, other);
  }
  /// The first timer of the line and the heap, or null.
  [[nodiscard]] const Entry* earliest() const noexcept {
    if (line_.empty()) return heap_.empty() ? nullptr : &heap_.front();
    const Entry& first = line_.front();
    return heap_.empty() || before(first, heap_.front()) ? &first : &heap_.front();
  }
  void put(std::size_t position, const Entry& entry) noexcept;
  void sift_up(std::size_t position, Entry entry) noexcept;
  void sift_down(std::size_t position, Entry entry) noexcept;
  void push(Number row) noexcept;
  void erase(std::size_t position) noexcept;
  void bring_near(TimePoint now, const Choice* choice) noexcept;
  [[nodiscard]] std::size_t choose_due(std::uint64_t newest, Choice& choice) const noexcept;

  TimerTable rows_;
  TimerWheel wheel_{rows_};
  TimerLine line_{rows_};    // has room for all timers, also those in the wheel
  std::vector<Entry> heap_;  // so has this: a Choice takes equals from it
  std::size_t size_ = 0;
  std::uint64_t next_order_ = 0;
};

}  // namespace weft
