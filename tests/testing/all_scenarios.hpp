#pragma once

#include <vector>

#include "cancelling_scenarios.hpp"
#include "ending_scenarios.hpp"
#include "scheduling_scenarios.hpp"
#include "waiting_scenarios.hpp"

namespace weft_test {

inline std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  for (const Scenario& scenario : waiting_scenarios) all.push_back(scenario);
  for (const Scenario& scenario : scheduling_scenarios) all.push_back(scenario);
  for (const Scenario& scenario : cancelling_scenarios) all.push_back(scenario);
  for (const Scenario& scenario : ending_scenarios) all.push_back(scenario);
  return all;
}

}  // namespace weft_test
