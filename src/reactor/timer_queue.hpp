#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft {

class Choice;

/// The armed timers of a reactor, earliest first: a heap with four children per node, so that the
/// keys compared together lie in one cache line. Equal deadlines keep the order of arming.
class TimerQueue {
 public:
  /// Throws std::bad_alloc, and then nothing changed.
  void add(Timer& timer, TimePoint deadline);
  void remove(Timer& timer) noexcept;
  /// Fires every timer that is due at `now`; tells whether there were any. Those armed meanwhile
  /// wait for the next call.
  bool fire_due(TimePoint now, Choice* choice) noexcept;

  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }
  /// Deadline of the first; `never` if there is none.
  [[nodiscard]] TimePoint next() const noexcept {
    return heap_.empty() ? never : heap_.front().deadline;
  }

 private:
  struct Entry {
    TimePoint deadline;
    Timer* timer;
    [[nodiscard]] bool before(const Entry& other) const noexcept {
      if (deadline != other.deadline) [[likely]]
        return deadline < other.deadline;
      return timer->order_ < other.timer->order_;
    }
    [[nodiscard]] std::uint64_t order() const noexcept { return timer->order_; }
  };

  void put(std::size_t position, const Entry& entry) noexcept;
  void sift_up(std::size_t position, Entry entry) noexcept;
  void sift_down(std::size_t position, Entry entry) noexcept;
  Timer& choose_due(TimePoint now, std::uint64_t last_order, Choice& choice) noexcept;

  std::vector<Entry> heap_;
  std::uint64_t next_order_ = 0;
};

}  // namespace weft
