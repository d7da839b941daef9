#include <atomic>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "threads.hpp"

namespace {

using weft_test::Gate;
using weft_test::Log;
using weft_test::run_until;

constexpr int worker_count = 4;

// R-TSK-1
TEST(BlockingThreadTest, RunsOnAnotherThreadAndGivesTheValue) {
  std::thread::id called_on;
  const std::string text = weft::run([&] {
    return weft::blocking([&] {
      called_on = std::this_thread::get_id();
      return std::string{"done"};
    });
  });
  EXPECT_EQ(text, "done");
  EXPECT_NE(called_on, std::this_thread::get_id());
  EXPECT_NE(called_on, std::thread::id{});
}

TEST(BlockingThreadTest, CarriesVoidReferencesAndWhatCannotBeCopied) {
  weft::run([] {
    int number = 1;
    weft::blocking([&] { number = 2; });
    int& same = weft::blocking([&]() -> int& { return number; });
    EXPECT_EQ(&same, &number);
    const std::unique_ptr<int> made = weft::blocking([] { return std::make_unique<int>(3); });
    EXPECT_EQ(*made, 3);
    auto only = std::make_unique<int>(4);
    EXPECT_EQ(weft::blocking([only = std::move(only)] { return *only; }), 4);
  });
}

TEST(BlockingThreadTest, ThrowsWhatTheCallThrows) {
  weft::run([] {
    try {
      weft::blocking([]() -> int { throw std::runtime_error{"from the worker"}; });
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "from the worker");
    }
  });
}

TEST(BlockingThreadTest, LetsTheOthersRunMeanwhile) {
  Log log;
  weft::run([&] {
    std::binary_semaphore go{0};
    auto other = weft::spawn([&] {
      log.push_back("other");
      go.release();  // the call cannot end unless this coroutine runs
    });
    weft::blocking([&] { go.acquire(); });
    log.push_back("call ended");
  });
  EXPECT_EQ(log, (Log{"other", "call ended"}));
}

TEST(BlockingThreadTest, RunsFourCallsAtOnceAndQueuesTheRest) {
  weft::run([] {
    Gate gate;
    std::atomic<int> most{0};
    std::vector<weft::Coroutine<void>> calls;
    for (int i = 0; i < 3 * worker_count; ++i) {
      calls.push_back(weft::spawn([&] {
        weft::blocking([&] {
          gate.pass();
          const int now = gate.inside--;
          if (now > most) most = now;
        });
      }));
    }
    run_until([&] { return gate.inside == worker_count; });
    gate.open.release(3 * worker_count);
    for (auto& call : calls) weft::await(call);
    EXPECT_LE(most, worker_count);
  });
}

// trap 16: the call uses the frame of the cancelled coroutine, so the frame must not end before.
// R-TSK-2: what the call uses lives as long as the call runs.
TEST(BlockingThreadTest, ReleasesACancelledCallerOnlyWhenTheCallHasEnded) {
  weft::run([] {
    Gate gate;
    std::atomic<bool> wrote{false};
    bool ended = false;
    bool ended_after_write = false;
    auto caller = weft::spawn([&] {
      int local = 0;
      try {
        weft::blocking([&] {
          gate.pass();
          local = 1;
          wrote = true;
          return local;
        });
        ADD_FAILURE() << "the result of a cancelled call is dropped";
      } catch (const weft::Cancelled&) {
        ended_after_write = wrote && local == 1;
        ended = true;
        throw;
      }
    });
    run_until([&] { return gate.inside == 1; });
    caller.cancel();
    for (int i = 0; i < 100; ++i) weft::suspend();
    EXPECT_FALSE(ended);
    gate.open.release();
    EXPECT_THROW(weft::await(caller), weft::Cancelled);
    EXPECT_TRUE(ended_after_write);
    EXPECT_TRUE(caller.is_cancelled());
  });
}

TEST(BlockingThreadTest, NeverRunsACallThatWasCancelledInTheQueue) {
  auto alive = std::make_shared<int>(0);
  std::atomic<bool> ran{false};
  weft::run([&] {
    Gate gate;
    std::vector<weft::Coroutine<void>> calls;
    for (int i = 0; i < worker_count; ++i) {
      calls.push_back(weft::spawn([&] { weft::blocking([&] { gate.pass(); }); }));
    }
    run_until([&] { return gate.inside == worker_count; });
    auto late = weft::spawn([&] { weft::blocking([&ran, alive] { ran = true; }); });
    weft::suspend();
    EXPECT_EQ(alive.use_count(), 2);
    late.cancel();
    EXPECT_THROW(weft::await(late), weft::Cancelled);
    EXPECT_EQ(alive.use_count(), 1);  // the function was destroyed, although all workers are busy
    gate.open.release(worker_count);
    for (auto& call : calls) weft::await(call);
    weft::blocking([] {});
  });
  EXPECT_FALSE(ran);
}

TEST(BlockingThreadTest, DoesNotBeginWhenACancellationIsPending) {
  std::atomic<bool> ran{false};
  weft::run([&] {
    auto caller = weft::spawn([&] {
      weft::current().cancel();
      weft::blocking([&] { ran = true; });
    });
    EXPECT_THROW(weft::await(caller), weft::Cancelled);
  });
  EXPECT_FALSE(ran);
}

// trap 16: a shutdown lifts every protection except that of a blocking call.
TEST(BlockingThreadTest, IsWaitedForByAShutdown) {
  std::atomic<bool> ended{false};
  Gate gate;
  weft::run([&] {
    weft::spawn([&] {
      weft::blocking([&] {
        gate.pass();
        ended = true;
      });
    });
    run_until([&] { return gate.inside == 1; });
    weft::spawn([&] {  // opens the gate when the shutdown has begun
      try {
        weft::delay(std::chrono::hours{1});
      } catch (const weft::Cancelled&) {
        gate.open.release();
        throw;
      }
    });
    weft::suspend();
    weft::shutdown();
  });
  EXPECT_TRUE(ended);
}

TEST(BlockingThreadTest, DestroysWhatTheCallHeldBeforeItReturns) {
  weft::run([] {
    auto held = std::make_shared<int>(7);
    EXPECT_EQ(weft::blocking([held] { return *held; }), 7);
    EXPECT_EQ(held.use_count(), 1);
  });
}

TEST(BlockingThreadTest, ServesSeveralRuntimesAtOnce) {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      weft::run([&] {
        for (int k = 0; k < 50; ++k) weft::spawn([&] { sum += weft::blocking([] { return 1; }); });
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 150);
}

TEST(BlockingThreadTest, IsRefusedWhereNoCoroutineMaySuspend) {
  EXPECT_THROW(weft::blocking([] {}), weft::MisuseError);
  weft::run([] {
    bool refused = false;
    weft::post_microtask([&] {
      try {
        weft::blocking([] {});
      } catch (const weft::MisuseError&) {
        refused = true;
      }
    });
    weft::suspend();
    EXPECT_TRUE(refused);
  });
}

}  // namespace
