#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace protect_test {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

// R-CAN-10
TEST(Protect, DefersACancellationToTheEndOfTheSection) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      log.push_back(text(error_of([&] {
        weft::protect([&] {
          weft::delay(10ms);
          log.emplace_back("still inside");
          weft::suspend();
          log.emplace_back("last line inside");
        });
        log.emplace_back("never");
      })));
    });
    weft::suspend();
    EXPECT_TRUE(worker.base().is_protected());
    worker.cancel("first");
    worker.cancel("second");
    EXPECT_TRUE(worker.is_cancellation_requested());
    EXPECT_FALSE(worker.is_queued());
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"still inside", "last line inside", "cancelled: first"}));
}

// R-CAN-10
TEST(Protect, IsOverAfterItsEnd) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      weft::protect([&] { weft::delay(1ms); });
      EXPECT_FALSE(weft::current().base().is_protected());
      log.push_back(text(error_of([&] { weft::delay(1h); })));
    });
    weft::delay(10ms);
    worker.cancel("outside");
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"cancelled: outside"}));
}

// R-CAN-10
TEST(Protect, DefersACancellationPointInside) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      log.push_back(text(error_of([&] {
        weft::protect([&] {
          weft::current().cancel("by myself");
          weft::cancellation_point();
          weft::suspend();
          log.emplace_back("last line inside");
        });
      })));
    });
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"last line inside", "cancelled: by myself"}));
}

// R-CAN-10
TEST(Protect, KeepsTheDeferredCancellationWhenTheSectionFails) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      log.push_back(text(error_of([&] {
        weft::protect([&] {
          weft::delay(1ms);
          throw std::runtime_error{"section failed"};
        });
      })));
      log.push_back(text(error_of([&] { weft::delay(1h); })));
    });
    weft::suspend();
    worker.cancel("deferred");
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"section failed", "cancelled: deferred"}));
}

// R-CAN-11
TEST(Protect, ReturnsTheValueOfTheSection) {
  weft::testing::run([] {
    EXPECT_EQ(weft::protect([] { return 5; }), 5);
    int target = 1;
    int& reference = weft::protect([&]() -> int& { return target; });
    EXPECT_EQ(&reference, &target);
    EXPECT_EQ(*weft::protect([] { return std::make_unique<int>(6); }), 6);
  });
}

// R-CAN-11
TEST(Protect, LosesTheValueWhenADeferredCancellationIsThrown) {
  weft::testing::run([] {
    int value = 0;
    auto worker = weft::spawn([&] {
      value = weft::protect([] {
        weft::delay(1ms);
        return 5;
      });
    });
    weft::suspend();
    worker.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(worker); })));
    EXPECT_EQ(value, 0);
  });
}

// R-CAN-11
TEST(Protect, OutsideACoroutineIsAPlainCall) {
  EXPECT_EQ(weft::protect([] { return 5; }), 5);
  EXPECT_EQ(text(error_of([] { weft::protect([] { throw std::runtime_error{"mine"}; }); })),
            "mine");
}

// R-CAN-12
TEST(Protect, NestsAndEndsWithTheOutermostSection) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      log.push_back(text(error_of([&] {
        weft::protect([&] {
          weft::protect([&] { weft::delay(10ms); });
          log.emplace_back("inner section over");
          weft::delay(10ms);
          log.emplace_back("outer section over");
        });
        log.emplace_back("never");
      })));
    });
    weft::suspend();
    worker.cancel("deferred");
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"inner section over", "outer section over", "cancelled: deferred"}));
}

// R-CAN-12
TEST(Protect, NestsAlsoForACancellationBetweenTheTwoEnds) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      log.push_back(text(error_of([&] {
        weft::protect([&] {
          weft::protect([] { weft::suspend(); });
          weft::delay(10ms);
          log.emplace_back("outer section over");
        });
      })));
    });
    weft::delay(5ms);
    worker.cancel("deferred");
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"outer section over", "cancelled: deferred"}));
}

// R-CAN-13, R-SHU-8
TEST(Protect, IsIgnoredByGracefulShutdown) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn(
            [&] { log.push_back(text(error_of([] { weft::protect([] { weft::delay(1h); }); }))); });
        weft::spawn([] {
          weft::delay(1ms);
          weft::shutdown();
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown"}));
}

// R-CAN-13, R-SHU-8
TEST(Protect, IsIgnoredByGracefulShutdownAlsoWithADeferredCancellation) {
  Log log;
  weft::testing::run(
      [&] {
        auto worker = weft::spawn([&] {
          const weft::TimePoint start = weft::now();
          log.push_back(text(error_of([] { weft::protect([] { weft::delay(1h); }); })));
          EXPECT_LT(weft::now() - start, 1h);
        });
        weft::suspend();
        worker.cancel("deferred");
        weft::spawn([] { weft::shutdown(); });
      },
      quiet());
  // The first reason is kept (R-CAN-8), but the cancellation is not deferred any more.
  EXPECT_EQ(log, (Log{"cancelled: deferred"}));
}

struct Slow {
  Log& log;
  explicit Slow(Log& given) : log{given} {}
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  ~Slow() {
    weft::delay(10ms);
    log.emplace_back("slow destructor done");
  }
};

// R-CAN-2, trap 11: a destructor that suspends while unwinding may not throw, so the cancellation
// is deferred to the next suspension outside of unwinding.
TEST(Protect, ShieldsADestructorThatSuspendsWhileUnwinding) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      try {
        const Slow slow{log};
        throw std::runtime_error{"unwinding"};
      } catch (const std::runtime_error& error) {
        log.emplace_back(error.what());
      }
      log.push_back(text(error_of([] { weft::delay(1h); })));
    });
    weft::suspend();
    worker.cancel("meanwhile");
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"slow destructor done", "unwinding", "cancelled: meanwhile"}));
}

// R-CAN-2: a second cancellation arrives while the first unwinds.
TEST(Protect, ShieldsADestructorThatSuspendsDuringACancellation) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      const Slow slow{log};
      weft::delay(1h);
    });
    weft::suspend();
    worker.cancel("first");
    weft::suspend();
    worker.cancel("second");
    log.push_back(text(error_of([&] { weft::await(worker); })));
  });
  EXPECT_EQ(log, (Log{"slow destructor done", "cancelled: first"}));
}

// R-CAN-13: a shutdown does not cancel a destructor that suspends while unwinding, which would end
// the process.
TEST(Protect, ShieldsADestructorThatSuspendsDuringAShutdown) {
  Log log;
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          const Slow slow{log};
          weft::delay(1h);
        });
        weft::spawn([] {
          weft::delay(1ms);
          weft::shutdown();
        });
      },
      quiet());
  EXPECT_EQ(log, (Log{"slow destructor done"}));
}

}  // namespace protect_test
