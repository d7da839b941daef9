#include "reactor/timer_queue.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/current.hpp"
#include "base/pending_errors.hpp"
#include "weft/extend/choice.hpp"

namespace weft {
namespace {
constexpr std::size_t children = 4;
}

void TimerQueue::put(std::size_t position, const Entry& entry) noexcept {
  heap_[position] = entry;
  rows_[entry.row].previous = static_cast<Number>(position);
}

void TimerQueue::sift_up(std::size_t position, Entry entry) noexcept {
  while (position > 0) {
    const std::size_t parent = (position - 1) / children;
    if (!before(entry, heap_[parent])) break;
    put(position, heap_[parent]);
    position = parent;
  }
  put(position, entry);
}

void TimerQueue::sift_down(std::size_t position, Entry entry) noexcept {
  for (;;) {
    const std::size_t first = position * children + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + children, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (before(heap_[child], heap_[least])) least = child;
    }
    if (!before(heap_[least], entry)) break;
    put(position, heap_[least]);
    position = least;
  }
  put(position, entry);
}

void TimerQueue::push(Number row) noexcept {
  const Entry entry{rows_[row].deadline, row};
  heap_.push_back(entry);
  sift_up(heap_.size() - 1, entry);
}

void TimerQueue::erase(std::size_t position) noexcept {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size()) return;
  if (position > 0 && before(last, heap_[(position - 1) / children])) {
    sift_up(position, last);
  } else {
    sift_down(position, last);
  }
}

void TimerQueue::add(detail::Alarm& alarm, TimePoint deadline) {
  WEFT_ASSERT(alarm.row_ == detail::Alarm::nowhere, "a timer was armed twice");
  if (heap_.capacity() == size_) {
    const std::size_t room = std::max<std::size_t>(16, 2 * size_);
    line_.reserve(room);
    heap_.reserve(room);
  }
  alarm.row_ = rows_.take(alarm, deadline);
  alarm.deadline_ = deadline;
  alarm.order_ = next_order_++;
  ++size_;
  if (wheel_.is_far(deadline)) {
    wheel_.add(alarm.row_);
  } else {
    push(alarm.row_);
  }
}

void TimerQueue::remove(detail::Alarm& alarm) noexcept {
  const Number row = alarm.row_;
  if (row == detail::Alarm::nowhere) return;
  if (wheel_.is_far(rows_[row].deadline)) {
    wheel_.remove(row);
  } else if (line_.contains(row)) {
    line_.remove(row);
  } else {
    erase(rows_[row].previous);
  }
  rows_.give_back(row);
  alarm.row_ = detail::Alarm::nowhere;
  --size_;
}

void TimerQueue::bring_near(TimePoint now, const Choice* choice) noexcept {
  for (Number row = wheel_.advance(now); row != TimerTable::none; row = wheel_.advance(now)) {
    if (choice == nullptr) {
      line_.append(row);
      continue;
    }
    while (row != TimerTable::none) {
      const Number next = rows_[row].next;
      rows_[row].next = TimerTable::none;
      push(row);
      row = next;
    }
  }
}

bool TimerQueue::fire_due(TimePoint now, Choice* choice) noexcept {
  bring_near(now, choice);
  const std::uint64_t newest = next_order_;
  bool fired = false;
  for (const Entry* first = earliest(); first != nullptr && first->deadline <= now;
       first = earliest()) {
    if (order(*first) >= newest) break;  // armed by a timer that fired in this call
    if (choice != nullptr) first = &heap_[choose_due(newest, *choice)];
    detail::Alarm& due = *rows_[first->row].alarm;
    remove(due);
    due.due(now);
    fired = true;
    if (current_thread.pending != nullptr && !(*current_thread.pending == nullptr)) break;
  }
  return fired;
}

/// Equal deadlines have no natural order: a test may try all. Returns a position in the heap.
std::size_t TimerQueue::choose_due(std::uint64_t newest, Choice& choice) const noexcept {
  const TimePoint moment = heap_.front().deadline;
  const auto is_due = [&](const Entry& entry) {
    return entry.deadline == moment && order(entry) < newest;
  };
  const auto due = static_cast<std::size_t>(std::count_if(heap_.begin(), heap_.end(), is_due));
  std::size_t chosen = due > 1 ? choice.next_due(due) : 0;
  // The chosen-th in the order of arming, so that a recorded choice means the same on every run.
  std::uint64_t floor = 0;
  for (;;) {
    const Entry* least = nullptr;
    for (const Entry& entry : heap_) {
      if (!is_due(entry) || order(entry) < floor) continue;
      if (least == nullptr || order(entry) < order(*least)) least = &entry;
    }
    if (chosen-- == 0) return static_cast<std::size_t>(least - heap_.data());
    floor = order(*least) + 1;
  }
}

}  // namespace weft
