#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

[[noreturn]] void fail(const char* what) { throw std::runtime_error{what}; }

// R-SHU-9
TEST(FinalShutdown, CancelsAgainWhenAnotherErrorIsUnhandled) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            log.push_back("slow: " + text(error_of([] { weft::delay(1h); })));
            const weft::TimePoint start = weft::now();
            log.push_back("slow: " + text(error_of([] { weft::delay(24h); })));
            EXPECT_LT(weft::now() - start, 1h);
          });
          weft::spawn([&] {
            log.push_back("bad: " + text(error_of([] { weft::delay(1h); })));
            weft::delay(1ms);
            fail("second");
          });
          weft::spawn([] {
            weft::delay(1ms);
            fail("first");
          });
        },
        quiet());
  });
  EXPECT_EQ(text(error), "first");
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0], "bad: cancelled: Graceful shutdown");
  EXPECT_EQ(log[1], "slow: cancelled: Graceful shutdown");
  EXPECT_EQ(log[2].substr(0, 15), "slow: cancelled");
}

// R-SHU-9
TEST(FinalShutdown, StillRunsMicrotasks) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            weft::post_microtask([&] { log.emplace_back("microtask"); });
            fail("second");
          });
          weft::spawn([] {
            weft::delay(1ms);
            fail("first");
          });
        },
        quiet());
  });
  EXPECT_EQ(text(error), "first");
  EXPECT_EQ(log, (Log{"microtask"}));
}

// R-SHU-9, R-SHU-6: no coroutine is left parked in its clean-up; every frame is unwound.
TEST(FinalShutdown, UnwindsAlsoCoroutinesThatWaitOnceMore) {
  auto held = std::make_shared<int>(1);
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([held] {
            const std::shared_ptr<int> on_the_stack = held;
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            weft::suspend();
            weft::delay(1ms);
          });
          weft::spawn([] {
            weft::delay(1ms);
            weft::post_microtask([] { fail("second"); });
            fail("first");
          });
        },
        quiet());
  });
  EXPECT_NE(error, nullptr);
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(weft::stats().coroutines, 0U);
  EXPECT_EQ(weft::stats().contexts_in_use, 0U);
}

// R-SHU-10, R-EXC-9
TEST(FinalShutdown, KeepsTheFirstCauseAndChainsTheLaterOnes) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          weft::spawn([] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            fail("second");
          });
          weft::suspend();
          fail("first");
        },
        quiet());
  });
  EXPECT_EQ(text(error), "first");
  EXPECT_EQ(text(weft::previous(error)), "second");
}

// R-SHU-10
TEST(FinalShutdown, ThrowsTheCauseAtTheVeryEnd) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([&] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            weft::delay(1ms);
            log.emplace_back("cleaned up");
          });
          weft::spawn([] { fail("cause"); });
          log.push_back("main " + text(error_of([] { weft::delay(1h); })));
        },
        quiet());
  });
  log.push_back("run " + text(error));
  EXPECT_EQ(log, (Log{"cleaned up", "main cancelled: Graceful shutdown", "run cause"}));
}

/// The number in the warning about microtasks; 0 without a warning.
int reported(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    if (warning.find(" microtasks were not executed") != std::string::npos) {
      return std::stoi(warning);
    }
  }
  return 0;
}

// R-SHU-13, R-MT-5
TEST(FinalShutdown, ExecutesOrReportsMicrotasksBehindOneThatFailed) {
  constexpr int posted = 20;
  int executed = 0;
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          for (int i = 0; i < posted; ++i) {
            weft::post_microtask([&] {
              ++executed;
              fail("microtask");
            });
          }
        },
        collecting(warnings));
  });
  EXPECT_EQ(text(error), "microtask");
  EXPECT_EQ(executed + reported(warnings), posted);
  EXPECT_EQ(weft::stats().microtasks, 0U);
}

// R-SHU-13
TEST(FinalShutdown, FreesMicrotasksThatWereNotExecuted) {
  auto captured = std::make_shared<int>(1);
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          for (int i = 0; i < 20; ++i) {
            weft::post_microtask([captured] { fail("microtask"); });
          }
        },
        quiet());
  });
  EXPECT_EQ(text(error), "microtask");
  EXPECT_EQ(captured.use_count(), 1);
}

}  // namespace
