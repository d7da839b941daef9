#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "threads.hpp"
#include "threads/thread_pool_core.hpp"

namespace {

// Two classes of one name would become one when the program is linked.
static_assert(!std::is_same_v<weft::ThreadPoolCore, weft::detail::PoolCore>);

using namespace std::chrono_literals;
using weft_test::Gate;
using weft_test::run_until;

// R-TPL-1
TEST(ThreadPoolTest, RunsTasksOnItsWorkers) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 2}};
    EXPECT_EQ(pool.workers(), 2U);
    const auto home = std::this_thread::get_id();
    const auto there = weft::await(pool.submit([] { return std::this_thread::get_id(); }));
    EXPECT_NE(there, home);
    EXPECT_EQ(*weft::await(pool.submit([] { return std::make_unique<int>(3); })), 3);
    int written = 0;
    weft::await(pool.submit([&] { written = 4; }));
    EXPECT_EQ(written, 4);
  });
}

// R-TPL-1: as many as the machine runs at once.
TEST(ThreadPoolTest, HasAWorkerForEveryProcessorByDefault) {
  weft::run([] {
    const weft::ThreadPool pool;
    EXPECT_EQ(pool.workers(), std::max(1U, std::thread::hardware_concurrency()));
  });
}

// R-TPL-1
TEST(ThreadPoolTest, ParksTheSubmitterWhileTheQueueIsFull) {
  weft::run([] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1, .queue = 1}};
    auto first = pool.submit([&] { gate.pass(); });
    run_until([&] { return gate.inside == 1; });
    auto second = pool.submit([] {});
    bool submitted = false;
    auto submitter = weft::spawn([&] {
      auto third = pool.submit([] { return 3; });
      submitted = true;
      return weft::await(third);
    });
    for (int i = 0; i < 10; ++i) weft::suspend();
    EXPECT_FALSE(submitted);
    EXPECT_THROW(static_cast<void>(pool.submit([] {}, weft::timeout(1ms))),
                 weft::OperationCancelled);
    gate.open.release();
    EXPECT_EQ(weft::await(submitter), 3);
    weft::await(first);
    weft::await(second);
  });
}

// R-TPL-1
TEST(ThreadPoolTest, MapsInTheOrderOfTheElements) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 3, .queue = 2}};
    const std::vector<int> numbers{5, 3, 8, 1, 9, 2};
    const auto texts = pool.map(numbers, [](int n) { return std::to_string(n * n); });
    EXPECT_EQ(texts, (std::vector<std::string>{"25", "9", "64", "1", "81", "4"}));
    std::atomic<int> sum{0};
    pool.map(numbers, [&](int n) { sum += n; });
    EXPECT_EQ(sum, 28);
    EXPECT_THROW(pool.map(numbers,
                          [](int n) {
                            if (n == 8) throw std::runtime_error{"eight"};
                            return n;
                          }),
                 std::runtime_error);
  });
}

// R-TPL-2
TEST(ThreadPoolTest, FinishesWhatItHasWhenItIsClosed) {
  weft::run([] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1}};
    auto running = pool.submit([&] {
      gate.pass();
      return 1;
    });
    auto waiting = pool.submit([] { return 2; });
    pool.close();
    EXPECT_TRUE(pool.is_closed());
    try {
      static_cast<void>(pool.submit([] {}));
      ADD_FAILURE();
    } catch (const weft::ThreadPoolClosed& closed) {
      EXPECT_STREQ(closed.what(), "ThreadPool is closed");
    }
    gate.open.release();
    EXPECT_EQ(weft::await(running), 1);
    EXPECT_EQ(weft::await(waiting), 2);
  });
}

// R-TPL-2: in a pool without coroutines, a running task goes on.
TEST(ThreadPoolTest, RejectsWhatWaitsWhenItIsCancelled) {
  weft::run([] {
    Gate gate;
    std::atomic<bool> ran{false};
    weft::ThreadPool pool{{.workers = 1}};
    auto running = pool.submit([&] {
      gate.pass();
      weft::suspend();
      return 1;
    });
    run_until([&] { return gate.inside == 1; });
    auto waiting = pool.submit([&] { ran = true; });
    pool.cancel();
    EXPECT_THROW(weft::await(waiting), weft::Cancelled);
    gate.open.release();
    EXPECT_EQ(weft::await(running), 1);
    EXPECT_FALSE(ran);
    EXPECT_THROW(static_cast<void>(pool.submit([] {})), weft::ThreadPoolClosed);
  });
}

// R-TPL-2
TEST(ThreadPoolTest, CancelsWhatRunsInCoroutineMode) {
  weft::run([] {
    std::atomic<int> started{0};
    weft::ThreadPool pool{{.workers = 2, .coroutines = 2}};
    std::vector<weft::Future<void>> futures;
    for (int i = 0; i < 4; ++i) {
      futures.push_back(pool.submit([&] {
        ++started;
        weft::delay(1h);
      }));
    }
    run_until([&] { return started == 4; });
    pool.cancel();
    for (const auto& future : futures) EXPECT_THROW(weft::await(future), weft::Cancelled);
  });
}

// R-TPL-3
TEST(ThreadPoolTest, StopsATaskWhoseFutureIsCancelled) {
  weft::run([] {
    std::atomic<bool> started{false};
    std::atomic<bool> stopped{false};
    weft::ThreadPool pool{{.workers = 1}};
    auto future = pool.submit([&] {
      started = true;
      try {
        weft::delay(1h);
      } catch (const weft::Cancelled&) {
        stopped = true;
        throw;
      }
    });
    run_until([&] { return started.load(); });
    future.cancel();
    EXPECT_THROW(weft::await(future), weft::Cancelled);
    weft::await(pool.submit([] {}));  // the worker is free again
    EXPECT_TRUE(stopped);
  });
}

// R-TPL-3
TEST(ThreadPoolTest, NeverRunsATaskThatWasCancelledInTheQueue) {
  auto held = std::make_shared<int>(0);
  std::atomic<bool> ran{false};
  weft::run([&] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1}};
    auto running = pool.submit([&] { gate.pass(); });
    run_until([&] { return gate.inside == 1; });
    auto waiting = pool.submit([&ran, held] { ran = true; });
    EXPECT_EQ(pool.pending(), 1U);
    waiting.cancel();
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(pool.pending(), 0U);
    gate.open.release();
    weft::await(running);
  });
  EXPECT_FALSE(ran);
}

// R-TPL-3: the last awaiter is cancelled.
TEST(ThreadPoolTest, StopsATaskWhoseLastAwaiterIsCancelled) {
  weft::run([] {
    std::atomic<bool> started{false};
    weft::ThreadPool pool{{.workers = 1}};
    auto future = pool.submit([&] {
      started = true;
      weft::delay(1h);
    });
    auto awaiter = weft::spawn([&] { weft::await(future); });
    weft::suspend();  // the awaiter waits before the task may start
    run_until([&] { return started.load(); });
    awaiter.cancel();
    EXPECT_THROW(weft::await(awaiter), weft::Cancelled);
    EXPECT_THROW(weft::await(future), weft::Cancelled);  // the task has ended with Cancelled
  });
}

// R-TPL-3
TEST(ThreadPoolTest, RunsATaskWhoseFutureWasNotAwaited) {
  std::atomic<bool> ran{false};
  weft::run([&] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1}};
    pool.submit([&] {
          gate.pass();
          weft::suspend();
          ran = true;
        })
        .ignore();
    gate.open.release();
  });
  EXPECT_TRUE(ran);
}

// R-TPL-4
TEST(ThreadPoolTest, RunsTasksConcurrentlyInAWorkerUpToTheLimit) {
  weft::run([] {
    std::atomic<int> inside{0};
    std::atomic<int> most{0};
    weft::ThreadPool pool{{.workers = 1, .queue = 10, .coroutines = 3}};
    std::vector<weft::Future<std::thread::id>> futures;
    for (int i = 0; i < 7; ++i) {
      futures.push_back(pool.submit([&] {
        const int now = ++inside;
        if (now > most) most = now;
        while (most < 3) weft::suspend();  // no task ends before three were inside
        for (int turn = 0; turn < 20; ++turn) weft::suspend();
        --inside;
        return std::this_thread::get_id();
      }));
    }
    std::set<std::thread::id> threads;
    for (const auto& future : futures) threads.insert(weft::await(future));
    EXPECT_EQ(threads.size(), 1U);
    EXPECT_EQ(most, 3);
  });
}

// R-TPL-4: in both modes.
TEST(ThreadPoolTest, CancelsTheChildrenThatATaskLeavesBehind) {
  for (const std::size_t coroutines : {0U, 2U}) {
    std::atomic<bool> cancelled{false};
    weft::run([&] {
      weft::ThreadPool pool{{.workers = 1, .coroutines = coroutines}};
      weft::await(pool.submit([&] {
        weft::spawn([&] {
          try {
            weft::delay(1h);
          } catch (const weft::Cancelled&) {
            cancelled = true;
            throw;
          }
        });
        weft::suspend();
      }));
      EXPECT_TRUE(cancelled);
    });
  }
}

// R-TPL-4
TEST(ThreadPoolTest, IsNotHarmedByATaskThatFails) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1}};
    std::thread::id worker = weft::await(pool.submit([] { return std::this_thread::get_id(); }));
    EXPECT_THROW(weft::await(pool.submit([] { throw std::runtime_error{"task"}; })),
                 std::runtime_error);
    EXPECT_THROW(weft::await(pool.submit([] {  // a child that is not awaited
                   weft::spawn([] { throw std::logic_error{"child"}; });
                   weft::delay(1h);
                 })),
                 std::logic_error);
    EXPECT_THROW(weft::await(pool.submit([] {  // the task shuts down the runtime of its worker
                   weft::shutdown();
                   weft::delay(1h);
                 })),
                 weft::Cancelled);
    EXPECT_EQ(weft::await(pool.submit([] { return std::this_thread::get_id(); })), worker);
    EXPECT_EQ(pool.workers(), 1U);
  });
}

// R-TPL-5
TEST(ThreadPoolTest, FailsWithItsBootloader) {
  weft::run([] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1, .bootloader = [&] {
                             gate.pass();
                             throw std::runtime_error{"no boot"};
                           }}};
    auto pending = pool.submit([] { return 1; });
    gate.open.release();
    EXPECT_THROW(weft::await(pending), std::runtime_error);
    EXPECT_THROW(weft::await(pool.submit([] { return 2; })), std::runtime_error);
  });
}

TEST(ThreadPoolTest, RunsTheBootloaderFirstInEveryWorker) {
  weft::run([] {
    std::atomic<int> booted{0};
    weft::ThreadPool pool{{.workers = 3, .bootloader = [&] { ++booted; }}};
    EXPECT_GE(weft::await(pool.submit([&] { return booted.load(); })), 1);
    run_until([&] { return booted == 3; });
  });
}

// R-TPL-6
TEST(ThreadPoolTest, ReplacesItsWorkersWhileOldOnesDrain) {
  weft::run([] {
    Gate gate;
    std::atomic<int> booted{0};
    weft::ThreadPool pool{{.workers = 2, .bootloader = [&] { ++booted; }}};
    auto slow = pool.submit([&] {
      gate.pass();
      return 1;
    });
    run_until([&] { return gate.inside == 1 && booted == 2; });
    auto first = weft::spawn([&] { pool.reload(); });
    auto second = weft::spawn([&] { pool.reload(); });         // waits for the same worker
    EXPECT_EQ(weft::await(pool.submit([] { return 2; })), 2);  // a worker is always busy
    EXPECT_FALSE(first.is_completed());
    EXPECT_FALSE(second.is_completed());
    gate.open.release();
    weft::await(first);
    weft::await(second);
    EXPECT_EQ(weft::await(slow), 1);
    EXPECT_EQ(booted, 4);
    EXPECT_EQ(pool.workers(), 2U);
    EXPECT_EQ(weft::await(pool.submit([] { return 3; })), 3);
  });
}

// R-TPL-6
TEST(ThreadPoolTest, ReloadsInACoroutineOnly) {
  weft::ThreadPool pool{{.workers = 1}};
  EXPECT_THROW(pool.reload(), weft::MisuseError);
  weft::run([&] {
    pool.close();
    EXPECT_THROW(pool.reload(), weft::ThreadPoolClosed);
  });
}

// R-TPL-7
TEST(ThreadPoolTest, CountsItsTasks) {
  weft::run([] {
    Gate gate;
    weft::ThreadPool pool{{.workers = 1}};
    auto first = pool.submit([&] { gate.pass(); });
    run_until([&] { return gate.inside == 1; });
    auto second = pool.submit([] { throw std::runtime_error{"counts too"}; });
    EXPECT_EQ(pool.running(), 1U);
    EXPECT_EQ(pool.pending(), 1U);
    EXPECT_EQ(pool.completed(), 0U);
    gate.open.release();
    weft::await(first);
    EXPECT_GE(pool.completed(), 1U);
    EXPECT_THROW(weft::await(second), std::runtime_error);
    EXPECT_EQ(pool.completed(), 2U);
    EXPECT_EQ(pool.running(), 0U);
    EXPECT_EQ(pool.pending(), 0U);
  });
}

// R-TPL-2: the first task waits until the second has left the queue, and has not begun.
TEST(ThreadPoolTest, CancelReachesATaskBetweenTheQueueAndItsBeginning) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1, .queue = 1, .coroutines = 2}};
    Gate gate;
    std::atomic<bool> second_ran{false};
    std::optional<weft::Future<void>> second;
    std::optional<weft::Future<void>> third;
    const auto first = pool.submit([&] {
      weft::Timeout over = weft::timeout(1h);
      over.cancel();
      second = pool.submit([&] { second_ran = true; });
      while (!third) {
        try {
          third = pool.submit([] {}, over);
        } catch (const weft::OperationCancelled&) {  // the queue is full: the second is in it
          weft::suspend();
        }
      }
      second->ignore();
      third->ignore();
      second.reset();
      third.reset();
      gate.pass();
    });
    run_until([&] { return gate.inside == 1; });
    pool.cancel();
    gate.open.release();
    weft::await(first);
    run_until([&] { return pool.pending() == 0; });
    EXPECT_FALSE(second_ran);
  });
}

TEST(ThreadPoolTest, MayEndWithItsOwnTask) {
  weft::run([] {
    auto pool = std::make_shared<weft::ThreadPool>(weft::ThreadPoolOptions{.workers = 2});
    Gate gate;
    const auto last = pool->submit([pool, &gate] {
      gate.pass();
      return 5;
    });
    run_until([&] { return gate.inside == 1; });
    pool.reset();
    gate.open.release();
    EXPECT_EQ(weft::await(last), 5);
  });
}

TEST(ThreadPoolTest, MayEndWhileItIsReloaded) {
  weft::run([] {
    auto pool = std::make_unique<weft::ThreadPool>(weft::ThreadPoolOptions{.workers = 1});
    Gate gate;
    const auto busy = pool->submit([&] { gate.pass(); });
    run_until([&] { return gate.inside == 1; });
    const auto reloading = weft::spawn([&] { pool->reload(); });
    run_until([&] { return pool->workers() == 2; });
    const auto opening = weft::spawn([&] { gate.open.release(); });
    pool.reset();
    weft::await(reloading);
    weft::await(busy);
    weft::await(opening);
  });
}

// trap 16, trap 21: tasks are cancelled while they begin and end.
TEST(ThreadPoolTest, SurvivesCancellationsAtAnyMoment) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 2, .coroutines = 2}};
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    for (int round = 0; round < 200; ++round) {
      auto future = pool.submit([&] {
        ++begun;
        const struct End {
          std::atomic<int>& count;
          ~End() { ++count; }
        } end{ended};
        weft::suspend();
        return std::string{"a text that is too long to be kept inside the string itself"};
      });
      for (int i = 0; i < round % 7; ++i) weft::suspend();
      if (round % 2 == 0) future.cancel();
      try {
        EXPECT_EQ(weft::await(future).size(), 59U);
      } catch (const weft::Cancelled&) {
        EXPECT_EQ(round % 2, 0);
      }
    }
    pool.close();
    run_until([&] { return pool.running() == 0 && pool.pending() == 0; });
    EXPECT_EQ(begun, ended);
  });
}

}  // namespace
