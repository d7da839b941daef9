#include "reactor/timer_queue.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/current.hpp"
#include "scheduler/choice.hpp"

namespace weft {
namespace {
constexpr std::size_t children = 4;
}

void TimerQueue::put(std::size_t position, const Entry& entry) noexcept {
  heap_[position] = entry;
  entry.timer->position_ = static_cast<std::uint32_t>(position);
}

void TimerQueue::sift_up(std::size_t position, Entry entry) noexcept {
  while (position > 0) {
    const std::size_t parent = (position - 1) / children;
    if (!entry.before(heap_[parent])) break;
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
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(entry)) break;
    put(position, heap_[least]);
    position = least;
  }
  put(position, entry);
}

void TimerQueue::add(Timer& timer, TimePoint deadline) {
  WEFT_ASSERT(timer.position_ == Timer::nowhere, "a timer was armed twice");
  heap_.push_back({});
  timer.deadline_ = deadline;
  timer.order_ = next_order_++;
  sift_up(heap_.size() - 1, Entry{deadline, &timer});
}

void TimerQueue::remove(Timer& timer) noexcept {
  const std::size_t position = timer.position_;
  if (position == Timer::nowhere) return;
  timer.position_ = Timer::nowhere;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size()) return;
  if (position > 0 && last.before(heap_[(position - 1) / children])) {
    sift_up(position, last);
  } else {
    sift_down(position, last);
  }
}

bool TimerQueue::fire_due(TimePoint now, Choice* choice) noexcept {
  const std::uint64_t newest = next_order_;
  bool fired = false;
  while (!heap_.empty() && heap_.front().deadline <= now) {
    Timer* due = heap_.front().timer;
    if (heap_.front().order() >= newest) break;  // armed by one of those that fired just now
    if (choice != nullptr) due = &choose_due(now, newest, *choice);
    remove(*due);
    due->fire(now);
    fired = true;
    if (current_thread.pending != nullptr && *current_thread.pending != nullptr) break;
  }
  return fired;
}

/// Timers of one moment have no natural order: a test may try all.
Timer& TimerQueue::choose_due(TimePoint now, std::uint64_t newest, Choice& choice) noexcept {
  const TimePoint moment = heap_.front().deadline;
  std::size_t due = 0;
  for (const Entry& entry : heap_) {
    if (entry.deadline == moment && entry.deadline <= now && entry.order() < newest) ++due;
  }
  std::size_t chosen = due > 1 ? choice.next_due(due) : 0;
  // The chosen-th in the order of arming, so that a recorded choice means the same on every run.
  std::uint64_t floor = 0;
  for (;;) {
    const Entry* least = nullptr;
    for (const Entry& entry : heap_) {
      if (entry.deadline != moment || entry.order() < floor || entry.order() >= newest) continue;
      if (least == nullptr || entry.order() < least->order()) least = &entry;
    }
    if (chosen-- == 0) return *least->timer;
    floor = least->order() + 1;
  }
}

}  // namespace weft
