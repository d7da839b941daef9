#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "threads.hpp"

// What a ThreadPool guarantees to its callers: map() ends with its last call, tasks see what the
// bootloader set, and reload() does not wait for itself.
namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::Gate;
using weft_test::is;
using weft_test::run_until;
using weft_test::text;

inline weft::ValueKey<int> key;

TEST(ThreadPoolCallsTest, MapThrowsWhenNoCallRunsAnyMore) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 2}};
    std::atomic<int> running{0};
    const auto error = error_of([&] {
      pool.map(std::vector<int>{0, 1}, [&](int value) {
        if (value == 0) {
          while (running == 0) std::this_thread::yield();
          throw std::runtime_error{"first"};
        }
        ++running;
        std::this_thread::sleep_for(20ms);  // no cancellation point
        --running;
        return value;
      });
    });
    EXPECT_EQ(text(error), "first");
    EXPECT_EQ(running, 0);
  });
}

TEST(ThreadPoolCallsTest, MapThatIsCancelledWaitsForItsCalls) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1}};
    Gate gate;
    std::atomic<bool> ended{false};
    auto caller = weft::spawn([&] {
      pool.map(std::vector<int>{0, 1, 2}, [&](int) {
        gate.pass();
        ended = true;
      });
    });
    run_until([&] { return gate.inside == 1; });
    caller.cancel();
    weft::suspend();
    weft::suspend();
    EXPECT_FALSE(caller.is_completed());
    gate.open.release();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(caller); })));
    EXPECT_TRUE(ended);
    EXPECT_EQ(gate.inside, 1);  // the queued calls were never made
  });
}

// A call that suspends is cancelled, and its clean-up belongs to the call.
TEST(ThreadPoolCallsTest, MapWaitsForTheCleanUpOfItsCalls) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 2}};
    std::atomic<int> waiting{0};
    std::atomic<bool> cleaned{false};
    const auto error = error_of([&] {
      pool.map(std::vector<int>{0, 1}, [&](int value) {
        if (value == 0) {
          while (waiting == 0) std::this_thread::yield();
          throw std::runtime_error{"first"};
        }
        ++waiting;
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          weft::protect([] { weft::delay(10ms); });
          cleaned = true;
          throw;
        }
      });
    });
    EXPECT_EQ(text(error), "first");
    EXPECT_TRUE(cleaned);
  });
}

// The pool closes while map() still submits its elements.
TEST(ThreadPoolCallsTest, MapOnAPoolThatIsClosedMeanwhileWaitsForItsCalls) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1, .queue = 1}};
    Gate gate;
    auto caller = weft::spawn([&] {
      pool.map(std::vector<int>{0, 1, 2, 3, 4}, [&](int) { gate.pass(); });
    });
    run_until([&] { return gate.inside == 1; });
    weft::suspend();
    pool.close();
    weft::suspend();
    EXPECT_FALSE(caller.is_completed());
    gate.open.release(5);
    EXPECT_TRUE(is<weft::ThreadPoolClosed>(error_of([&] { weft::await(caller); })));
    EXPECT_EQ(pool.running(), 0U);
  });
}

TEST(ThreadPoolCallsTest, TasksFindTheValuesThatTheBootloaderSet) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1, .bootloader = [] { weft::values().set(key, 5); }}};
    EXPECT_TRUE(weft::await(pool.submit([] { return weft::values().has(key); })));
    // A value that a task sets is seen by that task only.
    weft::await(pool.submit([] { weft::values().set(key, 6); }));
    EXPECT_EQ(weft::await(pool.submit([] { return weft::values().get(key); })), 5);
  });
}

TEST(ThreadPoolCallsTest, ReloadRefusesToWaitForItsOwnTask) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1}};
    const auto error = error_of([&] { weft::await(pool.submit([&] { pool.reload(); })); });
    EXPECT_TRUE(is<weft::MisuseError>(error)) << text(error);
    pool.reload();  // works outside of the pool's tasks
    EXPECT_EQ(weft::await(pool.submit([] { return 1; })), 1);
  });
}

// A task of one pool may reload another.
TEST(ThreadPoolCallsTest, ReloadOfAnotherPoolWorksInATask) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1}};
    weft::ThreadPool other{{.workers = 1}};
    weft::await(pool.submit([&] { other.reload(); }));
    EXPECT_EQ(weft::await(other.submit([] { return 1; })), 1);
  });
}

}  // namespace
