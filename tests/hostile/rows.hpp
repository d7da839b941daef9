#pragma once

#include <string>
#include <vector>

#include "intruder.hpp"

namespace weft_hostile {

/// One thing that is against a program: an attack at one of its suspensions, an allocation that
/// fails, surroundings that it is started in, or other runtimes beside it.
struct Row {
  std::string name;
  Attack attack = Attack::none;
  void (*enter)() = nullptr;  // in the process that will run the program
  bool allocations = false;   // the points are allocations
  bool is_mute = false;       // its output is not read
  unsigned threads = 1;       // that run the program at the same time

  [[nodiscard]] bool has_points() const noexcept { return attack != Attack::none || allocations; }
};

/// All of them.
[[nodiscard]] std::vector<Row> all_rows();

}  // namespace weft_hostile
