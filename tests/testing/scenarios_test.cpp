#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "all_scenarios.hpp"

// Every schedule of many small programs. A failure prints the line that replays it.
namespace {

using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;
using weft_test::all_scenarios;
using weft_test::Scenario;

class Scenarios : public ::testing::TestWithParam<Scenario> {};

// trap 1, trap 15, R-CAN-6, R-OBS-4
TEST_P(Scenarios, HoldInEveryOrder) {
  const Report report = explore(GetParam().body, {.fail_on_warning = true});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 1U);
}

TEST_P(Scenarios, HoldWhicheverIsCancelledWherever) {
  const Report report =
      explore(GetParam().body, {.cancel = GetParam().cancel, .fail_on_warning = true});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 1U);
}

TEST_P(Scenarios, HoldBesideAnotherHolder) {
  const Report report = explore(
      [] {
        weft::spawn([] {});
        GetParam().body();
      },
      {.cancel = GetParam().cancel});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Core, Scenarios, ::testing::ValuesIn(all_scenarios()),
                         [](const auto& scenario) { return std::string{scenario.param.name}; });

/// The sum over all scenarios, for the report of a long run.
class Sum {
 public:
  explicit Sum(const char* what) : what_{what} {}
  ~Sum() { std::cout << what_ << ": " << schedules_ << " schedules\n"; }
  Sum(const Sum&) = delete;
  Sum& operator=(const Sum&) = delete;
  void add(const std::string& name, const Report& report) {
    EXPECT_TRUE(report.ok()) << name << ": " << report.first_failure();
    schedules_ += report.schedules();
  }

 private:
  const char* what_;
  std::uint64_t schedules_ = 0;
};

TEST(StressScenarios, HoldInManyRandomOrders) {
  Sum sum{"random orders"};
  for (const Scenario& scenario : all_scenarios()) {
    const ExploreOptions options{.schedules = weft::testing::random(5'000, 1),
                                 .cancel = scenario.cancel};
    sum.add(scenario.name, explore(scenario.body, options));
  }
}

TEST(StressScenarios, HoldInEveryOrderBesideACoroutineThatYields) {
  Sum sum{"all orders"};
  for (const Scenario& scenario : all_scenarios()) {
    const auto body = [&] {
      weft::spawn([] { weft::suspend(); });
      scenario.body();
    };
    sum.add(scenario.name, explore(body, {.cancel = scenario.cancel}));
  }
}

TEST(StressScenarios, HoldInPairs) {
  Sum sum{"pairs"};
  const std::vector<Scenario> scenarios = all_scenarios();
  std::uint64_t seed = 0;
  for (auto first = scenarios.begin(); first != scenarios.end(); ++first) {
    for (auto second = first; second != scenarios.end(); ++second) {
      if (first->alone || second->alone) continue;
      const auto body = [&] {
        weft::spawn(first->body);
        weft::spawn(second->body);
      };
      const ExploreOptions options{.schedules = weft::testing::random(400, ++seed),
                                   .cancel = every_point};
      sum.add(std::string{first->name} + " and " + second->name, explore(body, options));
    }
  }
}

}  // namespace
