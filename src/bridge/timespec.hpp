#pragma once

#include <chrono>
#include <ctime>

#include "weft/time.hpp"

// Times as the calls of libc have them.
namespace weft::bridge {

/// Whether the system takes it.
[[nodiscard]] inline bool is_valid(const timespec& time) noexcept {
  constexpr long billion = 1'000'000'000;
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < billion;
}

/// Of a valid one; what is too long is Duration::max().
[[nodiscard]] inline Duration duration_of(const timespec& time) noexcept {
  const Duration seconds = saturated(std::chrono::seconds{time.tv_sec});
  const std::chrono::nanoseconds more{time.tv_nsec};
  return seconds > Duration::max() - more ? Duration::max() : seconds + more;
}

[[nodiscard]] inline timespec time_of(Duration duration) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {seconds.count(), (duration - seconds).count()};
}

}  // namespace weft::bridge
