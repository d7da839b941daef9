#include "base/planted.hpp"

#include <memory>
#include <ostream>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/all_scenarios.hpp"

// Tests of the tests: this program is linked with a copy of the library with planted bugs, which
// can be switched on, and the explorer must find each. The copy also switches stacks with fcontext.
namespace planted_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using weft::Planted;
using weft::testing::Cancel;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;
using weft_test::all_scenarios;
using weft_test::Door;
using weft_test::require;
using weft_test::Scenario;
using namespace std::chrono_literals;

/// One wait and one ring, beside other coroutines. In the order of production, the bell rings when
/// no coroutine is ready.
void ring_among_others() {
  auto door = std::make_shared<Door>();
  weft::spawn([door] {
    while (!door->open) weft::await(door->bell);
  });
  weft::spawn([] {});
  weft::spawn([] {});
  weft::spawn([door] { door->open_it(); });
}

/// Two coroutines wait for one ring. In the order of production, the bell rings before they wait.
void ring_for_two() {
  auto door = std::make_shared<Door>();
  weft::spawn([door] { door->open_it(); });
  for (int i = 0; i < 2; ++i) {
    weft::spawn([door] {
      while (!door->open) weft::await(door->bell);
    });
  }
}

/// In the order of production, the worker is cancelled before its start; in other orders, in its
/// protected section.
void cancel_a_protected_section() {
  auto cancel = std::make_shared<weft::Function<void()>>();
  auto canceller = weft::spawn([cancel] { (*cancel)(); });
  auto worker = weft::spawn([] {
    weft::protect([] { weft::delay(1ms); });
    require(!weft::current().is_cancellation_requested(), "the end of the section must throw");
  });
  *cancel = [worker] { worker.cancel(); };
}

/// A deadline that outlives the wait. In the order of production, the door is open: there is no
/// wait.
void wait_with_a_deadline() {
  auto door = std::make_shared<Door>();
  auto deadline = weft::make_ref<weft::Timer>(1h);
  weft::spawn([door] { door->open_it(); });
  weft::spawn([door, deadline] {
    if (!door->open) weft::await(door->bell, *deadline);
    require(weft::stats().armed_timers == 0, "a decided wait must leave no timer armed");
  });
}

/// Whether the order of production shows a bug.
enum class Usually { seen, hidden };

struct Case {
  const char* name;
  Planted bug;
  Usually usually;
  void (*scenario)();
  const char* failure;
  const char* last_words = "";
};

constexpr Case cases[] = {
    {"LostWakeup", Planted::lost_wakeup, Usually::hidden, ring_among_others,
     "error: Deadlock detected"},
    {"DoubleEnqueue", Planted::double_enqueue, Usually::seen, ring_among_others,
     "the process died: Aborted", "a waker made a move that its table does not allow"},
    {"CallbackSkipped", Planted::callback_skipped, Usually::hidden, ring_for_two,
     "error: Deadlock detected"},
    {"LeakedContext", Planted::leaked_context, Usually::seen, ring_for_two,
     "left over at the end: contexts_in_use="},
    {"CancelLostInProtect", Planted::cancel_lost_in_protect, Usually::hidden,
     cancel_a_protected_section, "error: the end of the section must throw"},
    {"LateTimerKept", Planted::late_timer_kept, Usually::hidden, wait_with_a_deadline,
     "error: a decided wait must leave no timer armed"},
};

std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

class PlantedBug : public ::testing::TestWithParam<Case> {
 protected:
  ~PlantedBug() override { weft::planted_bug = Planted::none; }

  /// Explores with the bug switched on; the output of a child that aborts is captured.
  static Report explore_with_bug(const ExploreOptions& options = {}) {
    weft::planted_bug = GetParam().bug;
    ::testing::internal::CaptureStderr();
    Report report = explore(GetParam().scenario, options);
    last_words = ::testing::internal::GetCapturedStderr();
    weft::planted_bug = Planted::none;
    return report;
  }
  static inline std::string last_words;
};

TEST_P(PlantedBug, IsFound) {
  const Report report = explore_with_bug();
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(report.first_failure(), StartsWith(GetParam().failure));
  EXPECT_THAT(last_words, HasSubstr(GetParam().last_words));
}

TEST_P(PlantedBug, IsFoundAgainByItsLine) {
  const Report found = explore_with_bug();
  const Report again = explore_with_bug({.schedules = weft::testing::replay(found.replay_line())});
  EXPECT_EQ(again.schedules(), 1U);
  EXPECT_THAT(again.first_failure(), StartsWith(GetParam().failure));
}

TEST_P(PlantedBug, IsFoundAtRandom) {
  const Report report = explore_with_bug({.schedules = weft::testing::random(1'000)});
  EXPECT_THAT(report.first_failure(), StartsWith(GetParam().failure));
}

TEST_P(PlantedBug, MayHideInTheProductionOrder) {
  const Report report = explore_with_bug({.schedules = weft::testing::fifo});
  EXPECT_EQ(report.ok(), GetParam().usually == Usually::hidden) << report.first_failure();
}

TEST_P(PlantedBug, IsNotFoundWhereItIsNot) {
  const Report report =
      explore(GetParam().scenario, {.cancel = Cancel::nowhere, .fail_on_warning = true});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 1U);
}

TEST_P(PlantedBug, IsFoundByTheScenariosOfTheCore) {
  int found = 0;
  weft::planted_bug = GetParam().bug;
  ::testing::internal::CaptureStderr();
  for (const Scenario& scenario : all_scenarios()) {
    if (!explore(scenario.body, {.cancel = scenario.cancel, .max_suspensions = 2'000}).ok()) {
      ++found;
    }
  }
  ::testing::internal::GetCapturedStderr();
  EXPECT_GT(found, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedBug, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string{one.param.name}; });

TEST(PlantedBugs, AreAllTried) {
  std::set<Planted> tried;
  for (const Case& one : cases) tried.insert(one.bug);
  EXPECT_EQ(tried.size(), static_cast<std::size_t>(Planted::late_timer_kept));  // of the core
}

// R-ARCH-12: this copy switches with fcontext; all behaviour above the switch is the same.
TEST(OtherSwitch, RunsEverySchedule) {
  ASSERT_EQ(weft::planted_bug, Planted::none);
  for (const Scenario& scenario : all_scenarios()) {
    const Report report =
        explore(scenario.body, {.cancel = scenario.cancel, .fail_on_warning = true});
    EXPECT_TRUE(report.ok()) << scenario.name << ": " << report.first_failure();
    EXPECT_GT(report.schedules(), 1U);
  }
  for (const Case& one : cases) {
    const Report report = explore(one.scenario, {.cancel = Cancel::nowhere});
    EXPECT_TRUE(report.ok()) << one.name << ": " << report.first_failure();
  }
}

}  // namespace planted_test
