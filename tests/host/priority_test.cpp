#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace {

using ::testing::ElementsAre;

// R-PRI-4
TEST(SetPriority, MovesAQueuedCoroutineToTheHead) {
  weft::testing::run([] {
    std::vector<std::string> log;
    const auto first = weft::spawn([&] { log.emplace_back("first"); });
    const auto second = weft::spawn([&] { log.emplace_back("second"); });
    const auto third = weft::spawn([&] { log.emplace_back("third"); });
    third.base().set_priority(weft::Priority::high);
    weft::suspend();
    EXPECT_THAT(log, ElementsAre("third", "first", "second"));
  });
}

TEST(SetPriority, LeavesACoroutineThatIsNotQueuedWhereItIs) {
  weft::testing::run([] {
    const auto parked = weft::spawn([] { weft::delay(std::chrono::milliseconds{1}); });
    weft::suspend();
    parked.base().set_priority(weft::Priority::high);
    EXPECT_EQ(parked.base().priority(), weft::Priority::high);
    weft::await(parked);
    parked.base().set_priority(weft::Priority::high);
  });
}

}  // namespace
