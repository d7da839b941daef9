#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "weft/error.hpp"
#include "weft/time.hpp"

// What all time limits share: the range check, and the error when they expire.
namespace weft {

/// `duration`, if it is above 0. Throws ValueError.
inline Duration checked_limit(Duration duration) {
  if (duration <= Duration::zero()) throw ValueError{"Timeout value must be greater than 0"};
  return duration;
}

inline std::string in_milliseconds(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

/// `met`: becomes previous() of the error.
inline TimedOut timed_out_after(Duration duration, std::exception_ptr met = {}) {
  return TimedOut{"Timeout occurred after " + in_milliseconds(duration) + " milliseconds",
                  std::move(met)};
}

}  // namespace weft
