#include "base/ring_buffer.hpp"

#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace {

using weft::RingBuffer;

// R-Q-3
TEST(RingBuffer, KeepsOrderWhenItWrapsAroundAndGrowsWhileWrapped) {
  RingBuffer<int> ring{4};
  ring.reserve(4);
  for (int i = 0; i < 4; ++i) ring.push_back(i);
  EXPECT_EQ(ring.pop_front(), 0);
  EXPECT_EQ(ring.pop_front(), 1);
  ring.push_back(4);  // wrapped now
  ring.push_front(1);
  EXPECT_EQ(ring.size(), 4U);
  ring.reserve(5);
  EXPECT_EQ(ring.capacity(), 8U);
  ring.push_back(5);
  for (int expected = 1; expected <= 5; ++expected) EXPECT_EQ(ring.pop_front(), expected);
  EXPECT_TRUE(ring.empty());
}

// R-Q-3
TEST(RingBuffer, HasACapacityThatIsAPowerOfTwo) {
  RingBuffer<int> ring{128};
  EXPECT_EQ(ring.capacity(), 0U);
  ring.reserve(1);
  EXPECT_EQ(ring.capacity(), 128U);
  ring.reserve(129);
  EXPECT_EQ(ring.capacity(), 256U);
}

// R-Q-4
TEST(RingBuffer, ShrinksOnlyWhenFarLessIsNeededAndNeverBelowItsMinimum) {
  RingBuffer<int> ring{4};
  ring.reserve(64);
  ring.push_back(7);
  ring.shrink(30);  // 30 * 2.5 is above 64
  EXPECT_EQ(ring.capacity(), 64U);
  ring.shrink(16);
  EXPECT_EQ(ring.capacity(), 16U);
  ring.shrink(1);
  EXPECT_EQ(ring.capacity(), 4U);
  ring.shrink(0);
  EXPECT_EQ(ring.capacity(), 4U);
  EXPECT_EQ(ring.pop_front(), 7);
}

// R-Q-2, R-Q-3
TEST(RingBuffer, BehavesLikeADequeUnderRandomUse) {
  RingBuffer<int> ring{4};
  std::deque<int> model;
  std::mt19937 random{7};
  for (int i = 0; i < 20'000; ++i) {
    ring.reserve(model.size() + 1);
    switch (random() % 5) {
      case 0:
      case 1:
        ring.push_back(i);
        model.push_back(i);
        break;
      case 2:
        ring.push_front(i);
        model.push_front(i);
        break;
      case 3:
        if (model.empty()) break;
        ASSERT_EQ(ring.pop_front(), model.front());
        model.pop_front();
        break;
      default: {
        if (model.empty()) break;
        const std::size_t index = random() % model.size();
        ASSERT_EQ(ring.take(index), model[index]);
        model.erase(model.begin() + static_cast<std::ptrdiff_t>(index));
      }
    }
    ASSERT_EQ(ring.size(), model.size());
  }
}

}  // namespace
