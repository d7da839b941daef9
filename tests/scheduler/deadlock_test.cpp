#include <thread>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

// R-DLK-1, R-DLK-5
TEST(Deadlock, IsThrownWhenAllWaitAndNothingCanWakeThem) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          Doorbell bell;
          weft::await(bell);
        },
        quiet());
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(error), "Deadlock detected: no active coroutines, 1 coroutines in waiting");
}

// R-DLK-5
TEST(Deadlock, CountsEveryWaiter) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          Doorbell bell;
          auto first = weft::spawn([&] { weft::await(bell); });
          auto second = weft::spawn([&] { weft::await(bell); });
          weft::await(first);
        },
        quiet());
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(error), "Deadlock detected: no active coroutines, 3 coroutines in waiting");
}

// R-DLK-1
TEST(Deadlock, IsFoundAfterTheMainBodyEnded) {
  Doorbell bell;
  const std::exception_ptr error = error_of(
      [&] { weft::testing::run([&] { weft::spawn([&] { weft::await(bell); }); }, quiet()); });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(error), "Deadlock detected: no active coroutines, 1 coroutines in waiting");
}

// R-DLK-1, R-DLK-2
TEST(Deadlock, IsNotDeclaredWhileATimerCanStillWakeACoroutine) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto ringer = weft::spawn([&] {
      weft::delay(24h);
      bell.ring();
    });
    weft::await(bell);
    log.emplace_back("woken");
  });
  EXPECT_EQ(log, (Log{"woken"}));
}

// R-DLK-2
TEST(Deadlock, IsNotDeclaredWhileAMicrotaskIsPosted) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto last = weft::spawn([&] {
      // Two microtasks: the second is posted when the run queue is already empty.
      weft::post_microtask([&] { weft::post_microtask([&] { bell.ring(); }); });
    });
    weft::await(bell);
    log.emplace_back("woken");
  });
  EXPECT_EQ(log, (Log{"woken"}));
}

// R-DLK-2
TEST(Deadlock, IsNotDeclaredWhileACoroutineIsQueued) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto busy = weft::spawn([&] {
      for (int i = 0; i < 1'000; ++i) weft::suspend();
      bell.ring();
    });
    weft::await(bell);
    log.emplace_back("woken");
  });
  EXPECT_EQ(log, (Log{"woken"}));
}

// R-DLK-2
TEST(Deadlock, IsNotDeclaredWhenNoCoroutineIsLeft) {
  Doorbell bell;
  EXPECT_EQ(weft::testing::run([&] {
              auto call =
                  weft::make_ref<weft_test::Call>([](weft::Event&, const weft::Outcome&) {});
              bell.add_callback(*call);  // a subscriber, but no coroutine that waits
              bell.remove_callback(*call);
              return 7;
            }),
            7);
}

// R-DLK-1
TEST(Deadlock, IsNotDeclaredWhileAThreadMayFireATrigger) {
  Log log;
  weft::testing::run([&] {
    weft::Trigger trigger;
    std::thread firing{[&] { trigger.fire(); }};
    weft::await(trigger);
    firing.join();
    log.emplace_back("woken");
  });
  EXPECT_EQ(log, (Log{"woken"}));
}

/// Reports that nothing can happen any more, but rings the bell in the next poll.
class LateDriver final : public weft::Driver {
 public:
  explicit LateDriver(Doorbell& bell) : bell_{bell} {}
  bool poll(weft::Wait wait, weft::TimePoint) noexcept override {
    if (wait == weft::Wait::yes) {
      has_slept_ = true;
    } else if (has_slept_ && !has_rung_) {
      has_rung_ = true;
      bell_.ring();
    }
    return false;
  }
  weft::TimePoint now() noexcept override { return weft::TimePoint{} + 1s; }
  void passed(unsigned) noexcept override {}
  [[nodiscard]] std::size_t active_events() const noexcept override { return 0; }
  [[nodiscard]] bool has_rung() const noexcept { return has_rung_; }

 private:
  Doorbell& bell_;
  bool has_slept_ = false;
  bool has_rung_ = false;
};

// R-DLK-3
TEST(Deadlock, IsAFalseAlarmIfOneMorePollWakesACoroutine) {
  Doorbell bell;
  LateDriver driver{bell};
  weft::Options options = quiet();
  options.driver = &driver;
  const std::exception_ptr error =
      error_of([&] { weft::run([&] { weft::await(bell); }, std::move(options)); });
  EXPECT_EQ(text(error), "nothing");
  EXPECT_TRUE(driver.has_rung());
}

// R-DLK-8
TEST(Deadlock, IsFoundBetweenTwoThatAwaitEachOther) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          weft::Coroutine<void> first;
          weft::Coroutine<void> second;
          first = weft::spawn([&] { weft::await(second); });
          second = weft::spawn([&] { weft::await(first); });
          weft::await(first);
        },
        quiet());
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(error), "Deadlock detected: no active coroutines, 3 coroutines in waiting");
}

// R-DLK-8
TEST(Deadlock, IsFoundWhenACoroutineAwaitsItself) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] { weft::spawn([] { weft::await(weft::current()); }); }, quiet());
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(error), "Deadlock detected: no active coroutines, 1 coroutines in waiting");
}

// R-DLK-9, R-HID-2
TEST(Deadlock, IsNotHiddenByAPeriodicHiddenTimer) {
  int beats = 0;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::Timer heartbeat = weft::Timer::periodic(10ms);
          auto beat =
              weft::make_ref<weft_test::Call>([&](weft::Event&, const weft::Outcome&) { ++beats; });
          heartbeat.add_callback(*beat);
          heartbeat.set_hidden(true);
          heartbeat.start();
          weft::delay(35ms);
          Doorbell bell;
          const std::exception_ptr cancelled = error_of([&] { weft::await(bell); });
          heartbeat.stop();
          heartbeat.remove_callback(*beat);
          std::rethrow_exception(cancelled);
        },
        quiet());
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(beats, 3);
}

}  // namespace
