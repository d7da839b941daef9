#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

/// Spawns a coroutine that calls shutdown() a little later.
void shut_down_soon(std::string reason = {}) {
  weft::spawn([reason = std::move(reason)] {
    weft::delay(1ms);
    if (reason.empty()) {
      weft::shutdown();
    } else {
      weft::shutdown(reason);
    }
  });
}

// R-SHU-3
TEST(MainEnd, LetsTheOthersRunToTheirEnd) {
  Log log;
  const int result = weft::testing::run([&] {
    weft::spawn([&] {
      weft::delay(1h);
      weft::spawn([&] {
        weft::delay(1h);
        log.emplace_back("grandchild done");
      });
      log.emplace_back("child done");
    });
    log.emplace_back("main done");
    return 5;
  });
  log.emplace_back("after run");
  EXPECT_EQ(result, 5);
  EXPECT_EQ(log, (Log{"main done", "child done", "grandchild done", "after run"}));
}

/// Spawns a coroutine in its destructor.
class SpawnsAtItsEnd {
 public:
  explicit SpawnsAtItsEnd(Log& log) : log_{&log} {}
  SpawnsAtItsEnd(const SpawnsAtItsEnd&) = delete;
  SpawnsAtItsEnd& operator=(const SpawnsAtItsEnd&) = delete;
  ~SpawnsAtItsEnd() {
    weft::spawn([log = log_] {
      weft::delay(1ms);
      log->emplace_back("spawned by a destructor");
    });
  }

 private:
  Log* log_;
};

// R-SHU-3
TEST(MainEnd, LetsAlsoThoseRunThatADestructorSpawned) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&log, last = std::make_unique<SpawnsAtItsEnd>(log)] {
      log.emplace_back("last body done");
    });
  });
  EXPECT_EQ(log, (Log{"last body done", "spawned by a destructor"}));
}

// R-SHU-3
TEST(MainEnd, LetsAlsoThoseRunThatALateFinallyHandlerSpawned) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([] {}).on_finally([&] {
      weft::spawn([&] {
        weft::delay(1ms);
        log.emplace_back("spawned by a handler");
      });
    });
  });
  EXPECT_EQ(log, (Log{"spawned by a handler"}));
}

// R-SHU-3
TEST(MainEnd, LeavesTheThreadReadyForTheNextRun) {
  EXPECT_EQ(weft::testing::run([] { return 1; }), 1);
  EXPECT_TRUE(is<std::runtime_error>(
      error_of([] { weft::testing::run([] { throw std::runtime_error{"second"}; }, quiet()); })));
  EXPECT_EQ(weft::testing::run([] { return weft::await(weft::spawn([] { return 3; })); }), 3);
}

// R-SHU-5, R-SHU-6
TEST(Shutdown, CancelsAllLetsThemCleanUpAndThenStops) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          const std::exception_ptr error = error_of([] { weft::delay(1h); });
          log.push_back(text(error));
          weft::delay(5ms);
          log.emplace_back("connection closed");
        });
        weft::spawn([&] {
          Doorbell bell;
          const std::exception_ptr error = error_of([&] { weft::await(bell); });
          log.push_back(text(error));
          weft::suspend();
          log.emplace_back("transaction rolled back");
        });
        shut_down_soon();
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "cancelled: Graceful shutdown",
                      "transaction rolled back", "connection closed"}));
  const weft::Stats stats = weft::stats();
  EXPECT_EQ(stats.coroutines, 0U);
  EXPECT_EQ(stats.queued, 0U);
  EXPECT_EQ(stats.microtasks, 0U);
  EXPECT_EQ(stats.active_events, 0U);
  EXPECT_EQ(stats.armed_timers, 0U);
  EXPECT_EQ(stats.contexts_in_use, 0U);
}

// R-SHU-6
TEST(Shutdown, RunsMicrotasksThatWerePosted) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          weft::shutdown();
          weft::post_microtask([&] { log.emplace_back("microtask"); });
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"microtask"}));
}

// R-SHU-6: the coroutine that calls shutdown() is cancelled like the others, at its next
// suspension.
TEST(Shutdown, CancelsItsRequesterToo) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          weft::shutdown("last order");
          log.emplace_back("goes on");
          log.push_back(text(error_of([] { weft::delay(1h); })));
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"goes on", "cancelled: last order"}));
}

// R-SHU-6: run() has no value to return when the cancellation left the main body.
TEST(Shutdown, ThatEndsTheMainBodyIsThrownFromRun) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        []() -> int {
          shut_down_soon("closing");
          weft::delay(1h);
          return 1;
        },
        quiet());
  });
  EXPECT_EQ(text(error), "cancelled: closing");
}

// R-SHU-7
TEST(Shutdown, RequestedASecondTimeDoesNothing) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          log.push_back(text(error_of([] { weft::delay(1h); })));
          weft::shutdown("second");
          weft::suspend();  // cleaning up: not cancelled again
          weft::delay(5ms);
          log.emplace_back("cleaned up");
        });
        shut_down_soon("first");
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: first", "cleaned up"}));
}

// R-SHU-8
TEST(Shutdown, DropsThoseThatHaveNotStarted) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          auto unborn = weft::spawn([&] { log.emplace_back("body"); });
          weft::shutdown("closing");
          EXPECT_EQ(unborn.base().waker().status(), weft::Waker::Status::ignored);
          const std::exception_ptr own = error_of([] { weft::cancellation_point(); });
          EXPECT_EQ(text(own), "cancelled: closing");
          log.push_back("unborn " + text(error_of([&] { weft::await(unborn); })));
          EXPECT_FALSE(unborn.is_started());
          EXPECT_TRUE(unborn.is_cancelled());
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"unborn cancelled: closing"}));
}

// R-SHU-11
TEST(Shutdown, CancelsAtOnceWhatIsSpawnedAfterIt) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          log.push_back(text(error_of([] { weft::delay(1h); })));
          auto late = weft::spawn([&] { log.emplace_back("body"); });
          log.push_back("late " + text(error_of([&] { weft::await(late); })));
          EXPECT_TRUE(late.is_cancelled());
          EXPECT_FALSE(late.is_started());
        });
        shut_down_soon("closing");
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: closing", "late cancelled: closing"}));
}

// R-SHU-11: coroutines that run finally handlers are not cancelled, even if the handler was
// registered late.
TEST(Shutdown, DoesNotCancelFinallyHandlersThatAreRegisteredAfterIt) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          weft::current().on_finally([&] {
            weft::delay(1ms);
            log.emplace_back("first handler");
          });
          log.push_back(text(error_of([] { weft::delay(1h); })));
          weft::current().on_finally([&] {
            weft::delay(1ms);
            log.emplace_back("second handler");
          });
        });
        shut_down_soon();
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "first handler", "second handler"}));
}

// R-SHU-12, R-CAN-9
TEST(Shutdown, GivesItsReasonToTheCoroutines) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] { log.push_back(text(error_of([] { weft::delay(1h); }))); });
        shut_down_soon("moving house");
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: moving house"}));
}

// R-SHU-6
TEST(Shutdown, IsWhatTheEndOfARuntimeObjectDoesToThoseLeft) {
  Log log;
  {
    weft::testing::VirtualClock clock;
    weft::Options options = quiet();
    options.clock = &clock;
    weft::Runtime runtime{std::move(options)};
    runtime.spawn([&] {
      log.push_back(text(error_of([] { weft::delay(1h); })));
      weft::delay(1ms);
      log.emplace_back("cleaned up");
    });
    runtime.tick();
    EXPECT_EQ(log, Log{});
  }
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "cleaned up"}));
}

}  // namespace
