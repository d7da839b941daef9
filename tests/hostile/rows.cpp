#include "rows.hpp"

#include "surroundings.hpp"

namespace weft_hostile {

std::vector<Row> all_rows() {
  std::vector<Row> rows{
      {.name = "shutdown", .attack = Attack::shutdown},
      {.name = "deadlock", .attack = Attack::deadlock},
      {.name = "cancel-main", .attack = Attack::cancel},
      {.name = "error", .attack = Attack::error},
      {.name = "fork", .attack = Attack::fork},
      // As an ordinary user: root may open files without permissions.
      {.name = "leave-directory", .attack = Attack::leave_directory, .enter = become_ordinary_user},
      {.name = "no-memory", .allocations = true},
      {.name = "two-threads", .threads = 2},
      {.name = "hundred-threads", .enter = allow_many_descriptors, .threads = 100}};
  for (const Surroundings& surroundings : all_surroundings()) {
    rows.push_back({.name = std::string{surroundings.name},
                    .enter = surroundings.enter,
                    .is_mute = surroundings.is_mute});
  }
  return rows;
}

}  // namespace weft_hostile
