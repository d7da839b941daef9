#include "base/probe.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using weft::Probe;

auto times_listed(const Probe& probe) {
  const auto all = Probe::counts();
  return std::count_if(all.begin(), all.end(),
                       [&](const Probe::Count& count) { return count.probe == &probe; });
}

// The list has no end if a probe is in it twice.
TEST(ProbeTest, IsListedOnceFromItsFirstHitOn) {
  static constinit Probe probe{"of this test"};
  probe.hit(0);
  ASSERT_EQ(times_listed(probe), 0);
  probe.hit(0);
  probe.hit(2);
  probe.hit();
  EXPECT_EQ(times_listed(probe), 1);
  EXPECT_EQ(Probe::count("of this test"), 3U);
}

}  // namespace
