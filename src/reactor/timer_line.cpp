#include "reactor/timer_line.hpp"

#include <algorithm>

namespace weft {

void TimerLine::append(Number list) noexcept {
  if (gaps_ > 0) drop_gaps();
  const std::size_t begin = line_.size();
  for (Number number = list; number != TimerTable::none; number = rows_[number].next) {
    line_.push_back({rows_[number].deadline, number});
  }
  std::sort(line_.begin() + static_cast<std::ptrdiff_t>(begin), line_.end(),
            [this](const Entry& one, const Entry& other) { return rows_.before(one, other); });
  for (std::size_t i = begin; i < line_.size(); ++i) {
    TimerTable::Row& row = rows_[line_[i].row];
    row.next = TimerTable::in_line;
    row.previous = static_cast<Number>(i);
  }
}

void TimerLine::remove(Number number) noexcept {
  line_[rows_[number].previous].row = TimerTable::none;
  ++gaps_;
  while (first_ < line_.size() && line_[first_].row == TimerTable::none) ++first_;
  if (!empty()) return;
  line_.clear();
  first_ = gaps_ = 0;
}

void TimerLine::drop_gaps() noexcept {
  std::erase_if(line_, [](const Entry& entry) { return entry.row == TimerTable::none; });
  for (std::size_t i = 0; i < line_.size(); ++i) {
    rows_[line_[i].row].previous = static_cast<Number>(i);
  }
  first_ = gaps_ = 0;
}

}  // namespace weft
