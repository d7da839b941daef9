#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/assert.hpp"
#include "failures.hpp"
#include "support.hpp"

// A failing run prints one line that repeats it.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;
using weft::testing::Schedules;
using weft_test::error_of;

/// Three coroutines append to a text, the story of the run; `fails` says which story is a failure.
struct Story {
  std::vector<std::string> runs;
  bool (*fails)(const std::string& story);

  void operator()() {
    runs.emplace_back();
    const std::string& story = runs.back();
    std::vector<weft::Coroutine<void>> writers;
    for (const char letter : {'a', 'b', 'c'}) {
      writers.push_back(weft::spawn([this, letter] { write(letter); }));
    }
    for (const auto& writer : writers) {
      while (!writer.is_completed()) {
        try {
          weft::await(writer);
        } catch (const weft::Cancelled&) {
          note(weft::current().is_cancellation_requested() ? "!" : "-");
        }
      }
    }
    if (fails(story)) throw std::runtime_error{story};
  }

 private:
  void note(const std::string& text) { runs.back() += text; }
  void write(char letter) {
    note(std::string{letter});
    try {
      weft::suspend();
      note(std::string{letter});
      weft::delay(1ms);
      note(std::string{letter});
    } catch (const weft::Cancelled&) {
      note("x");
    }
  }
};

/// Finds a failure, replays its line, and compares the two stories.
void expect_the_same_story(bool (*fails)(const std::string&), ExploreOptions options) {
  options.in_child = false;
  Story story{{}, fails};
  const Report found = explore([&] { story(); }, options);
  ASSERT_FALSE(found.ok());
  ASSERT_GT(found.schedules(), 1U) << "the first run should not be the one";
  const std::string last_run = story.runs.back();
  EXPECT_THAT(found.first_failure(), StartsWith("error: " + last_run));

  story.runs.clear();
  options.schedules = weft::testing::replay(found.replay_line());
  const Report again = explore([&] { story(); }, options);
  EXPECT_EQ(story.runs, (std::vector<std::string>{last_run}));
  EXPECT_EQ(again.schedules(), 1U);
  EXPECT_EQ(again.failures(), 1U);
  EXPECT_THAT(again.first_failure(), StartsWith("error: " + last_run));
  EXPECT_EQ(again.replay_line(), found.replay_line());
}

bool ends_backwards(const std::string& story) { return story.ends_with("cba"); }
bool lost_b(const std::string& story) { return story.find("bx") != std::string::npos; }
bool main_hurt(const std::string& story) { return story.find('!') != std::string::npos; }
bool lost_c_late(const std::string& story) { return story.find("ccx") != std::string::npos; }

TEST(ExploreReplay, RepeatsARunOfTheEnumeration) { expect_the_same_story(ends_backwards, {}); }

TEST(ExploreReplay, RepeatsARandomRun) {
  expect_the_same_story(ends_backwards, {.schedules = weft::testing::random(1'000, 9)});
}

TEST(ExploreReplay, RepeatsACancellation) {
  expect_the_same_story(lost_b, {.cancel = every_point});
  expect_the_same_story(main_hurt, {.cancel = every_point});
}

TEST(ExploreReplay, RepeatsARandomCancellation) {
  const Schedules random = weft::testing::random(1'000, 3);
  expect_the_same_story(lost_b, {.schedules = random, .cancel = every_point});
  expect_the_same_story(main_hurt, {.schedules = random, .cancel = every_point});
  expect_the_same_story(lost_c_late, {.schedules = random, .cancel = every_point});
}

TEST(ExploreReplay, RepeatsACancellationInTheProductionOrder) {
  expect_the_same_story(lost_b, {.schedules = weft::testing::fifo, .cancel = every_point});
}

TEST(ExploreReplay, NeedsNothingButTheLine) {
  const auto sleep = [] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      throw std::runtime_error{"could not bear it"};
    }
  };
  const Report found = explore(sleep, {.cancel = every_point});
  const Report again = explore(sleep, {.schedules = weft::testing::replay(found.replay_line())});
  EXPECT_THAT(again.first_failure(), StartsWith("error: could not bear it"));
}

void die_in_one_order() {
  std::string order;
  for (const char letter : {'a', 'b', 'c'}) {
    weft::spawn([&order, letter] { order += letter; });
  }
  weft::delay(1ms);
  WEFT_ASSERT(order != "bca", "bca");
}

TEST(ExploreReplay, RepeatsTheRunThatKilledTheProcess) {
  ::testing::internal::CaptureStderr();
  const Report found = explore(die_in_one_order);
  const Report again =
      explore(die_in_one_order, {.schedules = weft::testing::replay(found.replay_line())});
  ::testing::internal::GetCapturedStderr();
  EXPECT_GT(found.schedules(), 1U);
  EXPECT_THAT(again.first_failure(), StartsWith("the process died: Aborted"));
  EXPECT_EQ(again.schedules(), 1U);
}

TEST(ExploreReplay, RepeatsALivelock) {
  const auto spin_if_second_comes_first = [] {
    bool first = false;
    weft::spawn([&] { first = true; });
    weft::spawn([&] {
      if (first) return;
      for (;;) weft::suspend();
    });
    weft::delay(1ms);
  };
  const Report found = explore(spin_if_second_comes_first, {.max_suspensions = 100});
  EXPECT_THAT(found.first_failure(), StartsWith("livelock"));
  EXPECT_EQ(found.schedules(), 2U);
  const Report again =
      explore(spin_if_second_comes_first,
              {.schedules = weft::testing::replay(found.replay_line()), .max_suspensions = 100});
  EXPECT_THAT(again.first_failure(), StartsWith("livelock"));
}

TEST(ExploreReplay, OfNothingIsTheProductionOrder) {
  Story story{{}, ends_backwards};
  EXPECT_TRUE(
      explore([&] { story(); }, {.schedules = weft::testing::replay(""), .in_child = false}).ok());
  EXPECT_TRUE(
      explore([&] { story(); }, {.schedules = weft::testing::fifo, .in_child = false}).ok());
  ASSERT_EQ(story.runs.size(), 2U);
  EXPECT_EQ(story.runs[0], story.runs[1]);
}

TEST(ExploreReplay, RefusesALineThatIsNone) {
  for (const char* line : {"seed=5", "1..2", "-1", "99999999"}) {
    const ExploreOptions options{.schedules = weft::testing::replay(line), .in_child = false};
    const std::exception_ptr error = error_of([&] { static_cast<void>(explore([] {}, options)); });
    EXPECT_TRUE(weft_test::is<weft::ValueError>(error)) << line;
    EXPECT_THAT(weft_test::text(error), HasSubstr(line));
  }
}

TEST(ExploreReplay, RefusesALineOfAnotherScenario) {
  const Report report = explore(
      [] {
        weft::spawn([] {});
        weft::spawn([] {});
      },
      {.schedules = weft::testing::replay("7.7.7")});
  EXPECT_FALSE(report.ok());
}

}  // namespace
