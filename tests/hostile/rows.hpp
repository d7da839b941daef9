#pragma once

#include <string>
#include <vector>

#include "intruder.hpp"

namespace weft_hostile {

/// One row of runs: attacks at suspensions, allocations that fail, surroundings, or several
/// runtimes at the same time.
struct Row {
  std::string name;
  Attack attack = Attack::none;
  void (*enter)() = nullptr;  // in the process that will run the program
  bool allocations = false;   // the points are allocations
  bool is_mute = false;       // its output is not read
  unsigned threads = 1;       // how many threads run the program at the same time

  [[nodiscard]] bool has_points() const noexcept { return attack != Attack::none || allocations; }
};

/// All rows.
[[nodiscard]] std::vector<Row> all_rows();

}  // namespace weft_hostile
