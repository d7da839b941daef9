#include <cstdint>
#include <memory>
#include <ostream>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::Log;
using namespace std::chrono_literals;

/// Context switches, and how many of them were to the scheduler coroutine.
struct Switches {
  std::uint64_t all;
  std::uint64_t to_scheduler;
  friend bool operator==(const Switches&, const Switches&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Switches& switches) {
    return out << switches.all << " switches, " << switches.to_scheduler << " to the scheduler";
  }
};

/// Counts the switches since its construction.
class Count {
 public:
  [[nodiscard]] Switches so_far() const {
    const weft::Stats now = weft::stats();
    return {now.switches - start_.switches, now.scheduler_switches - start_.scheduler_switches};
  }

 private:
  weft::Stats start_ = weft::stats();
};

struct Row {
  const char* scenario;
  Switches expected;
  Switches (*measure)();  // called in a main coroutine
};

constexpr int rounds = 25;

const Row worked_counts[] = {
    {"await a finished coroutine",
     {0, 0},
     [] {
       auto done = weft::spawn([] {});
       weft::await(done);
       const Count count;
       weft::await(done);
       return count.so_far();
     }},
    {"yield with nothing else ready",
     {0, 0},
     [] {
       const Count count;
       weft::suspend();
       return count.so_far();
     }},
    {"spawn one that returns at once, await it",
     {2, 0},
     [] {
       const Count count;
       weft::await(weft::spawn([] {}));
       return count.so_far();
     }},
    {"spawn a thousand that return at once, await the last",  // each inherits the context of the
                                                              // one before
     {2, 0},
     [] {
       const Count count;
       for (int i = 0; i < 999; ++i) weft::spawn([] {});
       weft::await(weft::spawn([] {}));
       return count.so_far();
     }},
    {"spawn one that yields once, await it",
     {2, 0},
     [] {
       const Count count;
       weft::await(weft::spawn([] { weft::suspend(); }));
       return count.so_far();
     }},
    {"two yield alternately, 25 times each",  // 1 per yield
     {2 * rounds, 0},
     [] {
       auto other = weft::spawn([] {
         for (int i = 0; i < rounds + 1; ++i) weft::suspend();
       });
       weft::suspend();  // the other has started
       const Count count;
       for (int i = 0; i < rounds; ++i) weft::suspend();
       return count.so_far();
     }},
    {"sleep 10 ms as the only coroutine",
     {2, 1},
     [] {
       const Count count;
       weft::delay(10ms);
       return count.so_far();
     }},
    {"spawn one, cancel it, await it",  // ended without a switch, which wakes the awaiter
     {0, 0},
     [] {
       const Count count;
       auto victim = weft::spawn([] {});
       victim.cancel();
       EXPECT_THROW(weft::await(victim), weft::Cancelled);
       return count.so_far();
     }},
    {"await what a microtask of the same tick brings about",
     {0, 0},
     [] {
       Doorbell bell;
       weft::post_microtask([&] { bell.ring(); });
       const Count count;
       weft::await(bell);
       return count.so_far();
     }},
};

// R-SWI-15, R-SWI-1, R-SWI-2, R-ARCH-8
TEST(SwitchCountTest, AgreesWithTheTableOfWorkedCounts) {
  for (const Row& row : worked_counts) {
    const Switches actual = weft::testing::run([&] { return row.measure(); });
    EXPECT_EQ(actual, row.expected) << row.scenario;
  }
}

// R-SWI-15
TEST(SwitchCountTest, AgreesWithTheTableOnceContextsArePooled) {
  weft::testing::run([] {
    for (int i = 0; i < 3; ++i) {
      for (const Row& row : worked_counts) {
        EXPECT_EQ(row.measure(), row.expected) << row.scenario;
        weft::testing::settle();  // ends all coroutines of this row
      }
    }
  });
}

// R-SWI-3
TEST(SwitchCountTest, NeedsOneSwitchFromASuspensionToAReadyCoroutine) {
  weft::testing::run([] {
    Doorbell bell;
    Switches seen{};
    const Count* count = nullptr;
    auto waiter = weft::spawn([&] {
      weft::await(bell);
      seen = count->so_far();
    });
    weft::suspend();
    bell.ring();
    const Count from_here;
    count = &from_here;
    weft::await(waiter);
    EXPECT_EQ(seen, (Switches{1, 0}));
  });
}

// R-SWI-4
TEST(SwitchCountTest, NeedsOneSwitchFromASuspensionIntoANewContext) {
  weft::testing::run([] {
    const std::uint64_t contexts = weft::stats().contexts_created + weft::stats().contexts_reused;
    Switches seen{};
    const Count count;
    auto fresh = weft::spawn([&] { seen = count.so_far(); });
    weft::await(fresh);
    EXPECT_EQ(seen, (Switches{1, 0}));
    EXPECT_EQ(weft::stats().contexts_created + weft::stats().contexts_reused, contexts + 1);
  });
}

// R-SWI-5
TEST(SwitchCountTest, NeedsNoSwitchFromAnEndToACoroutineThatHasNotStarted) {
  weft::testing::run([] {
    const std::size_t in_use = weft::stats().contexts_in_use;
    std::uint64_t at_the_end = 0;
    std::uint64_t at_the_start = 0;
    std::size_t contexts = 0;
    weft::spawn([&] { at_the_end = weft::stats().switches; });
    auto heir = weft::spawn([&] {
      at_the_start = weft::stats().switches;
      contexts = weft::stats().contexts_in_use;
    });
    weft::await(heir);
    EXPECT_EQ(at_the_start, at_the_end);
    EXPECT_EQ(contexts, in_use + 1);
  });
}

// A stack is inherited only between equal stack sizes.
// R-SWI-5
TEST(SwitchCountTest, NeedsOneSwitchFromAnEndToACoroutineThatWantsAnotherStackSize) {
  weft::testing::run([] {
    std::uint64_t at_the_end = 0;
    std::uint64_t at_the_start = 0;
    weft::spawn([&] { at_the_end = weft::stats().switches; });
    auto large = weft::spawn(weft::SpawnOptions{.stack_size = std::size_t{2} * 1024 * 1024},
                             [&] { at_the_start = weft::stats().switches; });
    weft::await(large);
    EXPECT_EQ(at_the_start, at_the_end + 1);
    EXPECT_EQ(weft::stats().scheduler_switches, 0U);
  });
}

// R-SWI-6, R-TICK-3
TEST(SwitchCountTest, NeedsOneSwitchFromAnEndToACoroutineWithItsOwnContext) {
  weft::testing::run([] {
    const std::size_t in_use = weft::stats().contexts_in_use;
    weft::Stats at_the_end;
    auto ending = weft::spawn([&] { at_the_end = weft::stats(); });
    weft::await(ending);
    EXPECT_EQ(weft::stats().switches, at_the_end.switches + 1);
    EXPECT_EQ(weft::stats().scheduler_switches, at_the_end.scheduler_switches);
    EXPECT_EQ(at_the_end.contexts_in_use, in_use + 1);
    EXPECT_EQ(weft::stats().contexts_in_use, in_use);  // its context was freed
  });
}

// R-SWI-7
TEST(SwitchCountTest, NeedsOneSwitchFromAnEndToTheSchedulerWhenNoneIsReady) {
  weft::testing::run([] {
    weft::Stats at_the_end;
    const std::size_t in_use = weft::stats().contexts_in_use;
    weft::spawn([&] { at_the_end = weft::stats(); });
    weft::delay(10ms);
    // One to the scheduler coroutine, and one from there to this coroutine when the timer is due.
    EXPECT_EQ(weft::stats().switches, at_the_end.switches + 2);
    EXPECT_EQ(weft::stats().scheduler_switches, at_the_end.scheduler_switches + 1);
    EXPECT_EQ(weft::stats().contexts_in_use, in_use);
  });
}

// R-SWI-8
TEST(SwitchCountTest, NeedsTwoSwitchesOnlyThroughTheIdleScheduler) {
  weft::testing::run([] {
    Switches seen{};
    const Count* count = nullptr;
    weft::spawn([&] {
      weft::delay(10ms);
      seen = count->so_far();
      weft::delay(1h);
    });
    weft::suspend();
    const Count from_here;
    count = &from_here;
    weft::delay(30ms);  // the other becomes ready first
    EXPECT_EQ(seen, (Switches{2, 1}));
    EXPECT_EQ(from_here.so_far(), (Switches{4, 2}));
  });
}

// R-SWI-10
TEST(SwitchCountTest, FinalisesCancelledCoroutinesInlineAndGoesOnWithTheNext) {
  Log log;
  weft::testing::run([&] {
    std::vector<weft::Coroutine<void>> victims;
    for (int i = 0; i < 10; ++i) {
      victims.push_back(weft::spawn([&] { log.push_back("must not run"); }));
    }
    auto next = weft::spawn([&] { log.push_back("next"); });
    for (const auto& victim : victims) victim.cancel();
    const std::uint64_t contexts = weft::stats().contexts_created + weft::stats().contexts_reused;
    const Count count;
    weft::await(next);
    EXPECT_EQ(count.so_far(), (Switches{2, 0}));  // to `next` and back
    EXPECT_EQ(weft::stats().contexts_created + weft::stats().contexts_reused, contexts + 1);
    for (const auto& victim : victims) EXPECT_TRUE(victim.is_cancelled());
  });
  EXPECT_EQ(log, (Log{"next"}));
}

// R-SWI-10, R-SWI-15
TEST(SwitchCountTest, OfOneCancelledBeforeItsStartIsNone) {
  weft::testing::run([] {
    auto victim = weft::spawn([] {});
    victim.cancel();
    const Count count;
    EXPECT_THROW(weft::await(victim), weft::Cancelled);
    EXPECT_EQ(count.so_far(), (Switches{0, 0}));
  });
}

// R-SWI-10, R-SWI-15: destructors of captures may suspend, so they run on a stack, which all share.
TEST(SwitchCountTest, OfThoseCancelledBeforeTheirStartWithCapturesIsThatOfOneThatReturns) {
  weft::testing::run([] {
    auto capture = std::make_shared<int>(0);
    std::vector<weft::Coroutine<void>> victims;
    for (int i = 0; i < 100; ++i) victims.push_back(weft::spawn([capture] {}));
    for (const auto& victim : victims) victim.cancel();
    const Count count;
    EXPECT_THROW(weft::await(victims.back()), weft::Cancelled);
    EXPECT_EQ(count.so_far(), (Switches{2, 0}));  // to the first and back from the last
    EXPECT_EQ(capture.use_count(), 1);
  });
}

}  // namespace
