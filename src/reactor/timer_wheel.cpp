#include "reactor/timer_wheel.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace weft {

TimerWheel::Slot TimerWheel::slot_of(Tick tick) const noexcept {
  const auto highest = static_cast<unsigned>(std::bit_width(tick ^ present_) - 1);
  const std::size_t level = highest / level_bits;
  return level * slots_per_level + (tick >> (level * level_bits)) % slots_per_level;
}

TimerWheel::Tick TimerWheel::begin_of(Slot slot) const noexcept {
  const std::size_t shift = slot / slots_per_level * level_bits;
  const Tick here = present_ >> shift;
  return (here - here % slots_per_level + slot % slots_per_level) << shift;
}

std::optional<TimerWheel::Slot> TimerWheel::first() const noexcept {
  // A used slot of a lower level begins before those of the levels above.
  for (std::size_t word = 0; word < used_.size(); ++word) {
    if (used_[word] == 0) continue;
    return word * bits_per_word + static_cast<std::size_t>(std::countr_zero(used_[word]));
  }
  return {};
}

void TimerWheel::add(Number number) noexcept {
  TimerTable::Row& row = rows_[number];
  const Slot slot = slot_of(tick_of(row.deadline));
  Number& first = slots_[slot];
  row.next = first;
  row.previous = TimerTable::none;
  if (first != TimerTable::none) rows_[first].previous = number;
  first = number;
  mark_used(slot);
  if (next_) next_ = std::min(*next_, row.deadline);
}

void TimerWheel::remove(Number number) noexcept {
  const TimerTable::Row& row = rows_[number];
  if (row.next != TimerTable::none) rows_[row.next].previous = row.previous;
  if (row.previous != TimerTable::none) {
    rows_[row.previous].next = row.next;
  } else {
    const Slot slot = slot_of(tick_of(row.deadline));
    slots_[slot] = row.next;
    if (row.next == TimerTable::none) mark_empty(slot);
  }
  if (next_ == row.deadline) next_.reset();
}

TimePoint TimerWheel::next() const noexcept {
  if (!next_) {
    next_ = never;
    if (const auto slot = first()) {
      for (Number number = slots_[*slot]; number != TimerTable::none; number = rows_[number].next) {
        next_ = std::min(*next_, rows_[number].deadline);
      }
    }
  }
  return *next_;
}

TimerWheel::Number TimerWheel::take_all(Slot slot) noexcept {
  mark_empty(slot);
  next_.reset();
  return std::exchange(slots_[slot], TimerTable::none);
}

TimerWheel::Number TimerWheel::advance(TimePoint moment) noexcept {
  const Tick goal = tick_of(moment);
  Number near = TimerTable::none;
  Number* last = &near;
  while (present_ < goal && near == TimerTable::none) {
    const auto slot = first();
    const Tick begin = slot ? begin_of(*slot) : goal;
    if (!slot || begin > goal) {
      present_ = goal;
      break;
    }
    Number number = take_all(*slot);
    present_ = begin;
    while (number != TimerTable::none) {
      TimerTable::Row& row = rows_[number];
      const Number following = row.next;
      if (tick_of(row.deadline) > present_) {
        add(number);
      } else {
        __builtin_prefetch(row.alarm);  // it fires soon
        row.next = TimerTable::none;
        *last = number;
        last = &row.next;
      }
      number = following;
    }
  }
  return near;
}

}  // namespace weft
