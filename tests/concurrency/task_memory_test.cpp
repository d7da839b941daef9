#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "tasks.hpp"

// What a group of tasks keeps, and how long.
namespace {

using weft::TaskGroup;
using weft::TaskSet;

/// A result that counts its copies.
class Counted {
 public:
  explicit Counted(int& alive) : alive_{&alive} { ++alive; }
  Counted(const Counted& other) : alive_{other.alive_} { ++*alive_; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive_; }

 private:
  int* alive_;
};

// R-TGR-10: a long-lived set keeps memory only for outcomes that are not delivered.
TEST(TaskMemoryTest, ASetKeepsNothingOfWhatJoinNextDelivered) {
  int alive = 0;
  weft::testing::run([&] {
    TaskSet<Counted> set;
    for (int i = 0; i < 100; ++i) {
      set.spawn([&] { return Counted{alive}; });
      weft::await(set.join_next());
      EXPECT_EQ(alive, 0);
    }
  });
}

// R-TGR-10
TEST(TaskMemoryTest, ASetKeepsNothingOfWhatJoinAnyDelivered) {
  int alive = 0;
  weft::testing::run([&] {
    TaskSet<Counted> set;
    for (int i = 0; i < 100; ++i) {
      set.spawn([&] { return Counted{alive}; });
      weft::await(set.join_any());
      EXPECT_EQ(alive, 0);
    }
  });
}

// R-TGR-10
TEST(TaskMemoryTest, ASetKeepsNothingOfWhatJoinAllDelivered) {
  int alive = 0;
  weft::testing::run([&] {
    TaskSet<Counted> set;
    for (int i = 0; i < 100; ++i) {
      set.spawn([&] { return Counted{alive}; });
      weft::await(set.join_all());
      EXPECT_EQ(alive, 0);
    }
  });
}

// R-TGR-10, R-TGR-8
TEST(TaskMemoryTest, ASetKeepsNothingOfWhatALoopConsumed) {
  int alive = 0;
  weft::testing::run([&] {
    TaskSet<Counted> set;
    set.spawn([&] { return Counted{alive}; });
    int seen = 0;
    for (auto [key, outcome] : set) {
      EXPECT_LE(alive, 3) << "the outcome, its moved-from copy in the loop, and its task";
      if (++seen == 100) {
        set.close();
      } else {
        set.spawn([&] { return Counted{alive}; });
      }
    }
    EXPECT_EQ(seen, 100);
    EXPECT_EQ(alive, 0);
  });
}

}  // namespace
