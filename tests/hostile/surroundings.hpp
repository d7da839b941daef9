#pragma once

#include <string_view>
#include <vector>

namespace weft_hostile {

/// An unusual state of the process in which a program starts.
struct Surroundings {
  std::string_view name;
  void (*enter)();       // in the process that will run the program
  bool is_mute = false;  // its output is not read
};

/// Root becomes an ordinary user, any other user stays one.
void become_ordinary_user();
/// Changes to another directory, and makes new files have no permissions.
void leave_directory();
/// Raises the limit of descriptors as far as allowed: a hundred runtimes need more than the
/// default.
void allow_many_descriptors();

/// All surroundings.
[[nodiscard]] const std::vector<Surroundings>& all_surroundings();

}  // namespace weft_hostile
