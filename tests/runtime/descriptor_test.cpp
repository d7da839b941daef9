#include <algorithm>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::is_readable;

// A host that sleeps on the descriptor must not sleep over work.
TEST(RealTimeDescriptor, IsReadableWhileSomebodyIsReady) {
  weft::Runtime runtime;
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
  auto yielder = runtime.spawn([] { weft::suspend(); });
  EXPECT_TRUE(is_readable(runtime.descriptor(), 0));
  while (runtime.tick(weft::Wait::no)) {
  }
  EXPECT_TRUE(yielder.is_completed());
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
}

/// Sleeps as a host does; returns whether the runtime has something to do.
bool sleep_as_host(weft::Runtime& runtime) {
  const int descriptor = runtime.descriptor();
  int wait_ms = 10'000;
  if (runtime.next_deadline() != weft::never) {
    const auto wait = runtime.next_deadline() - weft::now();
    wait_ms = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
  }
  return is_readable(descriptor, std::max(wait_ms, 0)) || runtime.next_deadline() <= weft::now();
}

TEST(RealTimeDescriptor, AHostThatSleepsUntilTheDeadlineServesATimer) {
  weft::Runtime runtime;
  auto sleeper = runtime.spawn([] { weft::delay(5ms); });
  while (runtime.tick(weft::Wait::no)) ASSERT_TRUE(sleep_as_host(runtime));
  EXPECT_TRUE(sleeper.is_completed());
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
}

TEST(RealTimeLinuxDescriptor, IsReadableWhenATimerIsDue) {
  weft::Runtime runtime;
  auto sleeper = runtime.spawn([] { weft::delay(5ms); });
  runtime.tick(weft::Wait::no);
  ASSERT_FALSE(sleeper.is_completed());
  EXPECT_TRUE(is_readable(runtime.descriptor(), 10'000));
  while (runtime.tick(weft::Wait::no)) {
  }
  EXPECT_TRUE(sleeper.is_completed());
}

TEST(RealTimeDescriptor, IsReadableWhenAnotherThreadFiresATrigger) {
  weft::Runtime runtime;
  weft::Trigger trigger;
  auto waiter = runtime.spawn([&] { weft::await(trigger); });
  runtime.tick(weft::Wait::no);
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
  std::thread other{[&] { trigger.fire(); }};
  EXPECT_TRUE(is_readable(runtime.descriptor(), 10'000));
  other.join();
  while (runtime.tick(weft::Wait::no)) {
  }
  EXPECT_TRUE(waiter.is_completed());
}

}  // namespace
