#include "server/limited_warnings.hpp"

#include <utility>

#include "base/warning.hpp"

namespace weft {

LimitedWarnings::LimitedWarnings(const char* source) : source_{source} {
  timer_.set_hidden(true);  // it wakes no coroutine
  timer_.add_callback(period_ends_);
}

LimitedWarnings::~LimitedWarnings() {
  timer_.remove_callback(period_ends_);
  timer_.close();
  warn_of_left_out();
}

void LimitedWarnings::write(std::string_view text) noexcept {
  if (written_ < at_once) {
    // Without a timer no period would end: then all are written.
    if (written_ > 0 || timer_.rearm(period)) ++written_;
    try {
      return warn(source_ + std::string{text});
    } catch (...) {  // no memory for the text
      return warn(text);
    }
  }
  ++left_out_;
  try {
    last_ = text;
  } catch (...) {  // no memory: the previous text is shown instead
  }
}

void LimitedWarnings::end_period() noexcept {
  const bool was_busy = left_out_ > 0;
  warn_of_left_out();
  // A flood that goes on gets one line in each period, not five.
  written_ = was_busy && timer_.rearm(period) ? at_once : 0;
}

void LimitedWarnings::warn_of_left_out() noexcept {
  const std::size_t count = std::exchange(left_out_, 0);
  if (count == 0) return;
  try {
    warn(source_ + std::to_string(count) + " more warnings were left out; the last: " + last_);
  } catch (...) {
    warn("warnings were left out");
  }
}

}  // namespace weft
