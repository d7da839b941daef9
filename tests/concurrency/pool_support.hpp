#pragma once

#include <set>
#include <vector>

#include "base/assert.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace weft_test {

/// Makes numbered resources and knows which are alive.
struct Factory {
  int made = 0;
  std::set<int> alive;
  std::vector<int> destroyed;

  int make() {
    alive.insert(++made);
    return made;
  }
  void destroy(int number) {
    WEFT_ASSERT(alive.erase(number) == 1, "a resource is destroyed once");
    destroyed.push_back(number);
  }
  weft::PoolOptions<int> options(int min, int max) {
    return {.min = min,
            .max = max,
            .create = [this] { return make(); },
            .destroy = [this](int& number) { destroy(number); }};
  }
};

}  // namespace weft_test
