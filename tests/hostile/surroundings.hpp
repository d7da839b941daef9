#pragma once

#include <string_view>
#include <vector>

namespace weft_hostile {

/// One thing that can be wrong with the world a program is started in.
struct Surroundings {
  std::string_view name;
  void (*enter)();  // in the process that will run the program
};

/// All of them.
[[nodiscard]] const std::vector<Surroundings>& all_surroundings();

}  // namespace weft_hostile
