#include "weft/extend/origin.hpp"

#include "scheduler/scheduler.hpp"

namespace weft {

Origin::Origin(Place place) noexcept
    : id_{current_thread.scheduler != nullptr ? current_thread.scheduler->next_object_id() : 0},
      place_{place} {}

std::string Origin::describe(const char* kind, const std::string& details, const char* made) const {
  std::string text = std::string{kind} + " #" + std::to_string(id_);
  if (!details.empty()) text += " (" + details + ")";
  if (!place_.empty()) text += std::string{" "} + made + " at " + place().text();
  return text;
}

}  // namespace weft
