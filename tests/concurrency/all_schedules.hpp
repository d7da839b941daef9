#pragma once

#include <string>

#include <gtest/gtest.h>

#include "testing/scenario.hpp"

namespace weft_test {

/// Runs `scenario` under every schedule, and records their number in the test report.
inline void expect_all_schedules(void (*scenario)(), weft::testing::Cancel cancel = every_point) {
  const auto report =
      weft::testing::explore(scenario, {.schedules = weft::testing::all, .cancel = cancel});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 10U);
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

}  // namespace weft_test
