#include "scheduler/id_range.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace weft {
namespace {

constinit std::mutex ranges_mutex;

/// Never freed: threads may still end their runtimes while the process exits.
std::vector<bool>& taken_ranges() {
  static auto* const taken = new std::vector<bool>;
  return *taken;
}

}  // namespace

IdRange::IdRange() {
  const std::lock_guard lock{ranges_mutex};
  std::vector<bool>& taken = taken_ranges();
  const auto free = std::find(taken.begin(), taken.end(), false);
  number_ = static_cast<std::size_t>(free - taken.begin());
  if (free == taken.end()) {
    taken.push_back(true);
  } else {
    *free = true;
  }
}

IdRange::~IdRange() {
  const std::lock_guard lock{ranges_mutex};
  taken_ranges()[number_] = false;
}

void IdRange::before_fork() noexcept { ranges_mutex.lock(); }

void IdRange::after_fork() noexcept { ranges_mutex.unlock(); }

}  // namespace weft
