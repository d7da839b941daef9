#pragma once

#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

namespace bench {

/// The same random delays of 1 to 1000 ms for weft and its peer.
inline std::vector<std::chrono::milliseconds> random_delays(std::size_t count) {
  std::mt19937 generator{1};
  std::uniform_int_distribution<int> milliseconds{1, 1000};
  std::vector<std::chrono::milliseconds> delays;
  delays.reserve(count);
  for (std::size_t i = 0; i < count; ++i) delays.emplace_back(milliseconds(generator));
  return delays;
}

}  // namespace bench
