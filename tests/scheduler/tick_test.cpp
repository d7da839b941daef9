#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "scripted_driver.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;
using weft_test::ScriptedDriver;
using namespace std::chrono_literals;

// R-TICK-1, R-TICK-2, R-REA-2
TEST(TickTest, PollsWithoutWaitingWhileBusyAndWaitsWhenTheQueueIsEmpty) {
  Log log;
  ScriptedDriver outside;
  weft::run(
      [&] {
        Doorbell bell;
        weft::spawn([&] {
          log.push_back("a");
          weft::post_microtask([&] { log.push_back("microtask"); });
          outside.advance(5ms);
        });
        weft::spawn([&] {
          log.push_back("b");
          outside.advance(5ms);
        });
        outside.play([&](weft::Wait wait) {
          log.push_back(wait == weft::Wait::yes ? "wait" : "look");
          if (wait == weft::Wait::no) return;
          outside.end();
          bell.ring();
        });
        outside.advance(5ms);
        weft::await(bell);
        log.push_back("main");
      },
      outside.options());
  EXPECT_EQ(log, (Log{"look", "a", "microtask", "look", "b", "look", "wait", "main"}));
}

// R-TICK-2
TEST(TickTest, GoesThroughItsStepsInOrder) {
  Log log;
  ScriptedDriver outside;
  weft::run(
      [&] {
        weft::spawn([&] { log.push_back("coroutine"); });
        weft::set_heartbeat([&] {
          if (log.empty()) log.push_back("heartbeat");
        });
        weft::post_microtask([&] { log.push_back("microtask"); });
        outside.play([&](weft::Wait) {
          log.push_back("reactor");
          outside.end();
        });
        outside.advance(5ms);
        weft::suspend();
        weft::set_heartbeat({});
      },
      outside.options());
  EXPECT_EQ(log, (Log{"heartbeat", "microtask", "reactor", "coroutine"}));
}

// R-TICK-2, R-SUS-8, R-SWI-2
TEST(TickTest, ChecksItsOwnOutcomeAfterTheReactorAndBeforeTheNextCoroutine) {
  Log log;
  ScriptedDriver outside;
  weft::run(
      [&] {
        Doorbell bell;
        weft::spawn([&] { log.push_back("coroutine"); });
        outside.play([&](weft::Wait) {
          log.push_back("reactor");
          outside.end();
          bell.ring();
        });
        outside.advance(5ms);
        const weft::Stats before = weft::stats();
        weft::await(bell);
        log.push_back("main");
        EXPECT_EQ(weft::stats().switches, before.switches);
      },
      outside.options());
  EXPECT_EQ(log, (Log{"reactor", "main", "coroutine"}));
}

// R-TICK-3
TEST(TickTest, KeepsTheContextOfASuspendedCoroutineAndFreesThatOfAnEndedOne) {
  weft::testing::run([] {
    const weft::Stats before = weft::stats();
    Doorbell bell;
    auto parked = weft::spawn([&] { weft::await(bell); });
    auto ended = weft::spawn([] {});
    weft::await(ended);
    EXPECT_FALSE(parked.is_completed());
    EXPECT_EQ(weft::stats().contexts_in_use, before.contexts_in_use + 1);
    EXPECT_EQ(weft::stats().contexts_pooled, before.contexts_pooled + 1);
    const std::uint64_t created = weft::stats().contexts_created;
    weft::await(weft::spawn([] {}));
    EXPECT_EQ(weft::stats().contexts_created, created);  // a pooled context was used
    bell.ring();
    weft::await(parked);
    EXPECT_EQ(weft::stats().contexts_in_use, before.contexts_in_use);
  });
}

// R-TICK-3
TEST(TickTest, LeavesTheLoopAfterAShutdown) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] {
      try {
        for (;;) weft::suspend();
      } catch (const weft::Cancelled& cancelled) {
        log.push_back(cancelled.reason());
      }
    });
    weft::suspend();
    weft::shutdown();
  });
  EXPECT_EQ(log, (Log{"Graceful shutdown"}));
}

// R-TICK-5
TEST(TickTest, RunsUntilNoCoroutineIsLeft) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] {
      weft::delay(1h);
      weft::spawn([&] { log.push_back("spawned late"); });
    });
  });
  EXPECT_EQ(log, (Log{"spawned late"}));
}

// R-TICK-5
TEST(TickTest, RunsUntilNoMicrotaskIsLeft) {
  Log log;
  weft::testing::run([&] {
    weft::post_microtask([&] {
      log.push_back("microtask");
      weft::post_microtask([&] { log.push_back("posted by it"); });
    });
  });
  EXPECT_EQ(log, (Log{"microtask", "posted by it"}));
  EXPECT_EQ(weft::stats().microtasks, 0U);
}

// R-TICK-5
TEST(TickTest, RunsUntilNoVisibleEventIsLeft) {
  Log log;
  Call callback{[&](weft::Event&, const weft::Outcome&) { log.push_back("fired"); }};
  weft::Timer timer{10ms};
  timer.add_callback(callback);
  weft::testing::run([&] {
    timer.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
  });
  timer.remove_callback(callback);
  EXPECT_EQ(log, (Log{"fired"}));
}

// R-TICK-5
TEST(TickTest, DoesNotWaitForAHiddenEvent) {
  Log log;
  Call callback{[&](weft::Event&, const weft::Outcome&) { log.push_back("fired"); }};
  weft::Timer timer{10ms};
  timer.set_hidden(true);
  timer.add_callback(callback);
  weft::testing::run([&] { timer.start(); });
  timer.remove_callback(callback);
  EXPECT_TRUE(log.empty());
}

// R-TICK-6
TEST(TickTest, BeatsOncePerTickBeforeTheMicrotasks) {
  int beats = 0;
  weft::testing::run([&] {
    weft::set_heartbeat([&] { ++beats; });
    for (int i = 1; i <= 5; ++i) {
      int seen = 0;
      weft::post_microtask([&] { seen = beats; });
      weft::suspend();
      EXPECT_EQ(seen, i);
      EXPECT_EQ(beats, i);
    }
    weft::set_heartbeat({});
    weft::suspend();
    EXPECT_EQ(beats, 5);
  });
}

// R-TICK-6
TEST(TickTest, BeatsInTheTicksOfTheIdleLoopToo) {
  Log log;
  Call callback{[&](weft::Event&, const weft::Outcome&) { log.push_back("timer"); }};
  weft::Timer timer{10ms, weft::Timer::Kind::periodic};
  timer.add_callback(callback);
  weft::testing::run([&] {
    timer.start();
    weft::set_heartbeat([&] { log.push_back("beat"); });
    weft::delay(25ms);
    weft::set_heartbeat({});
    timer.close();
  });
  timer.remove_callback(callback);
  // There is at least one beat, so a pass, between two calls of the timer.
  log.erase(std::unique(log.begin(), log.end()), log.end());
  EXPECT_EQ(log, (Log{"beat", "timer", "beat", "timer", "beat"}));
}

// R-TICK-6
TEST(TickTest, ReturnsThePreviousHeartbeat) {
  weft::testing::run([] {
    int first = 0;
    int second = 0;
    EXPECT_FALSE(weft::set_heartbeat([&] { ++first; }));
    weft::Function<void()> previous = weft::set_heartbeat([&] { ++second; });
    ASSERT_TRUE(previous);
    previous();
    EXPECT_EQ(first, 1);
    weft::suspend();
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 1);
    weft::set_heartbeat({});
  });
}

/// Logs its destruction.
class Mark {
 public:
  explicit Mark(Log& log) : log_{&log} {}
  Mark(Mark&& other) noexcept : log_{std::exchange(other.log_, nullptr)} {}
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;
  Mark& operator=(Mark&&) = delete;
  ~Mark() {
    if (log_ != nullptr) log_->push_back("destroyed");
  }
  void note(const char* text) const { log_->push_back(text); }

 private:
  Log* log_;
};

// R-TICK-6
TEST(TickTest, LetsAHeartbeatReplaceItself) {
  Log log;
  weft::testing::run([&] {
    weft::set_heartbeat([mark = Mark{log}] {
      mark.note("first");
      weft::set_heartbeat({});
      mark.note("still there");
    });
    weft::suspend();
    weft::suspend();
    log.push_back("end");
  });
  EXPECT_EQ(log, (Log{"first", "still there", "destroyed", "end"}));
}

// R-TICK-6
TEST(TickTest, GivesAHeartbeatThatReplacesItselfBackToBeCalledLater) {
  Log log;
  weft::testing::run([&] {
    weft::Function<void()> previous;
    weft::set_heartbeat([&previous, mark = Mark{log}] {
      mark.note("first");
      if (!previous) previous = weft::set_heartbeat([] {});
    });
    weft::suspend();
    ASSERT_TRUE(previous);
    previous();
    previous = {};
    weft::set_heartbeat({});
  });
  EXPECT_EQ(log, (Log{"first", "first", "destroyed"}));
}

// R-TICK-6: also in ticks of the idle loop.
TEST(TickTest, LetsAHeartbeatOfTheIdleLoopReplaceItself) {
  Log log;
  bool idle = false;
  weft::testing::run([&] {
    weft::set_heartbeat([&idle, mark = Mark{log}] {
      if (!idle) return;
      weft::set_heartbeat({});
      mark.note("still there");
    });
    weft::post_microtask([&] { idle = true; });  // runs after the heartbeat of this tick
    weft::delay(1ms);
  });
  EXPECT_EQ(log, (Log{"still there", "destroyed"}));
}

}  // namespace
