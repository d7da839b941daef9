#include "weft/run_on_cores.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "weft/weft.hpp"

using namespace std::chrono_literals;

TEST(RunOnCoresThreadTest, RunsOneRuntimeInEachThread) {
  std::mutex mutex;
  std::set<unsigned> cores;
  std::set<std::thread::id> threads;
  weft::run_on_cores(3, [&](unsigned core) {
    weft::await(weft::spawn([] { weft::suspend(); }));  // each core has a runtime
    const std::lock_guard lock{mutex};
    cores.insert(core);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(cores, (std::set<unsigned>{0, 1, 2}));
  EXPECT_EQ(threads.size(), 3U);
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 1U);
}

TEST(RunOnCoresThreadTest, TakesABodyThatDoesNotAskWhichOneItIs) {
  std::atomic<int> runs{0};
  weft::run_on_cores(2, [&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

TEST(RunOnCoresThreadTest, ShutsTheOthersDownWhenOneFailsAndThrowsThatFailure) {
  std::atomic<int> cancelled{0};
  const auto body = [&](unsigned core) {
    if (core == 1) throw std::runtime_error{"core 1"};
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      ++cancelled;
      throw;
    }
  };
  try {
    weft::run_on_cores(3, body);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "core 1");
  }
  EXPECT_EQ(cancelled, 2);
}

// trap 73: one core has ended, and the others go on for ever.
TEST(RunOnCoresThreadTest, AShutdownOfOneIsAShutdownOfAll) {
  std::atomic<int> cancelled{0};
  weft::run_on_cores(3, [&](unsigned core) {
    if (core == 1) weft::shutdown();
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      ++cancelled;
      throw;
    }
  });
  EXPECT_EQ(cancelled, 3);
}

TEST(RunOnCoresThreadTest, ReachesWhatGoesOnAfterTheMainBodyReturned) {
  weft::Trigger left;  // fires when the main body of core 0 has returned
  std::atomic<bool> cancelled{false};
  EXPECT_THROW(weft::run_on_cores(2,
                                  [&](unsigned core) {
                                    if (core == 1) {
                                      weft::await(left);
                                      throw std::runtime_error{"core 1"};
                                    }
                                    weft::spawn([&] {
                                      left.fire();
                                      try {
                                        weft::delay(1h);
                                      } catch (const weft::Cancelled&) {
                                        cancelled = true;
                                        throw;
                                      }
                                    });
                                  }),
               std::runtime_error);
  EXPECT_TRUE(cancelled);
}

TEST(LinuxRunOnCoresTest, PinsAndLetsTheCallingThreadGoAgain) {
  cpu_set_t before;
  ASSERT_EQ(::pthread_getaffinity_np(::pthread_self(), sizeof before, &before), 0);
  weft::run_on_cores(1, [&](unsigned) {
    cpu_set_t now;
    ASSERT_EQ(::pthread_getaffinity_np(::pthread_self(), sizeof now, &now), 0);
    EXPECT_EQ(CPU_COUNT(&now), 1);
  });
  cpu_set_t after;
  ASSERT_EQ(::pthread_getaffinity_np(::pthread_self(), sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(RunOnCoresTest, RefusesToBeCalledInsideARuntime) {
  weft::run([] { EXPECT_THROW(weft::run_on_cores(1, [] {}), weft::MisuseError); });
}

TEST(RunOnCoresTest, RefusesANumberThatIsSurelyAMistake) {
  EXPECT_THROW(weft::run_on_cores(1'025, [] {}), weft::ValueError);
}

namespace {

/// Calls `end` in core 0 while the clean-up of core 1 takes long.
void end_in_the_first_core(void (*end)(), weft::Options options = {}) {
  std::atomic<bool> waiting{false};
  weft::run_on_cores(2,
                     [&](unsigned core) {
                       if (core == 0) {
                         while (!waiting) weft::delay(1ms);
                         end();
                         weft::delay(1h);
                       }
                       try {
                         waiting = true;
                         weft::delay(1h);
                       } catch (const weft::Cancelled&) {
                         weft::delay(20ms);
                         std::fprintf(stderr, "the other core cleaned up\n");
                         throw;
                       }
                     },
                     {.runtime = std::move(options)});
  std::fprintf(stderr, "run_on_cores returned\n");
}

}  // namespace

// R-SHU-5: the process exits after the end of its last runtime, not of that of the first thread.
TEST(RunOnCoresThreadDeathTest, ExitsWhenEveryCoreHasCleanedUp) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_in_the_first_core([] { weft::exit(7); }), ::testing::ExitedWithCode(7),
              "^the other core cleaned up\n$");
}

// R-SHU-5
TEST(RunOnCoresThreadDeathTest, EndsByAShutdownSignalWhenEveryCoreHasCleanedUp) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      end_in_the_first_core([] { ::kill(::getpid(), SIGTERM); }, {.shutdown_signals = {SIGTERM}}),
      ::testing::KilledBySignal(SIGTERM), "^the other core cleaned up\n$");
}

// R-SHU-5
TEST(RunOnCoresThreadTest, ThrowsTheRequestToExitIfAskedTo) {
  weft::Options options;
  options.exit_throws = true;
  try {
    weft::run_on_cores(2,
                       [](unsigned core) {
                         if (core == 1) weft::exit(5);
                         weft::delay(1h);
                       },
                       {.runtime = options});
    FAIL() << "nothing was thrown";
  } catch (const weft::ExitRequested& request) {
    EXPECT_EQ(request.code(), 5);
  }
}
