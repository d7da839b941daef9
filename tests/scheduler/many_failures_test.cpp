#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/probe.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Probe;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::text;

/// Coroutines whose clean-up fails during a shutdown. Returns what run() throws.
std::exception_ptr fail_together(int count, std::vector<std::string>& warnings) {
  return error_of([&] {
    weft::testing::run(
        [&] {
          for (int i = 0; i < count; ++i) {
            weft::spawn([i] {
              try {
                weft::delay(1h);
              } catch (const weft::Cancelled&) {
                throw std::logic_error{"clean-up " + std::to_string(i)};
              }
            });
          }
          weft::suspend();
          throw std::runtime_error{"stop"};
        },
        collecting(warnings));
  });
}

struct Work {
  std::uint64_t cancelled = Probe::count("cancelled with all others");
  std::uint64_t links = Probe::count("a link of a chain of errors was followed");
};

// R-SHU-9, R-SHU-10: counts work instead of time, because the shutdown has a deadline.
TEST(ManyFailures, CostTheSameEach) {
  std::vector<std::string> warnings;
  const int many = 5'000;
  const Work before;
  const std::exception_ptr error = fail_together(many, warnings);
  const Work after;
  EXPECT_EQ(text(error), "stop");
  EXPECT_LE(after.cancelled - before.cancelled, 5U * many);
  EXPECT_LE(after.links - before.links, 20U * many);
}

// R-SHU-10: the first failures are chained, the others counted.
TEST(ManyFailures, AreChainedAsFarAsTheyMayBeRead) {
  std::vector<std::string> warnings;
  std::exception_ptr error = fail_together(1'000, warnings);
  EXPECT_EQ(text(error), "stop");
  int length = 0;
  for (error = weft::previous(error); error != nullptr; error = weft::previous(error)) {
    EXPECT_THAT(text(error), ::testing::StartsWith("clean-up "));
    ++length;
  }
  EXPECT_GE(length, 16);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], ::testing::HasSubstr(std::to_string(1'000 - length) + " more"));
}

}  // namespace
