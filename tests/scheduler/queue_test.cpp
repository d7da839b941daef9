#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;

/// A program of yielding coroutines: main spawns `bursts[k]` coroutines in its k-th turn; coroutine
/// number i yields `yields(i)` times.
struct Program {
  std::vector<int> bursts;
  int (*yields)(int);
};

using Turns = std::vector<int>;  // the numbers of the coroutines in the order they ran; main is 0

/// The turns that a std::deque gives.
Turns expected_turns(const Program& program) {
  Turns turns;
  std::deque<std::pair<int, int>> queue;  // the number of a coroutine, and how often it will yield
  int spawned = 0;
  for (const int burst : program.bursts) {
    turns.push_back(0);
    for (int i = 0; i < burst; ++i) {
      ++spawned;
      queue.emplace_back(spawned, program.yields(spawned));
    }
    // Main is queued at the tail: each coroutine in the queue runs once before it.
    for (std::size_t left = queue.size(); left > 0; --left) {
      const auto [who, more] = queue.front();
      queue.pop_front();
      turns.push_back(who);
      if (more > 0) queue.emplace_back(who, more - 1);
    }
  }
  while (!queue.empty()) {
    const auto [who, more] = queue.front();
    queue.pop_front();
    turns.push_back(who);
    if (more > 0) queue.emplace_back(who, more - 1);
  }
  return turns;
}

Turns actual_turns(const Program& program) {
  Turns turns;
  weft::testing::run([&] {
    int spawned = 0;
    for (const int burst : program.bursts) {
      turns.push_back(0);
      for (int i = 0; i < burst; ++i) {
        ++spawned;
        weft::spawn([&turns, &program, who = spawned] {
          for (int left = program.yields(who); left > 0; --left) {
            turns.push_back(who);
            weft::suspend();
          }
          turns.push_back(who);
        });
      }
      weft::suspend();
    }
  });
  return turns;
}

// R-Q-1, R-Q-2
TEST(QueueTest, TakesCoroutinesFromTheHeadInTheOrderTheyCame) {
  const Program program{{5, 0, 3, 0}, [](int who) { return who % 3; }};
  EXPECT_EQ(actual_turns(program), expected_turns(program));
}

// R-Q-3
TEST(QueueTest, KeepsTheOrderWhenItGrowsBeyondItsFirstSize) {
  const Program program{{127, 1, 1, 1'000}, [](int) { return 4; }};
  EXPECT_EQ(actual_turns(program), expected_turns(program));
}

// R-Q-3
TEST(QueueTest, KeepsTheOrderWhenItGrowsWhileWrappedAtAnyPlace) {
  for (int turns_before = 1; turns_before < 140; turns_before += 7) {
    SCOPED_TRACE(turns_before);
    std::vector<int> bursts(static_cast<std::size_t>(turns_before), 0);
    bursts.front() = 100;
    bursts.push_back(60);  // grows beyond 128 while the head is in the middle of the buffer
    bursts.push_back(150);
    const Program program{bursts, [](int who) { return who <= 100 ? 150 : 2; }};
    ASSERT_EQ(actual_turns(program), expected_turns(program));
  }
}

// R-Q-4
TEST(QueueTest, KeepsTheOrderWhenACrowdComesAndGoesAndComesAgain) {
  std::vector<int> bursts{3'000};
  bursts.insert(bursts.end(), 60, 2);
  bursts.push_back(1'500);
  bursts.insert(bursts.end(), 40, 1);
  const Program program{bursts, [](int who) { return who % 7; }};
  EXPECT_EQ(actual_turns(program), expected_turns(program));
}

// R-Q-1, R-Q-3, R-Q-4
TEST(QueueTest, KeepsTheOrderInRandomPrograms) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    std::vector<int> bursts;
    for (int turn = 0; turn < 30; ++turn) {
      const bool crowd = random() % 8 == 0;
      bursts.push_back(static_cast<int>(random() % (crowd ? 300 : 4)));
    }
    const Program program{bursts, [](int who) { return (who * 7) % 11; }};
    ASSERT_EQ(actual_turns(program), expected_turns(program));
  }
}

// R-Q-3
TEST(QueueTest, KeepsTheOrderOfMicrotasksBeyondTheirFirstSize) {
  std::vector<int> order;
  weft::testing::run([&] {
    // Two passes, so that the second one starts in the middle of the buffer.
    for (const int count : {50, 500}) {
      order.clear();
      for (int i = 0; i < count; ++i) {
        weft::post_microtask([&order, i] {
          order.push_back(i);
          if (i % 5 == 0) weft::post_microtask([&order, i] { order.push_back(1'000 + i); });
        });
      }
      EXPECT_EQ(weft::stats().microtasks, static_cast<std::size_t>(count));
      weft::suspend();
      std::vector<int> expected;
      for (int i = 0; i < count; ++i) expected.push_back(i);
      for (int i = 0; i < count; i += 5) expected.push_back(1'000 + i);
      EXPECT_EQ(order, expected);
      EXPECT_EQ(weft::stats().microtasks, 0U);
    }
  });
}

// R-Q-2
TEST(QueueTest, QueuesCoroutinesInTheOrderInWhichTheyAreWoken) {
  constexpr int count = 300;
  std::vector<int> order;
  std::vector<int> expected;
  weft::testing::run([&] {
    std::vector<Doorbell> bells(count);
    for (int i = 0; i < count; ++i) {
      weft::spawn([&, i] {
        weft::await(bells[static_cast<std::size_t>(i)]);
        order.push_back(i);
      });
    }
    weft::suspend();
    for (int i = 0; i < count; ++i) {
      const int next = i * 7 % count;
      bells[static_cast<std::size_t>(next)].ring();
      expected.push_back(next);
    }
    EXPECT_EQ(weft::stats().queued, static_cast<std::size_t>(count));
    weft::suspend();
  });
  EXPECT_EQ(order, expected);
}

}  // namespace
