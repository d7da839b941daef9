#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// While another coroutine is ready and no other work is due, a wait takes the fast path.
// With weft::testing::run() the clock is read at every pass; here it is not.
namespace {

using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;

/// Runs `body` with as many passes as possible between two readings of the clock.
template <class F>
void run_quickly(F body) {
  weft::testing::VirtualClock clock;
  weft::Options options;
  options.clock = &clock;
  weft::run(
      [&] {
        for (int i = 0; i < 200; ++i) weft::suspend();
        body();
      },
      std::move(options));
}

/// A coroutine that is always ready, so that no other switches to the scheduler coroutine.
class Busy {
 public:
  Busy() = default;
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    stop_ = true;
    weft::await(coroutine_);
  }

 private:
  bool stop_ = false;
  weft::Coroutine<void> coroutine_ = weft::spawn([this] {
    while (!stop_) weft::suspend();
  });
};

// R-CAN-5
TEST(QuickParkTest, ThrowsTheCancellationThatEndedTheWait) {
  run_quickly([] {
    const Busy other;
    auto target = weft::spawn([] { weft::delay(std::chrono::hours{1}); });
    auto waiter = weft::spawn([&] { weft::await(target); });
    for (int i = 0; i < 3; ++i) weft::suspend();
    EXPECT_EQ(target.base().subscribers(), 1U);
    waiter.cancel("enough");
    EXPECT_EQ(target.base().subscribers(), 0U);
    EXPECT_EQ(text(error_of([&] { weft::await(waiter); })), "cancelled: enough");
    EXPECT_FALSE(target.is_completed());
    target.cancel();
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "cancelled: Coroutine cancelled");
  });
}

// R-COR-10, R-WAK-5
TEST(QuickParkTest, ThrowsTheErrorOfTheAwaitedOne) {
  run_quickly([] {
    const Busy other;
    auto target = weft::spawn([]() -> int {
      weft::suspend();
      throw std::runtime_error{"lost"};
    });
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "lost");
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "lost");
  });
}

// R-CAN-4
TEST(QuickParkTest, GoesOnAtOnceIfTheAwaitedOneWasCancelledBeforeItsStart) {
  run_quickly([] {
    auto target = weft::spawn([] { ADD_FAILURE() << "it never runs"; });
    auto behind = weft::spawn([] {});
    target.cancel();
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "cancelled: Coroutine cancelled");
    EXPECT_FALSE(behind.is_completed() && !behind.is_started());
    weft::await(behind);
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "cancelled: Coroutine cancelled");
  });
}

// R-CAN-4, R-SWI-2: the only ready coroutine is cancelled before its start: the awaiter goes on
// without a switch.
TEST(QuickParkTest, GoesOnItselfIfTheOnlyReadyOneNeverRuns) {
  run_quickly([] {
    auto target = weft::spawn([] {});
    target.cancel();
    const auto before = weft::stats().switches;
    EXPECT_EQ(text(error_of([&] { weft::await(target); })), "cancelled: Coroutine cancelled");
    EXPECT_EQ(weft::stats().switches, before);
  });
}

// R-SWH-1
TEST(QuickParkTest, RunsTheHandlerThatCameMeanwhile) {
  Log log;
  run_quickly([&] {
    const Busy other;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    auto watched = weft::spawn([&] {
      weft::await(target);
      log.push_back("goes on");
    });
    for (int i = 0; i < 3; ++i) weft::suspend();
    watched.add_switch_handler([&](const weft::AnyCoroutine&, weft::Switch what) {
      log.push_back(what == weft::Switch::enter ? "enter" : "other");
      return what != weft::Switch::finish;
    });
    bell.ring();
    weft::await(watched);
  });
  EXPECT_EQ(log, (Log{"enter", "goes on", "other"}));
}

// R-COR-7, R-SUS-7: the place and the counters are those of any other suspension.
TEST(QuickParkTest, ReportsWhereItWaitsAndForWhat) {
  run_quickly([] {
    const Busy other;
    Doorbell bell;
    auto target = weft::spawn([&] { weft::await(bell); });
    unsigned line = 0;
    auto waiter = weft::spawn([&] {
      line = __LINE__ + 1;
      weft::await(target);
    });
    const auto before = weft::stats().suspensions;
    for (int i = 0; i < 3; ++i) weft::suspend();
    EXPECT_EQ(weft::stats().suspensions, before + 3 + 3 + 2)
        << "of this coroutine, of the other one, and two waits";
    EXPECT_EQ(waiter.suspend_place().line, line);
    EXPECT_EQ(waiter.awaiting(), (Log{target.info()}));
    bell.ring();
    weft::await(waiter);
    EXPECT_TRUE(waiter.awaiting().empty());
  });
}

// R-SUS-7: an exception in flight is kept while a destructor waits.
TEST(QuickParkTest, LeavesAnExceptionInFlightAlone) {
  run_quickly([] {
    const Busy other;
    auto waiter = weft::spawn([] {
      struct Clean {
        ~Clean() {
          weft::await(weft::spawn([] { weft::suspend(); }));
        }
      };
      const Clean clean;
      throw std::runtime_error{"in flight"};
    });
    for (int i = 0; i < 2; ++i) weft::suspend();
    waiter.cancel();
    EXPECT_EQ(text(error_of([&] { weft::await(waiter); })), "in flight");
  });
}

}  // namespace
