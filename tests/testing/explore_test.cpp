#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "failures.hpp"
#include "schedule_model.hpp"
#include "support.hpp"

// What the explorer runs: how many schedules, which, and how often.
namespace {

using ::testing::HasSubstr;
using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;
using weft_test::error_of;
using weft_test::Log;
using weft_test::ScheduleModel;

/// Coroutines that write their letter and yield between two letters.
void write_letters(std::string& text, const std::vector<int>& yields) {
  for (std::size_t i = 0; i < yields.size(); ++i) {
    weft::spawn([&text, letter = static_cast<char>('a' + i), count = yields[i]] {
      text += letter;
      for (int yielded = 0; yielded < count; ++yielded) {
        weft::suspend();
        text += letter;
      }
    });
  }
}

/// The text of each run.
Log texts_of(const std::vector<int>& yields, ExploreOptions options) {
  Log texts;
  options.in_child = false;
  const Report report = explore(
      [&] {
        texts.emplace_back();
        write_letters(texts.back(), yields);
      },
      options);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_EQ(report.schedules(), texts.size());
  return texts;
}

/// All orders of the letters, by the standard library.
std::set<std::string> permutations_of(const std::vector<int>& yields) {
  std::string letters;
  for (std::size_t i = 0; i < yields.size(); ++i) {
    letters.append(static_cast<std::size_t>(yields[i]) + 1, static_cast<char>('a' + i));
  }
  std::set<std::string> all;
  do {
    all.insert(letters);
  } while (std::next_permutation(letters.begin(), letters.end()));
  return all;
}

TEST(Explore, RunsEveryOrderExactlyOnce) {
  const std::vector<std::pair<std::vector<int>, std::size_t>> cases{
      {{0, 0}, 2},      // 2!
      {{1, 1}, 6},      // 4! / (2! 2!)
      {{3, 3}, 70},     // 8! / (4! 4!)
      {{0, 1, 2}, 60},  // 6! / (1! 2! 3!)
      {{1, 1, 1}, 90},  // 6! / (2! 2! 2!)
      {{0, 0, 0, 0}, 24}, {{1, 1, 1, 1}, 2'520},
  };
  for (const auto& [yields, orders] : cases) {
    const Log texts = texts_of(yields, {});
    EXPECT_EQ(texts.size(), orders);
    EXPECT_EQ((std::set<std::string>{texts.begin(), texts.end()}), permutations_of(yields));
  }
}

TEST(Explore, RunsAsManySchedulesAsAnIndependentModelCounts) {
  const std::vector<std::vector<int>> programs{{0},       {1, 1},    {2, 0},      {0, 0, 0},
                                               {1, 0, 2}, {1, 1, 1}, {0, 0, 0, 1}};
  for (const std::vector<int>& yields : programs) {
    for (const bool cancelling : {false, true}) {
      ExploreOptions options;
      if (cancelling) options.cancel = every_point;
      const Report report = explore(
          [&] {
            std::vector<weft::Coroutine<void>> workers;
            workers.reserve(yields.size());
            for (const int count : yields) {
              workers.push_back(weft::spawn([count] {
                for (int i = 0; i < count; ++i) weft::suspend();
              }));
            }
            for (const auto& worker : workers) weft::await(worker);
          },
          options);
      EXPECT_TRUE(report.ok()) << report.first_failure();
      EXPECT_EQ(report.schedules(), ScheduleModel::count(yields, cancelling))
          << ::testing::PrintToString(yields) << (cancelling ? ", cancelling" : "");
    }
  }
}

TEST(Explore, RunsTheProductionOrderOnce) {
  EXPECT_EQ(texts_of({1, 1, 1}, {.schedules = weft::testing::fifo}), Log{"abcabc"});
}

// R-OBS-4
TEST(Explore, RepeatsRandomSchedulesBySeed) {
  const auto texts = [](std::uint64_t seed) {
    return texts_of({1, 1, 1}, {.schedules = weft::testing::random(100, seed)});
  };
  const Log first = texts(7);
  EXPECT_EQ(first.size(), 100U);
  EXPECT_EQ(texts(7), first);
  EXPECT_NE(texts(8), first);
}

TEST(Explore, ReachesEveryOrderAtRandomInTime) {
  const Log texts = texts_of({1, 1}, {.schedules = weft::testing::random(300)});
  EXPECT_EQ((std::set<std::string>{texts.begin(), texts.end()}), permutations_of({1, 1}));
}

TEST(Explore, RunsAProgramWithoutAChoiceOnce) {
  EXPECT_EQ(explore([] {}).schedules(), 1U);
  EXPECT_EQ(explore([] { weft::await(weft::spawn([] { weft::suspend(); })); }).schedules(), 1U);
}

TEST(Explore, KeepsTheScenarioInItsChild) {
  int runs = 0;
  EXPECT_EQ(explore([&] { ++runs; }).schedules(), 1U);
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(explore([&] { ++runs; }, {.in_child = false}).schedules(), 1U);
  EXPECT_EQ(runs, 1);
}

TEST(Explore, StopsAtTheFirstFailureByDefault) {
  const auto assume_an_order = [] {
    std::string text;
    write_letters(text, {0, 0, 0});
    weft::spawn([&text] { text += '!'; });
    while (text.size() < 4) weft::delay(std::chrono::milliseconds{1});
    if (text.find("ab") == std::string::npos) throw std::runtime_error{"not ab: " + text};
  };
  const Report first = explore(assume_an_order);
  EXPECT_EQ(first.failures(), 1U);
  EXPECT_LT(first.schedules(), 24U);
  const Report all = explore(assume_an_order, {.keep_going = true});
  EXPECT_EQ(all.schedules(), 24U);
  EXPECT_EQ(all.failures(), 18U);  // in 6 of the 24 orders b comes right after a
  EXPECT_EQ(all.first_failure().substr(0, 20), first.first_failure().substr(0, 20));
}

TEST(Explore, RefusesToRunInsideARuntime) {
  weft::testing::run([] {
    const std::exception_ptr error = error_of([] { static_cast<void>(explore([] {})); });
    EXPECT_TRUE(weft_test::is<weft::MisuseError>(error));
    EXPECT_THAT(weft_test::text(error), HasSubstr("outside run()"));
  });
  weft::Runtime runtime;
  EXPECT_THROW(static_cast<void>(explore([] {})), weft::MisuseError);
}

TEST(Explore, LeavesNoRuntimeBehind) {
  EXPECT_TRUE(explore([] {}, {.in_child = false}).ok());
  EXPECT_EQ(weft::testing::run([] { return 5; }), 5);
}

TEST(Explore, RefusesAnExplorationInsideAnother) {
  const Report report = explore([] { static_cast<void>(explore([] {})); });
  EXPECT_THAT(report.first_failure(), HasSubstr("outside run()"));
}

/// The addresses of the stacks, and the memory counters, of each run.
std::set<std::string> memory_of_each_run() {
  std::set<std::string> all;
  const auto body = [&] {
    std::string seen;
    for (int i = 0; i < 3; ++i) {
      weft::spawn([&seen] {
        const char local = 0;
        seen += ::testing::PrintToString(static_cast<const void*>(&local)) + ' ';
        weft::delay(std::chrono::milliseconds{1});
      });
    }
    weft::delay(std::chrono::milliseconds{2});
    all.insert(seen + std::to_string(weft::stats().contexts_created) + ' ' +
               std::to_string(weft::stats().stack_bytes_reserved));
  };
  EXPECT_EQ(explore(body, {.in_child = false}).schedules(), 6U);
  return all;
}

TEST(Explore, GivesEveryRunTheSameMemory) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "a memory checker sees it come and go";
  EXPECT_EQ(memory_of_each_run().size(), 1U);
}

TEST(Explore, BuysItsMemoryOnce) {
  if (WEFT_ASAN || WEFT_TSAN) GTEST_SKIP() << "a memory checker sees it come and go";
  const auto page_faults = [] {
    struct rusage usage {};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
  };
  const auto before = page_faults();
  texts_of({1, 1, 1, 1}, {});
  EXPECT_LT(page_faults() - before, 2'520);  // less than one page fault for each run
}

}  // namespace
