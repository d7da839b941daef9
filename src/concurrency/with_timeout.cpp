#include "weft/with_timeout.hpp"

#include <chrono>
#include <string>

namespace weft {
namespace {

Duration checked(Duration duration) {
  if (duration <= Duration::zero()) throw ValueError{"Timeout value must be greater than 0"};
  return duration;
}

}  // namespace

TimedSection::TimedSection(Duration duration) : timer_{checked(duration)} {
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
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(timer_.duration());
  throw TimedOut{"Timeout occurred after " + std::to_string(ms.count()) + " milliseconds"};
}

}  // namespace weft
