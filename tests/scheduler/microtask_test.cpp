#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace microtask_test {

using ::testing::ElementsAre;
using ::testing::StartsWith;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// A microtask that logs its run and its destruction.
class Noted final : public weft::Microtask {
 public:
  Noted(Log& log, std::string name) : log_{log}, name_{std::move(name)} {}
  ~Noted() override { log_.push_back(name_ + " destroyed"); }
  void run() override { log_.push_back(name_ + " runs"); }

 private:
  Log& log_;
  std::string name_;
};

// Frame addresses, not addresses of locals: a sanitizer may keep locals elsewhere.
[[gnu::noinline]] std::uintptr_t stack_here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// R-MT-1
TEST(MicrotaskTest, RunsOnTheStackOfTheCurrentCoroutineWithoutASwitch) {
  weft::testing::run([] {
    auto worker = weft::spawn([] {
      std::uintptr_t ran_on = 0;
      const weft::Stats before = weft::stats();
      weft::post_microtask([&] { ran_on = stack_here(); });
      EXPECT_EQ(ran_on, 0U);  // does not run inside the call
      weft::suspend();
      const std::uintptr_t here = stack_here();
      EXPECT_LT(ran_on > here ? ran_on - here : here - ran_on, std::uintptr_t{64} * 1024);
      EXPECT_EQ(weft::stats().switches, before.switches);
      EXPECT_EQ(weft::stats().contexts_created, before.contexts_created);
    });
    weft::await(worker);
  });
}

// R-MT-2
TEST(MicrotaskTest, HasAHandlerADestructorACancelledFlagAndACount) {
  Log log;
  {
    auto task = weft::make_ref<Noted>(log, "task");
    EXPECT_EQ(task->references(), 1U);
    task->retain();
    EXPECT_EQ(task->references(), 2U);
    task->release();
    EXPECT_FALSE(task->is_cancelled());
    task->cancel();
    EXPECT_TRUE(task->is_cancelled());
    EXPECT_TRUE(log.empty());
  }
  EXPECT_EQ(log, (Log{"task destroyed"}));
}

// R-MT-4
TEST(MicrotaskTest, RunsInOrderBeforeTheNextSwitch) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] {
      log.push_back("a");
      weft::post_microtask([&] { log.push_back("task of a"); });
      weft::suspend();
      log.push_back("a again");
    });
    weft::spawn([&] {
      log.push_back("b");
      weft::post_microtask([&] { log.push_back("task of b"); });
    });
    weft::post_microtask([&] { log.push_back("task 1"); });
    weft::post_microtask([&] { log.push_back("task 2"); });
    log.push_back("main");
    weft::suspend();
    log.push_back("main again");
  });
  EXPECT_EQ(log, (Log{"main", "task 1", "task 2", "a", "task of a", "b", "task of b", "main again",
                      "a again"}));
}

// R-MT-4
TEST(MicrotaskTest, RunsBeforeTheSwitchOfACoroutineThatEnds) {
  Log log;
  weft::testing::run([&] {
    auto ending = weft::spawn([&] {
      weft::post_microtask([&] { log.push_back("task"); });
      log.push_back("end of the body");
    });
    weft::await(ending);
    log.push_back("main");
  });
  EXPECT_EQ(log, (Log{"end of the body", "task", "main"}));
}

// R-MT-4, R-TICK-2: a callback of the reactor posts a microtask while coroutines are ready.
TEST(MicrotaskTest, OfAReactorCallbackRunsBeforeTheSwitchThatFollows) {
  constexpr int rounds = 50;
  int late = 0;
  int posted = 0;
  weft::testing::run([&] {
    std::uint64_t switches_at_post = 0;
    auto timer = weft::Timer::periodic(1ms);
    const auto posts = weft::make_ref<Call>([&](weft::Event&, const weft::Outcome&) {
      ++posted;
      switches_at_post = weft::stats().switches;
      weft::post_microtask([&] {
        if (weft::stats().switches != switches_at_post) ++late;
      });
    });
    timer.add_callback(*posts);
    timer.start();
    std::vector<weft::Coroutine<void>> others;
    for (int i = 0; i < 3; ++i) {
      others.push_back(weft::spawn([&] {
        while (posted < rounds) weft::suspend();
      }));
    }
    for (const auto& other : others) weft::await(other);
    timer.stop();
    timer.remove_callback(*posts);
  });
  EXPECT_GE(posted, rounds);
  EXPECT_EQ(late, 0);
}

// R-MT-5
TEST(MicrotaskTest, LeavesTheRestQueuedWhenOneThrows) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      weft::set_heartbeat([&] { log.push_back("tick"); });
      weft::post_microtask([&] {
        log.push_back("first");
        throw std::runtime_error{"task failed"};
      });
      weft::post_microtask([&] { log.push_back("second"); });
      weft::post_microtask([&] { log.push_back("third"); });
      try {
        weft::suspend();
      } catch (const weft::Cancelled& cancelled) {
        EXPECT_STREQ(cancelled.reason(), "Graceful shutdown");
      }
      weft::suspend();
      weft::set_heartbeat({});
    });
  });
  EXPECT_EQ(text(error), "task failed");
  // The other microtasks run after the pass that failed.
  ASSERT_GE(log.size(), 5U);
  log.resize(5);
  EXPECT_EQ(log, (Log{"tick", "first", "tick", "second", "third"}));
}

// R-MT-6
TEST(MicrotaskTest, IsReleasedAtOnceAfterItRan) {
  Log log;
  weft::testing::run([&] {
    auto kept = weft::make_ref<Noted>(log, "kept");
    weft::post_microtask(*kept);
    weft::post_microtask(*weft::make_ref<Noted>(log, "dropped"));
    weft::post_microtask([&] { log.push_back("next"); });
    EXPECT_EQ(kept->references(), 2U);
    EXPECT_TRUE(log.empty());  // the queue keeps the dropped microtask alive
    weft::suspend();
    EXPECT_EQ(kept->references(), 1U);
    EXPECT_EQ(log, (Log{"kept runs", "dropped runs", "dropped destroyed", "next"}));
    EXPECT_EQ(weft::stats().microtasks, 0U);
    weft::suspend();
    EXPECT_EQ(log.size(), 4U);  // no microtask runs twice
  });
}

// R-MT-6
TEST(MicrotaskTest, MayBePostedAgainAfterItRan) {
  Log log;
  weft::testing::run([&] {
    auto task = weft::make_ref<Noted>(log, "task");
    weft::post_microtask(*task);
    weft::suspend();
    weft::post_microtask(*task);
    weft::suspend();
    EXPECT_EQ(log, (Log{"task runs", "task runs"}));
    EXPECT_EQ(task->references(), 1U);
  });
}

// R-MT-7
TEST(MicrotaskTest, IsNotQueuedWhenItIsCancelledAlready) {
  Log log;
  weft::testing::run([&] {
    auto task = weft::make_ref<Noted>(log, "task");
    task->cancel();
    weft::post_microtask(*task);
    EXPECT_EQ(task->references(), 1U);
    EXPECT_EQ(weft::stats().microtasks, 0U);
    weft::suspend();
    EXPECT_TRUE(log.empty());
  });
}

// R-MT-7
TEST(MicrotaskTest, IsReleasedWithoutRunningWhenItIsCancelledInTheQueue) {
  Log log;
  weft::testing::run([&] {
    auto task = weft::make_ref<Noted>(log, "task");
    weft::post_microtask(*task);
    weft::post_microtask([&] { log.push_back("next"); });
    task->cancel();
    EXPECT_EQ(task->references(), 2U);
    weft::suspend();
    EXPECT_EQ(task->references(), 1U);
    EXPECT_EQ(log, (Log{"next"}));
    EXPECT_EQ(weft::stats().microtasks, 0U);
  });
}

// R-MT-8
TEST(MicrotaskTest, RunsWhatAMicrotaskPostsInTheSamePass) {
  Log log;
  weft::testing::run([&] {
    weft::set_heartbeat([&] { log.push_back("tick"); });
    weft::post_microtask([&] {
      log.push_back("first");
      weft::post_microtask([&] {
        log.push_back("posted by first");
        weft::post_microtask([&] { log.push_back("posted by that"); });
      });
    });
    weft::post_microtask([&] { log.push_back("second"); });
    weft::spawn([&] { log.push_back("coroutine"); });
    weft::suspend();
    weft::set_heartbeat({});
    log.resize(6);
  });
  EXPECT_EQ(log,
            (Log{"tick", "first", "second", "posted by first", "posted by that", "coroutine"}));
}

// R-MT-9, R-SUS-11
TEST(MicrotaskTest, MayNotSuspend) {
  Doorbell bell;
  Log log;
  weft::testing::run([&] {
    weft::post_microtask([&] {
      log.push_back(text(error_of([] { weft::suspend(); })));
      log.push_back(text(error_of([&] { weft::await(bell); })));
      log.push_back(text(error_of([] { weft::delay(1ms); })));
    });
    weft::spawn([&] { log.push_back("the next coroutine"); });
    weft::suspend();
  });
  const auto refusal = StartsWith("A coroutine cannot be stopped from the Scheduler context");
  EXPECT_THAT(log, ElementsAre(refusal, refusal, refusal, "the next coroutine"));
  EXPECT_EQ(bell.subscribers(), 0U);
}

// R-MT-9
TEST(MicrotaskTest, MayNotUseOperationsReservedToCoroutinesWhenNoneRuns) {
  Log log;
  weft::testing::run([&] {
    auto ending = weft::spawn([&] {
      // Runs between the end of this coroutine and the next one: no coroutine is current.
      weft::post_microtask([&] {
        log.push_back(text(error_of([] { static_cast<void>(weft::current()); })));
        log.push_back(text(
            error_of([&] { weft::run_on_main_stack([&] { log.push_back("must not run"); }); })));
      });
    });
    weft::await(ending);
  });
  const auto refusal = StartsWith("The operation cannot be executed in the scheduler context");
  EXPECT_THAT(log, ElementsAre(refusal, refusal));
}

}  // namespace microtask_test
