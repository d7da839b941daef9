#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "tasks.hpp"

// What the futures of a group answer.
namespace task_group_answers_test {

using weft::MisuseError;
using weft::TaskErrors;
using weft::TaskGroup;
using weft::TaskKey;
using weft::TaskSet;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::fail;
using weft_test::is;
using weft_test::text;
using weft_test::Texts;
using weft_test::texts;
using namespace std::chrono_literals;

// R-TGR-4
TEST(TaskGroupAnswersTest, GivesAllErrorsTogetherUnlessTheyAreIgnored) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([] {
      weft::delay(5ms);
      fail("slow");
      return 0;
    });
    group.spawn([] { return 1; });
    group.spawn([]() -> int { fail("quick"); });
    const auto all = group.all();
    EXPECT_EQ(texts(error_of([&] { weft::await(all); })), (Texts{"slow", "quick"}));
    EXPECT_EQ(texts(error_of([&] { weft::await(group.all()); })), (Texts{"slow", "quick"}));
    const weft::TaskResults<int> some = weft::await(group.all(TaskErrors::ignore));
    EXPECT_EQ(some.keys(), (std::vector<TaskKey>{1}));
    EXPECT_EQ(some.values(), (std::vector<int>{1}));
  });
}

// R-TGR-4, trap 9
TEST(TaskGroupAnswersTest, AnswersAtOnceWhenAllHasEnded) {
  weft::testing::run([] {
    TaskGroup<int> group;
    EXPECT_TRUE(weft::await(group.all()).is_empty());
    group.spawn([]() -> int { fail("first"); });
    group.spawn([] { return 1; });
    group.spawn([] { return 2; });
    weft::testing::settle();
    const auto all = group.all(TaskErrors::ignore);
    const auto race = group.race();
    const auto any = group.any();
    EXPECT_TRUE(all.is_completed());
    EXPECT_TRUE(race.is_completed());
    EXPECT_TRUE(any.is_completed());
    EXPECT_EQ(weft::await(all).values(), (std::vector<int>{1, 2}));
    EXPECT_EQ(text(error_of([&] { weft::await(race); })), "first");
    EXPECT_EQ(weft::await(any), 1);
    EXPECT_EQ(weft::await(group.any()), 1);  // the same answer again
  });
}

// R-TGR-4
TEST(TaskGroupAnswersTest, RacesInTheOrderOfSpawningWhenSeveralHaveEnded) {
  weft::testing::run([] {
    Doorbell end;
    TaskGroup<int> group;
    for (int i = 0; i < 4; ++i) {
      group.spawn([&end, i] {
        if (i == 0) weft::await(end);
        weft::delay(std::chrono::milliseconds{10 - i});  // the last one ends first
        return i;
      });
    }
    auto before = group.race();
    EXPECT_EQ(weft::await(before), 3);
    weft::delay(20ms);
    EXPECT_EQ(weft::await(group.race()), 1);
    EXPECT_EQ(weft::await(group.any()), 1);
    end.ring();
    weft::await(group.all());
    EXPECT_EQ(weft::await(group.race()), 0);
  });
}

// R-TGR-4
TEST(TaskGroupAnswersTest, GivesTheFirstSuccessOrAllErrors) {
  weft::testing::run([] {
    TaskGroup<int> group;
    group.spawn([]() -> int { fail("a"); });
    group.spawn([]() -> int {
      weft::delay(1ms);
      fail("b");
    });
    const auto none = group.any();
    EXPECT_EQ(texts(error_of([&] { weft::await(none); })), (Texts{"a", "b"}));
    group.spawn([] {
      weft::delay(1ms);
      return 7;
    });
    EXPECT_EQ(weft::await(group.any()), 7);
  });
}

// R-TGR-4
TEST(TaskGroupAnswersTest, CannotRaceWithoutTasks) {
  weft::testing::run([] {
    TaskGroup<int> group;
    EXPECT_EQ(text(error_of([&] { group.race().ignore(); })), "Cannot race on an empty TaskGroup");
    EXPECT_EQ(text(error_of([&] { group.any().ignore(); })),
              "Cannot call any() on an empty TaskGroup");
    EXPECT_TRUE(is<MisuseError>(error_of([&] { group.race().ignore(); })));
  });
}

// R-TGR-4
TEST(TaskGroupAnswersTest, WorksForVoidAndForWhatCannotBeCopied) {
  weft::testing::run([] {
    TaskGroup<void> nothing;
    int ran = 0;
    nothing.spawn([&] { ++ran; });
    nothing.spawn([&] { ++ran; });
    EXPECT_EQ(weft::await(nothing.all()).size(), 2U);
    weft::await(nothing.race());
    weft::await(nothing.any());
    EXPECT_EQ(ran, 2);

    TaskGroup<std::unique_ptr<int>> pointers;
    pointers.spawn([] { return std::make_unique<int>(1); });
    pointers.spawn([] { return std::make_unique<int>(2); });
    std::vector<std::unique_ptr<int>> values = weft::await(pointers.all());
    EXPECT_EQ(*values.at(0) + *values.at(1), 3);
    EXPECT_TRUE(is<MisuseError>(error_of([&] { weft::await(pointers.race()); })));  // moved out
  });
}

// R-TGR-4, trap 21
TEST(TaskGroupAnswersTest, ForgetsAFutureThatWasDropped) {
  weft::testing::run(
      [] {
        TaskGroup<int> group;
        group.spawn([] {
          weft::delay(1ms);
          return 1;
        });
        group.all().ignore();
        group.race().ignore();
        auto cancelled = group.any();
        cancelled.cancel();
        EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(cancelled); })));
        EXPECT_EQ(weft::await(group.all()).values(), (std::vector<int>{1}));
      },
      weft_test::quiet());
}

// R-TGR-4, trap 21
TEST(TaskGroupAnswersTest, AnswersFuturesThatOutliveIt) {
  weft::testing::run([] {
    weft::Future<weft::TaskResults<int>> done;
    weft::Future<int> never;
    {
      TaskGroup<int> group;
      group.spawn([] { return 4; });
      done = group.all();
      weft::testing::settle();
      TaskGroup<int> slow;
      slow.spawn([] {
        weft::delay(1h);
        return 5;
      });
      never = slow.race();
    }
    EXPECT_EQ(weft::await(done).at(0), 4);
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(never); })));
  });
}

// R-TGR-9, trap 8, trap 21
TEST(TaskGroupAnswersTest, LeavesTheErrorToAFutureThatOutlivesIt) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        weft::Future<weft::TaskResults<int>> unread;
        {
          TaskGroup<int> group;
          group.spawn([]() -> int { fail("broke"); });
          unread = group.all();
          weft::testing::settle();
        }
      },
      weft_test::collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings.front().find("broke"), std::string::npos) << warnings.front();
}

/// A value whose copies can be made to throw.
struct Touchy {
  static inline bool throws = false;
  int value = 0;
  explicit Touchy(int v) : value{v} {}
  Touchy(const Touchy& other) : value{other.value} {
    if (throws) fail("no copy");
  }
  Touchy& operator=(const Touchy&) = default;
};

// R-TGR-4, R-TGR-10
TEST(TaskGroupAnswersTest, LosesNoValueThatCannotBeCopiedNow) {
  weft::testing::run([] {
    TaskSet<Touchy> set;
    set.spawn([] { return Touchy{3}; });
    weft::testing::settle();
    Touchy::throws = true;
    EXPECT_EQ(text(error_of([&] { weft::await(set.join_next()); })), "no copy");
    EXPECT_EQ(text(error_of([&] { weft::await(set.join_all()); })), "no copy");
    EXPECT_EQ(text(error_of([&] { static_cast<void>(set.begin()); })), "no copy");
    Touchy::throws = false;
    EXPECT_EQ(set.count(), 1U);
    EXPECT_EQ(weft::await(set.join_next()).value, 3);
    EXPECT_EQ(set.count(), 0U);
  });
}

}  // namespace task_group_answers_test
