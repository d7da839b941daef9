#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bells.hpp"
#include "steps.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using weft_test::Bells;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;
using weft_test::Steps;

class CallbackRemovalTest : public ::testing::Test {
 protected:
  bool notify() { return vector_.notify(event_, {}); }

  weft::detail::CallbackVector vector_;
  Bells bells_{vector_};
  Doorbell event_;
};

// R-CB-5
TEST_F(CallbackRemovalTest, LetsACallbackRemoveItself) {
  bells_.add("a");
  Call* self = nullptr;
  self = &bells_.add("b", [&] { EXPECT_TRUE(vector_.remove(*self)); });
  bells_.add("c");
  bells_.add("d");
  notify();
  EXPECT_THAT(bells_.log, ::testing::UnorderedElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(self->disposed(), 1);
  bells_.log.clear();
  notify();
  EXPECT_EQ(bells_.log.size(), 3U);
}

// R-CB-5
TEST_F(CallbackRemovalTest, LetsEveryCallbackRemoveItself) {
  std::vector<Call*> calls(10);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i] = &bells_.add(std::to_string(i), [&, i] { vector_.remove(*calls[i]); });
  }
  notify();
  EXPECT_EQ(bells_.log.size(), 10U);
  EXPECT_TRUE(vector_.empty());
}

// R-CB-6
TEST_F(CallbackRemovalTest, NeverCallsOneThatWasRemovedBeforeItsTurn) {
  Call* later = nullptr;
  bells_.add("a", [&] { EXPECT_TRUE(vector_.remove(*later)); });
  bells_.add("b");
  later = &bells_.add("c");
  bells_.add("d");
  notify();
  EXPECT_EQ(bells_.log, (Log{"a", "b", "d"}));
}

// R-CB-6: the element that the reference implementation skips, and the one that it calls twice.
TEST_F(CallbackRemovalTest, SkipsNoSubscriberWhenOneThatWasVisitedIsRemoved) {
  Call& a = bells_.add("a");
  bool removed = false;
  bells_.add("b", [&] { removed |= vector_.remove(a); });
  bells_.add("c");
  bells_.add("d");
  notify();
  EXPECT_TRUE(removed);
  EXPECT_THAT(bells_.log, ::testing::UnorderedElementsAre("a", "b", "c", "d"));
  bells_.log.clear();
  notify();
  EXPECT_EQ(bells_.log.size(), 3U) << "and all three are still there";
}

// R-CB-6: whichever callback removes which, each of the others is called once.
TEST_F(CallbackRemovalTest, IsRightForEveryPairOfRemoverAndRemoved) {
  constexpr std::size_t count = 5;
  for (std::size_t remover = 0; remover < count; ++remover) {
    for (std::size_t removed = 0; removed < count; ++removed) {
      SCOPED_TRACE(std::to_string(remover) + " removes " + std::to_string(removed));
      weft::detail::CallbackVector vector;
      Bells bells{vector};
      std::vector<Call*> calls(count);
      Log expected;
      for (std::size_t i = 0; i < count; ++i) {
        calls[i] = &bells.add(std::to_string(i), [&, i] {
          if (i == remover) {
            EXPECT_TRUE(vector.remove(*calls[removed]));
          }
        });
        if (i != removed || removed <= remover) expected.push_back(std::to_string(i));
      }
      vector.notify(event_, {});
      EXPECT_THAT(bells.log, ::testing::UnorderedElementsAreArray(expected));
      EXPECT_EQ(vector.size(), count - 1);
    }
  }
}

// R-CB-4, trap 31
TEST(CallbackVector, RemovesWithoutASearch) {
  Steps steps;
  if (!steps.can_be_counted()) GTEST_SKIP() << "this processor cannot be stepped";
  const auto cost = [&](std::size_t count) {
    weft::detail::CallbackVector vector;
    std::deque<Call> calls;
    for (std::size_t i = 0; i < count; ++i) {
      vector.push(calls.emplace_back([](weft::Event&, const weft::Outcome&) {}));
    }
    const auto steps_of_removing = [&](Call& call) {
      return steps.of([&] { vector.remove(call); });
    };
    steps_of_removing(calls[2]);  // may create objects that exist once for all
    const std::size_t steps_of_first = steps_of_removing(calls[1]);
    EXPECT_EQ(steps_of_first, steps_of_removing(calls[count / 2]));
    vector.clear();
    return steps_of_first;
  };
  EXPECT_EQ(cost(16), cost(65'536));
}

}  // namespace
