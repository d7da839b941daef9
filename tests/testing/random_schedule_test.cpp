#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

/// The orders in which three coroutines ran, one text per schedule.
std::vector<std::string> orders_of(const weft::testing::Schedules& schedules) {
  std::vector<std::string> orders;
  const weft::testing::Report report = weft::testing::explore(
      [&] {
        std::string order;
        std::vector<weft::Coroutine<void>> all;
        for (const char name : {'a', 'b', 'c'}) {
          all.push_back(weft::spawn([&order, name] { order += name; }));
        }
        for (const auto& one : all) weft::await(one);
        orders.push_back(order);
      },
      {.schedules = schedules, .in_child = false});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_EQ(report.schedules(), orders.size());
  return orders;
}

// R-OBS-4
TEST(RandomSchedule, PicksAnyReadyCoroutine) {
  const std::vector<std::string> orders = orders_of(weft::testing::random(200, 7));
  EXPECT_EQ(orders.size(), 200U);
  const std::set<std::string> different{orders.begin(), orders.end()};
  EXPECT_EQ(different, (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

// R-OBS-4
TEST(RandomSchedule, IsRepeatedByItsSeed) {
  const std::vector<std::string> first = orders_of(weft::testing::random(50, 7));
  EXPECT_EQ(orders_of(weft::testing::random(50, 7)), first);
  EXPECT_NE(orders_of(weft::testing::random(50, 8)), first);
}

// R-OBS-4: without a random schedule the head of the queue runs.
TEST(RandomSchedule, IsNotWhatHappensOtherwise) {
  EXPECT_EQ(orders_of(weft::testing::fifo), (std::vector<std::string>{"abc"}));
}

/// Assumes that the coroutine that is spawned first ends first.
void assume_an_order() {
  std::string order;
  auto first = weft::spawn([&] { order += "1"; });
  auto second = weft::spawn([&] { order += "2"; });
  weft::await(first);
  weft::await(second);
  if (order != "12") throw std::runtime_error{"the order was " + order};
}

// R-OBS-4
TEST(RandomSchedule, ShakesOutAnOrderingAssumptionAndReplaysIt) {
  const weft::testing::Report report =
      weft::testing::explore(assume_an_order, {.schedules = weft::testing::random(100, 3)});
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.first_failure().find("the order was 21"), std::string::npos)
      << report.first_failure();
  ASSERT_FALSE(report.replay_line().empty());
  EXPECT_NE(report.first_failure().find(report.replay_line()), std::string::npos);
  const weft::testing::Report again = weft::testing::explore(
      assume_an_order, {.schedules = weft::testing::replay(report.replay_line())});
  EXPECT_FALSE(again.ok());
  EXPECT_EQ(again.schedules(), 1U);
  EXPECT_NE(again.first_failure().find("the order was 21"), std::string::npos);
  EXPECT_TRUE(weft::testing::explore(assume_an_order, {.schedules = weft::testing::fifo}).ok());
}

}  // namespace
