#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "threads.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::run_until;

std::string misuse(auto&& call) {
  try {
    call();
  } catch (const weft::MisuseError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// R-RFU-1, R-RFU-2
TEST(RemoteFutureThreadTest, IsCompletedByTheThreadThatGotTheWriter) {
  weft::run([] {
    weft::RemotePromise<std::string> promise;
    const weft::Future<std::string> future = promise.future();
    std::thread writer{[moved = std::move(promise)]() mutable { moved.complete("from afar"); }};
    EXPECT_EQ(weft::await(future), "from afar");
    EXPECT_EQ(weft::await(future), "from afar");
    writer.join();
  });
}

// R-RFU-1
TEST(RemoteFutureThreadTest, RefusesWritesOfTheSourceAfterTheMove) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    weft::RemotePromise<int> moved = std::move(promise);
    // NOLINTNEXTLINE(bugprone-use-after-move)
    EXPECT_EQ(misuse([&] { promise.complete(1); }),
              "FutureState ownership was transferred to another thread");
    std::thread{[&] { moved.complete(2); }}.join();
    EXPECT_EQ(weft::await(future), 2);
  });
}

// R-RFU-1
TEST(RemoteFutureThreadTest, RefusesASecondThread) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    std::binary_semaphore used{0};
    std::binary_semaphore over{0};
    std::thread first{[&] {  // runs on, or the next thread could get its id
      EXPECT_FALSE(promise.is_cancel_requested());
      used.release();
      over.acquire();
    }};
    used.acquire();
    std::thread{[&] {
      EXPECT_EQ(misuse([&] { promise.complete(1); }),
                "FutureState cannot be transferred to multiple threads");
    }}.join();
    EXPECT_EQ(misuse([&] { promise.complete(1); }),
              "FutureState cannot be transferred to multiple threads");
    EXPECT_FALSE(future.is_completed());
    future.ignore();
    over.release();
    first.join();
  });
}

// R-RFU-1: only the thread that made the promise makes futures of it.
TEST(RemoteFutureThreadTest, MakesFuturesOnItsOwnThreadOnly) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto first = promise.future();
    EXPECT_EQ(first, promise.future());
    std::thread{[&] {
      EXPECT_NE(misuse([&] { (void)promise.future(); }), "nothing was thrown");
    }}.join();
    promise.complete(3);
    EXPECT_EQ(weft::await(first), 3);
    EXPECT_EQ(misuse([&] { promise.complete(4); }), "Future is already completed");
  });
}

// R-RFU-2
TEST(RemoteFutureThreadTest, CarriesErrorsVoidAndWhatCannotBeCopied) {
  weft::run([] {
    weft::RemotePromise<void> nothing;
    weft::RemotePromise<std::unique_ptr<int>> owned;
    weft::RemotePromise<int> failing;
    weft::RemotePromise<int> cancelled;
    const auto a = nothing.future();
    const auto b = owned.future();
    const auto c = failing.future();
    const auto d = cancelled.future();
    std::thread writer{[&] {
      nothing.complete();
      owned.complete(std::make_unique<int>(5));
      failing.fail(std::runtime_error{"broken"});
      cancelled.cancel("no");
    }};
    weft::await(a);
    EXPECT_EQ(*weft::await(b), 5);
    EXPECT_THROW(weft::await(c), std::runtime_error);
    EXPECT_THROW(weft::await(d), weft::Cancelled);
    EXPECT_TRUE(d.is_cancelled());
    writer.join();
  });
}

// R-RFU-2: the promise is made and completed without a loop, and read in one.
TEST(RemoteFutureThreadTest, IsLoadedByTheLoopThatWaits) {
  weft::RemotePromise<int> promise;
  const auto future = promise.future();
  std::thread{[&] { promise.complete(6); }}.join();
  EXPECT_FALSE(future.is_completed());
  EXPECT_EQ(weft::run([&] { return weft::await(future); }), 6);
}

// R-RFU-2, R-THE-2: only a wait keeps the loop alive. trap 19
TEST(RemoteFutureThreadTest, KeepsItsLoopAliveWhileACoroutineWaitsAndNoLonger) {
  std::optional<weft::RemotePromise<int>> promise;
  weft::run([&] {
    promise.emplace();
    const auto future = promise->future();
    EXPECT_EQ(weft::stats().active_events, 0U);
    auto waiting = weft::spawn([&] { return weft::await(future); });
    weft::suspend();
    EXPECT_EQ(weft::stats().active_events, 1U);
    EXPECT_THROW(weft::await(future, weft::timeout(1ms)), weft::OperationCancelled);
    EXPECT_EQ(weft::stats().active_events, 1U);
    waiting.cancel();
    EXPECT_THROW(weft::await(waiting), weft::Cancelled);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });  // run() returns, although the promise was not completed
}

// R-RFU-2: a program may also poll is_completed().
TEST(RemoteFutureThreadTest, ArrivesAlsoWithoutAWaiter) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    std::thread writer{[&] { promise.complete(7); }};
    run_until([&] {
      weft::tick_reactor();
      return future.is_completed();
    });
    writer.join();
    EXPECT_EQ(weft::await(future), 7);
  });
}

// R-RFU-2: a value whose move throws becomes an error, and a write that fails can be repeated.
TEST(RemoteFutureThreadTest, TurnsAFailedMoveIntoAnError) {
  struct Brittle {
    explicit Brittle(int moves_left) : moves{moves_left} {}
    Brittle(Brittle&& other) : moves{other.moves - 1} {
      if (moves < 0) throw std::runtime_error{"cannot be moved"};
    }
    int moves;
  };
  weft::run([] {
    weft::RemotePromise<Brittle> promise;
    const auto future = promise.future();
    std::thread writer{[&] {
      EXPECT_THROW(promise.complete(Brittle{0}), std::runtime_error);
      promise.complete(Brittle{1});
    }};
    EXPECT_THROW(weft::await(future), std::runtime_error);
    writer.join();
  });
}

// R-RFU-3
TEST(RemoteFutureThreadTest, AsksTheWriterToStopWhenTheFutureIsCancelled) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    std::binary_semaphore asked{0};
    std::thread writer{[&] {
      promise.on_cancel([&] { asked.release(); });
      asked.acquire();  // returns only if on_cancel() was called
      EXPECT_TRUE(promise.is_cancel_requested());
      promise.complete(8);  // too late, which is no error
    }};
    future.cancel();
    EXPECT_TRUE(future.is_cancelled());
    writer.join();
    EXPECT_THROW(weft::await(future), weft::Cancelled);
  });
}

// R-RFU-3
TEST(RemoteFutureThreadTest, AsksTheWriterToStopWhenTheLastAwaiterIsCancelled) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    auto first = weft::spawn([&] { return weft::await(future); });
    auto second = weft::spawn([&] { return weft::await(future); });
    weft::suspend();
    first.cancel();
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    EXPECT_FALSE(promise.is_cancel_requested());  // a coroutine still waits
    second.cancel();
    EXPECT_THROW(weft::await(second), weft::Cancelled);
    EXPECT_TRUE(promise.is_cancel_requested());
    promise.cancel();
  });
}

// R-RFU-3
TEST(RemoteFutureThreadTest, AsksTheWriterToStopWhenAnAwaitedFutureGoes) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    {
      const auto future = promise.future();
      EXPECT_THROW(weft::await(future, weft::timeout(1ms)), weft::OperationCancelled);
      EXPECT_FALSE(promise.is_cancel_requested());  // a reader whose wait timed out may wait again
    }
    EXPECT_TRUE(promise.is_cancel_requested());
  });
}

// R-RFU-3
TEST(RemoteFutureThreadTest, DoesNotAskForAFutureThatWasNotAwaitedOrThatIsIgnored) {
  std::vector<std::string> warnings;
  weft::run(
      [] {
        weft::RemotePromise<int> unused;
        { const auto future = unused.future(); }
        EXPECT_FALSE(unused.is_cancel_requested());
        weft::RemotePromise<int> ignored;
        {
          const auto future = ignored.future();
          future.ignore();
          EXPECT_THROW(weft::await(future, weft::timeout(1ms)), weft::OperationCancelled);
        }
        EXPECT_FALSE(ignored.is_cancel_requested());
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), 1U);
}

// R-RFU-4
TEST(RemoteFutureThreadTest, IsAwaitedBySeveralAndChained) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    const auto text = future.map([](int value) { return std::to_string(value); });
    std::vector<weft::Coroutine<int>> waiting;
    for (int i = 0; i < 3; ++i) waiting.push_back(weft::spawn([&] { return weft::await(future); }));
    weft::suspend();
    std::thread writer{[&] { promise.complete(9); }};
    for (auto& coroutine : waiting) EXPECT_EQ(weft::await(coroutine), 9);
    EXPECT_EQ(weft::await(text), "9");
    writer.join();
  });
}

// R-RFU-4: a chain alone keeps the loop alive.
TEST(RemoteFutureThreadTest, RunsAChainWithoutAnotherWaiter) {
  std::string seen;
  std::thread writer;
  weft::run([&] {
    weft::RemotePromise<int> promise;
    promise.future().map([&](int value) { seen = std::to_string(value); }).ignore();
    writer = std::thread{[moved = std::move(promise)]() mutable { moved.complete(10); }};
  });
  writer.join();
  EXPECT_EQ(seen, "10");
}

// R-RFU-4: a cancelled future with a chain does not keep the loop alive.
TEST(RemoteFutureThreadTest, LetsGoOfTheLoopWhenItIsCancelledWithAChain) {
  std::optional<weft::RemotePromise<int>> promise;
  weft::run([&] {
    promise.emplace();
    const auto future = promise->future();
    const auto next = future.map([](int value) { return value; });
    EXPECT_EQ(weft::stats().active_events, 1U);
    future.cancel();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_THROW(weft::await(next), weft::Cancelled);
  });
}

TEST(RemoteFutureThreadTest, FailsWhenTheWriterIsDropped) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto future = promise.future();
    std::thread writer{[moved = std::move(promise)] {}};
    EXPECT_THROW(weft::await(future), weft::BrokenPromise);
    writer.join();
  });
}

// trap 21, trap 16: the future or the promise is destroyed at any moment.
TEST(RemoteFutureThreadTest, MayBeDroppedWhileItIsBeingCompleted) {
  weft::run([] {
    for (int round = 0; round < 300; ++round) {
      weft::RemotePromise<std::string> promise;
      std::binary_semaphore go{0};
      std::thread writer;
      {
        const auto future = promise.future();
        future.ignore();
        writer = std::thread{[&go, moved = std::move(promise)]() mutable {
          moved.on_cancel([] {});
          go.acquire();
          moved.complete("a text that is too long to be kept inside the string itself");
        }};
        if (round % 3 == 0) {
          EXPECT_THROW(weft::await(future, weft::timeout(1us)), weft::OperationCancelled);
        }
        go.release();
        if (round % 3 == 1) weft::tick_reactor();
        if (round % 3 == 2) future.cancel();
      }
      writer.join();
    }
  });
}

// trap 21: the loop ends while the writer writes.
TEST(RemoteFutureThreadTest, MayOutliveItsRuntime) {
  for (int round = 0; round < 100; ++round) {
    std::optional<weft::Future<int>> future;
    std::thread writer;
    weft::run([&] {
      weft::RemotePromise<int> promise;
      future = promise.future();
      writer = std::thread{[moved = std::move(promise)]() mutable { moved.complete(11); }};
    });
    writer.join();
    EXPECT_EQ(weft::run([&] { return weft::await(*future); }), 11);
  }
}

TEST(RemoteFutureTest, HasNothingForALateFutureWhenTheOutcomeHasGone) {
  weft::run([] {
    weft::RemotePromise<std::unique_ptr<int>> value;
    auto taken = std::make_optional(value.future());
    value.complete(std::make_unique<int>(5));
    EXPECT_EQ(*weft::await(*taken), 5);
    taken.reset();
    EXPECT_THROW(weft::await(value.future()), weft::MisuseError);

    weft::RemotePromise<void> error;
    auto thrown = std::make_optional(error.future());
    error.fail(std::runtime_error{"broken"});
    EXPECT_THROW(weft::await(*thrown), std::runtime_error);
    thrown.reset();
    EXPECT_THROW(weft::await(error.future()), weft::MisuseError);
  });
}

}  // namespace
