#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "threads.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::run_until;
using weft_test::text;

// R-THD-1: captures are moved to the thread, the result is moved back.
TEST(ThreadTest, RunsAFunctionInARuntimeOfItsOwn) {
  weft::run([] {
    const auto home = std::this_thread::get_id();
    auto only = std::make_unique<int>(20);
    const auto future = weft::Thread::start([home, only = std::move(only)] {
      EXPECT_NE(std::this_thread::get_id(), home);
      auto child = weft::spawn([&] {
        weft::delay(1ms);
        return *only + 1;
      });
      return std::make_unique<int>(2 * weft::await(child));
    });
    EXPECT_EQ(*weft::await(future), 42);
  });
}

// R-THD-1: remote promises and thread channels may be moved to the thread.
TEST(ThreadTest, TakesWritersAndThreadChannelsWithIt) {
  weft::run([] {
    weft::RemotePromise<int> promise;
    const auto other = promise.future();
    weft::ThreadChannel<int> channel{1};
    const auto thread = weft::Thread::start(
        [&channel, writer = std::move(promise)]() mutable { writer.complete(channel.recv() + 1); });
    channel.send(1);
    EXPECT_EQ(weft::await(other), 2);
    weft::await(thread);
  });
}

// R-THD-3
TEST(ThreadTest, RunsTheBootloaderFirst) {
  weft::run([] {
    std::atomic<int> order{0};
    int booted = 0;
    int ran = 0;
    weft::await(
        weft::Thread::start([&] { ran = ++order; }, {.bootloader = [&] { booted = ++order; }}));
    EXPECT_EQ(booted, 1);
    EXPECT_EQ(ran, 2);
  });
}

// R-THD-3, R-THE-3: the original exception arrives.
TEST(ThreadTest, BringsBackWhatEitherThrows) {
  weft::run([] {
    std::atomic<bool> ran{false};
    EXPECT_THROW(weft::await(weft::Thread::start([] { throw std::out_of_range{"function"}; })),
                 std::out_of_range);
    EXPECT_THROW(
        weft::await(weft::Thread::start(
            [&] { ran = true; }, {.bootloader = [] { throw std::domain_error{"bootloader"}; }})),
        std::domain_error);
    EXPECT_FALSE(ran);
    EXPECT_THROW(weft::await(weft::Thread::start([] {  // the failure of a child that is not awaited
                   weft::spawn([] { throw std::range_error{"child"}; });
                 })),
                 std::range_error);
  });
}

// R-THD-3: what ended the runtime of the thread, not the cancellation that came of it.
TEST(ThreadTest, BringsBackWhatHasCancelledItsFunction) {
  weft::run([] {
    EXPECT_THROW(weft::await(weft::Thread::start([] {
                   const auto failing = [] { throw std::range_error{"child"}; };
                   weft::spawn(failing);
                   weft::delay(1h);
                 })),
                 std::range_error);
    try {
      weft::await(weft::Thread::start([] { weft::exit(3); }));
      ADD_FAILURE() << "exit() has ended nothing";
    } catch (const weft::ExitRequested& exit) {
      EXPECT_EQ(exit.code(), 3);
    }
    EXPECT_THROW(weft::await(weft::Thread::start([] {
                   weft::shutdown();
                   weft::delay(1h);
                 })),
                 weft::Cancelled);
  });
}

TEST(ThreadTest, IsCancelledThroughItsFuture) {
  weft::run([] {
    std::atomic<bool> started{false};
    std::atomic<bool> stopped{false};
    const auto future = weft::Thread::start([&] {
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
    run_until([&] { return stopped.load(); });
  });
}

// R-THE-3: an unread failure is rethrown, as that of a coroutine is.
TEST(ThreadTest, EndsTheProgramWithAnUnreadFailure) {
  for (const bool goes_on : {false, true}) {
    const auto error = error_of([&] {
      weft::run([&] {
        {
          auto future = weft::Thread::start([] { throw std::runtime_error{"left unread"}; });
          while (!future.is_completed()) weft::delay(1ms);
        }
        if (goes_on) weft::delay(1h);  // ended by the shutdown
      });
    });
    EXPECT_EQ(text(error), "left unread");
  }
}

// R-THE-3
TEST(ThreadTest, LeavesTheProgramAloneWhenTheFailureWasReadOrIgnored) {
  weft::run([] {
    const auto fails = [] { throw std::runtime_error{"seen"}; };
    {
      auto read = weft::Thread::start(fails);
      EXPECT_THROW(weft::await(read), std::runtime_error);
      auto ignored = weft::Thread::start(fails);
      ignored.ignore();
      while (!ignored.is_completed()) weft::delay(1ms);
      auto recovered = weft::Thread::start(fails).recover([](const std::exception_ptr&) {});
      weft::await(recovered);
    }
    weft::delay(1ms);
  });
}

// R-THD-4, R-THE-1
TEST(ThreadTest, DoesNotKeepTheRuntimeOfItsStarterAlive) {
  std::binary_semaphore go{0};
  std::binary_semaphore over{0};
  weft::run([&] {
    weft::Thread::start([&] {
      go.acquire();
      over.release();
    }).ignore();
  });  // run() returns, although the thread cannot end yet
  go.release();
  over.acquire();
}

// R-THD-4
TEST(ThreadDeathTest, IsWaitedForWhenTheProcessEnds) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        weft::run([] {
          weft::Thread::start([] {
            weft::delay(50ms);
            std::fputs("the thread has ended\n", stderr);
          }).ignore();
        });
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "the thread has ended");
}

}  // namespace
