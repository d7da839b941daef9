#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::Log;

// R-SUS-9
TEST(YieldTest, GoesBehindTheQueueButBeforeWhatTheMicrotasksWake) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::spawn([&] {
      weft::await(bell);
      log.push_back("woken by the microtask");
    });
    weft::suspend();
    weft::spawn([&] { log.push_back("queued before"); });
    weft::post_microtask([&] { bell.ring(); });
    weft::suspend();
    log.push_back("main");
  });
  EXPECT_EQ(log, (Log{"queued before", "main", "woken by the microtask"}));
}

// R-SUS-10, R-SWI-2
TEST(YieldTest, ReturnsAtOnceWhenNoOtherIsReady) {
  weft::testing::run([] {
    const weft::Stats before = weft::stats();
    for (int i = 0; i < 10; ++i) weft::suspend();
    EXPECT_EQ(weft::stats().switches, before.switches);
  });
}

// R-SUS-10
TEST(YieldTest, GoesRoundRobin) {
  Log log;
  weft::testing::run([&] {
    for (const char* name : {"a", "b", "c"}) {
      weft::spawn([&log, name] {
        for (int round = 1; round <= 3; ++round) {
          log.push_back(name + std::to_string(round));
          weft::suspend();
        }
      });
    }
  });
  EXPECT_EQ(log, (Log{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}));
}

}  // namespace
