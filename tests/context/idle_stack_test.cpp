#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "support.hpp"

// Stacks in the pool are poisoned for the address sanitizer.

namespace {

/// Refers to a local variable of a coroutine, also after the end of its frame.
struct Frame {
  volatile int* local = nullptr;
};

void leave_a_dead_frame(Frame& frame) {
  weft::await(weft::spawn([&] {
    volatile int local = 1;
    frame.local = &local;
    weft::suspend();
    EXPECT_EQ(local, 1);
  }));
}

// R-CPO-1: a late write, as by a worker, into the frame of a coroutine that has ended.
TEST(IdleStackDeathTest, ReportsALateWriteIntoADeadFrame) {
  if (!WEFT_ASAN) GTEST_SKIP() << "only the address sanitizer sees it";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(weft::testing::run([] {
                 Frame frame;
                 leave_a_dead_frame(frame);
                 *frame.local = 2;
               }),
               "use-after-poison");
}

// R-CPO-1: the switch from the ended coroutine was to the scheduler coroutine.
TEST(IdleStackDeathTest, ReportsALateReadWhenNoOtherWasReady) {
  if (!WEFT_ASAN) GTEST_SKIP() << "only the address sanitizer sees it";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(weft::testing::run([] {
                 Frame frame;
                 weft::spawn([&] {
                   volatile int local = 1;
                   frame.local = &local;
                   weft::delay(std::chrono::milliseconds{1});
                 });
                 weft::delay(std::chrono::milliseconds{2});
                 EXPECT_EQ(*frame.local, 1);
               }),
               "use-after-poison");
}

// R-CPO-3: the next user of the stack can use all of it.
TEST(IdleStack, IsUsableAgainWhenItIsTaken) {
  weft::testing::run([] {
    Frame frame;
    for (int round = 0; round < 3; ++round) {
      leave_a_dead_frame(frame);
      weft::await(weft::spawn([] {
        volatile char room[64 * 1024];
        for (volatile char& byte : room) byte = 1;
        weft::suspend();
        EXPECT_EQ(room[0], 1);
      }));
    }
    EXPECT_EQ(weft::stats().contexts_created, 1U);
  });
}

// R-CPO-4: a stack is usable after its memory was given back, and after an exception has unwound
// it.
TEST(IdleStack, IsUsableAgainAfterItsMemoryWasGivenBack) {
  weft::testing::run([] {
    const auto burst = [] {
      std::vector<weft::Coroutine<void>> all;
      for (int i = 0; i < 200; ++i) {
        all.push_back(weft::spawn([] {
          volatile char room[16 * 1024];
          for (volatile char& byte : room) byte = 1;
          weft::delay(std::chrono::seconds{1});
          throw room[0];
        }));
      }
      for (const auto& one : all) EXPECT_THROW(weft::await(one), char);
    };
    burst();
    for (int i = 0; i < 2'000; ++i) weft::delay(std::chrono::seconds{1});
    ASSERT_LT(weft::stats().contexts_pooled, 100U);
    burst();
  });
}

}  // namespace
