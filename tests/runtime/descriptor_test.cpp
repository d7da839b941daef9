#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::is_readable;

// A host that sleeps on the descriptor must not miss work.
TEST(RealTimeDescriptor, IsReadableWhileACoroutineIsReady) {
  weft::Runtime runtime;
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
  auto yielder = runtime.spawn([] { weft::suspend(); });
  EXPECT_TRUE(is_readable(runtime.descriptor(), 0));
  while (runtime.tick(weft::Wait::no)) {
  }
  EXPECT_TRUE(yielder.is_completed());
  EXPECT_FALSE(is_readable(runtime.descriptor(), 0));
}

// The last handle of a failed coroutine was dropped: the next tick throws its error.
TEST(RealTimeDescriptor, IsReadableWhenTheNextTickThrows) {
  weft::Runtime runtime;
  weft::Trigger trigger;
  auto parked = runtime.spawn([&] { weft::await(trigger); });
  {
    auto failed = runtime.spawn([] { throw std::runtime_error{"unread"}; });
    for (int i = 0; i < 3; ++i) runtime.tick();
  }
  EXPECT_TRUE(is_readable(runtime.descriptor(), 0));
  EXPECT_THROW(runtime.tick(), std::runtime_error);
}

TEST(RealTimeDescriptor, IsReadableWhileAnErrorIsPending) {
  weft::Runtime runtime;
  weft::leave_pending(std::make_exception_ptr(std::runtime_error{"pending"}));
  EXPECT_TRUE(is_readable(runtime.descriptor(), 0));
  EXPECT_THROW(runtime.tick(), std::runtime_error);
}

[[noreturn]] void wait_for_the_deadline_of_a_shutdown() {
  weft::Options options = weft_test::quiet();
  options.shutdown_deadline = 5ms;
  weft::Trigger trigger;
  weft::Runtime runtime{options};
  auto stubborn = runtime.spawn([&] {
    for (;;) {
      const std::exception_ptr ignored = weft_test::error_of([&] { weft::await(trigger); });
    }
  });
  const bool without = runtime.next_deadline() == weft::never;
  runtime.tick();
  weft::shutdown();
  runtime.tick();
  const bool with = runtime.next_deadline() != weft::never;
  std::_Exit(without && with && is_readable(runtime.descriptor(), 10'000) ? 0 : 1);
}

// A host that sleeps on the descriptor alone must not miss the deadline of a shutdown.
TEST(RealTimeLinuxDescriptorDeathTest, IsReadableAtTheDeadlineOfAShutdown) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(wait_for_the_deadline_of_a_shutdown(), ::testing::ExitedWithCode(0), "");
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
