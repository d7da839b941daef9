#include "scheduler/id_range.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace weft {
namespace {

struct Ranges {
  std::mutex mutex;
  std::vector<bool> taken;
};

/// Never freed: threads may still end their runtimes while the process exits.
Ranges& ranges() {
  static Ranges* const all = new Ranges;
  return *all;
}

}  // namespace

IdRange::IdRange() {
  Ranges& all = ranges();
  const std::lock_guard lock{all.mutex};
  const auto free = std::find(all.taken.begin(), all.taken.end(), false);
  number_ = static_cast<std::size_t>(free - all.taken.begin());
  if (free == all.taken.end()) {
    all.taken.push_back(true);
  } else {
    *free = true;
  }
}

IdRange::~IdRange() {
  Ranges& all = ranges();
  const std::lock_guard lock{all.mutex};
  all.taken[number_] = false;
}

}  // namespace weft
