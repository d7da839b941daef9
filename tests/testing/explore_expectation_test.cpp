#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/assert.hpp"
#include "base/probe.hpp"
#include "support.hpp"

// What an explored run reports without throwing.
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using weft::testing::explore;
using weft::testing::Report;

/// The order in which two coroutines ran.
std::string order_of_two() {
  std::string order;
  auto first = weft::spawn([&] { order += '1'; });
  auto second = weft::spawn([&] { order += '2'; });
  weft::await(first);
  weft::await(second);
  return order;
}

TEST(ExploreExpectation, FailsTheRunThatBreaksIt) {
  ::testing::internal::CaptureStdout();
  const Report report = explore([] { EXPECT_EQ(order_of_two(), "12"); }, {.keep_going = true});
  ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(report.failures(), 1U);
  EXPECT_EQ(report.schedules(), 3U);
  EXPECT_THAT(report.first_failure(), StartsWith("expectation: "));
  EXPECT_THAT(report.first_failure(), HasSubstr("explore_expectation_test.cpp:"));
  EXPECT_THAT(report.first_failure(), HasSubstr("\"21\""));
  EXPECT_THAT(report.first_failure(), HasSubstr("replay(\"1\")"));
}

TEST(ExploreExpectation, CanBeReportedByHandToo) {
  const Report report = explore([] {
    if (order_of_two() != "12") weft::testing::fail("not in order");
  });
  EXPECT_THAT(report.first_failure(), StartsWith("not in order\n"));
  EXPECT_EQ(report.replay_line(), "1");
}

TEST(ExploreExpectation, HasNoExplorerToReportToOutsideAnExploration) {
  EXPECT_FALSE(weft::testing::fail("no exploration"));
  EXPECT_TRUE(explore([] {}, {.in_child = false}).ok());
  EXPECT_FALSE(weft::testing::fail("no exploration any more"));
}

TEST(ExploreExpectation, ComesBeforeWhatItLedTo) {
  const Report thrown = explore([] {
    weft::testing::fail("first");
    weft::testing::fail("second");
    throw std::runtime_error{"third"};
  });
  EXPECT_THAT(thrown.first_failure(), StartsWith("first\n  then error: third\n"));
  ::testing::internal::CaptureStderr();
  const Report died = explore([] {
    weft::testing::fail("first");
    WEFT_ASSERT(false, "then this");
  });
  ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(died.first_failure(), StartsWith("first\n  then the process died"));
}

// Of the two runs, one reaches the probe.
TEST(ExploreProbe, CountsWhatHappenedInTheChild) {
  const auto body = [] {
    if (order_of_two() == "21") WEFT_PROBE("second came first");
  };
  const std::uint64_t before = weft::testing::probe_count("second came first");
  EXPECT_TRUE(explore(body).ok());
  EXPECT_EQ(weft::testing::probe_count("second came first"), before + 1);
  EXPECT_TRUE(explore(body).ok());
  EXPECT_EQ(weft::testing::probe_count("second came first"), before + 2);
}

TEST(ExploreComplete, SaysWhetherAnythingWasLeftOut) {
  const auto body = [] { order_of_two(); };
  const auto failing = [] {
    weft::testing::fail("always");
    order_of_two();
  };
  EXPECT_TRUE(explore(body).complete());
  EXPECT_TRUE(explore(failing, {.keep_going = true}).complete());
  EXPECT_FALSE(explore(failing).complete());
  EXPECT_FALSE(explore(body, {.max_runs = 1}).complete());
}

}  // namespace
