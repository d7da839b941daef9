#include "weft/with_timeout.hpp"

#include "wait/time_limit.hpp"

namespace weft::detail {

TimedSection::TimedSection(TimeSpan duration) : timer_{checked_limit(duration)} {
  timer_.add_callback(alarm_);
  try {
    timer_.start();
  } catch (...) {
    timer_.remove_callback(alarm_);
    throw;
  }
}

TimedSection::~TimedSection() {
  timer_.close();
  timer_.remove_callback(alarm_);
}

void TimedSection::pass_on(const Cancelled& cancelled) const {
  if (!section_.caused(cancelled)) throw;
  throw timed_out_after(timer_.duration(), previous(std::current_exception()));
}

}  // namespace weft::detail
