#pragma once

#include <string_view>
#include <vector>

namespace weft_hostile {

/// One thing that can be wrong with the world a program is started in.
struct Surroundings {
  std::string_view name;
  void (*enter)();       // in the process that will run the program
  bool is_mute = false;  // its output is not read
};

/// Root becomes an ordinary user, any other user stays one.
void become_ordinary_user();
/// Changes to a directory without files of the program; new files have no permissions from now on.
void leave_directory();
/// As many descriptors as the system allows: a hundred runtimes need more than the usual limit.
void allow_many_descriptors();

/// All of them.
[[nodiscard]] const std::vector<Surroundings>& all_surroundings();

}  // namespace weft_hostile
