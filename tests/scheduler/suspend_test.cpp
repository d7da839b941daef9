#include <exception>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

/// An event that logs when it is started and stopped.
class Observed final : public weft::Event {
 public:
  explicit Observed(Log& log) : log_{log} {}
  bool start() override {
    log_.push_back("start");
    if (ready) notify();
    return true;
  }
  bool stop() noexcept override {
    log_.push_back("stop");
    return true;
  }
  void ring() noexcept { notify(); }

  bool ready = false;  ///< start() notifies

 private:
  Log& log_;
};

/// An event that keeps its outcome, and can end without a notification.
class Kept final : public weft::Event {
 public:
  using weft::Event::replay;
  bool replay(weft::Outcome& outcome) const override {
    if (!is_closed()) return false;
    outcome = weft::Outcome{std::make_exception_ptr(std::runtime_error{"kept"})};
    return true;
  }
  void end() noexcept { close_quietly(); }
};

// R-SUS-1
TEST(SuspendTest, StartsEventsOnlyWhenTheWaitBegins) {
  Log log;
  weft::testing::run([&] {
    Observed event{log};
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(event);
    log.push_back("prepared");
    weft::post_microtask([&] {
      log.push_back("ring");
      event.ring();
    });
    weft::suspend(waker);
    log.push_back("woken");
  });
  EXPECT_EQ(log, (Log{"prepared", "start", "ring", "stop", "woken"}));
}

// R-SUS-1
TEST(SuspendTest, LetsATimerCountFromTheSuspension) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(timer);
    weft::testing::advance(50ms);
    const weft::TimePoint suspended = weft::now();
    weft::suspend(waker);
    EXPECT_GE(weft::now() - suspended, 10ms);
    EXPECT_LT(weft::now() - suspended, 11ms);
  });
}

// R-SUS-2
TEST(SuspendTest, MakesOneTickThenSwitchesToTheReadyCoroutine) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    const weft::Stats before = weft::stats();
    weft::set_heartbeat([&] { log.push_back("tick"); });
    weft::post_microtask([&] {
      log.push_back("microtask");
      EXPECT_EQ(weft::stats().switches, before.switches);
    });
    weft::spawn([&] {
      weft::set_heartbeat({});
      log.push_back("ready coroutine");
      EXPECT_EQ(weft::stats().switches, before.switches + 1);
      EXPECT_EQ(weft::stats().scheduler_switches, before.scheduler_switches);
      bell.ring();
    });
    weft::await(bell);
  });
  EXPECT_EQ(log, (Log{"tick", "microtask", "ready coroutine"}));
}

// R-SUS-2
TEST(SuspendTest, SwitchesToTheSchedulerCoroutineWhenNoneIsReady) {
  weft::testing::run([] {
    const weft::Stats before = weft::stats();
    weft::delay(1ms);
    EXPECT_EQ(weft::stats().scheduler_switches - before.scheduler_switches, 1U);
  });
}

// R-SUS-3
TEST(SuspendTest, LeavesTheOutcomeInTheWaker) {
  weft::testing::run([] {
    Doorbell quiet;
    Doorbell loud;
    const int value = 42;
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(quiet);
    waker.resume_when(loud);
    weft::spawn([&] { loud.ring(weft::Outcome::of(value)); });
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 1);
    EXPECT_EQ(waker.value(), &value);
    EXPECT_EQ(waker.error(), nullptr);
  });
}

// R-SUS-3
TEST(SuspendTest, ThrowsTheErrorOfTheOutcomeAtTheSuspension) {
  weft::testing::run([] {
    Doorbell bell;
    weft::spawn([&] {
      bell.ring(weft::Outcome{std::make_exception_ptr(std::out_of_range{"rung too far"})});
    });
    EXPECT_EQ(text(error_of([&] { weft::await(bell); })), "rung too far");
  });
}

// R-SUS-4, R-SWI-1
TEST(SuspendTest, ReturnsAtOnceWhenAnEventFiresWhileItIsStarted) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] { log.push_back("other"); });
    weft::post_microtask([&] { log.push_back("microtask"); });
    Observed event{log};
    event.ready = true;
    const weft::Stats before = weft::stats();
    weft::await(event);
    log.push_back("main");
    EXPECT_EQ(weft::stats().switches, before.switches);
  });
  // No tick was made: the microtask and the other coroutine run later.
  EXPECT_EQ(log, (Log{"start", "stop", "main", "microtask", "other"}));
}

// R-SUS-5, R-SWI-1
TEST(SuspendTest, DoesNotSuspendForAFinishedCoroutine) {
  Log log;
  weft::testing::run([&] {
    auto done = weft::spawn([] { return 3; });
    weft::await(done);
    weft::spawn([&] { log.push_back("other"); });
    weft::post_microtask([&] { log.push_back("microtask"); });
    const weft::Stats before = weft::stats();
    EXPECT_EQ(weft::await(done), 3);
    weft::await(static_cast<weft::Event&>(done));
    EXPECT_EQ(weft::stats().switches, before.switches);
    log.push_back("main");
  });
  EXPECT_EQ(log, (Log{"main", "microtask", "other"}));
}

// R-SUS-6
TEST(SuspendTest, ReplaysAnEventThatClosedBetweenSubscriptionAndSuspension) {
  weft::testing::run([] {
    Kept event;
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(event);
    event.end();
    const weft::Stats before = weft::stats();
    EXPECT_EQ(text(error_of([&] { weft::suspend(waker); })), "kept");
    EXPECT_EQ(weft::stats().switches, before.switches);
  });
}

// R-SUS-7
TEST(SuspendTest, GoesThroughItsStepsInOrder) {
  Log log;
  weft::testing::run([&] {
    Observed event{log};
    weft::suspend();
    const unsigned old_line = weft::current().suspend_place().line;
    unsigned new_line = 0;
    const auto place = [&](const weft::AnyCoroutine& self) {
      const unsigned line = self.suspend_place().line;
      return line == old_line ? ", old place" : line == new_line ? ", new place" : ", no place";
    };
    const weft::AnyCoroutine self = weft::current();
    self.add_switch_handler([&](weft::Switch what) {
      log.push_back(what == weft::Switch::enter ? "enter" : "leave" + std::string{place(self)});
      return what != weft::Switch::enter;
    });
    weft::post_microtask([&] { log.push_back("tick" + std::string{place(self)}); });
    weft::post_microtask([&] { self.cancel("because"); });
    try {
      new_line = __LINE__ + 1;
      weft::await(event);
    } catch (const weft::Cancelled&) {
      log.push_back("thrown");
    }
  });
  EXPECT_EQ(log, (Log{"start", "leave, old place", "tick, new place", "stop", "enter", "thrown"}));
}

// R-SUS-8, R-SWI-2
TEST(SuspendTest, ReturnsFromItsOwnTickWithoutTheQueueWhenWokenThere) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::spawn([&] { log.push_back("ready before"); });
    weft::post_microtask([&] {
      bell.ring();
      EXPECT_EQ(weft::stats().queued, 1U);  // only the other coroutine
    });
    const weft::Stats before = weft::stats();
    weft::await(bell);
    log.push_back("main");
    EXPECT_EQ(weft::stats().switches, before.switches);
  });
  EXPECT_EQ(log, (Log{"main", "ready before"}));
}

// R-SUS-11
TEST(SuspendTest, RefusesToSuspendInACallbackOfTheReactor) {
  Log log;
  weft::testing::run([&] {
    weft::Timer timer{1ms};
    Call callback{[&](weft::Event&, const weft::Outcome&) {
      log.push_back(text(error_of([] { weft::suspend(); })));
    }};
    timer.add_callback(callback);
    timer.start();
    weft::delay(5ms);
    timer.remove_callback(callback);
    log.push_back("main");
  });
  EXPECT_THAT(
      log,
      ElementsAre(StartsWith("A coroutine cannot be stopped from the Scheduler context"), "main"));
}

// R-SUS-11
TEST(SuspendTest, RefusesToSuspendOutsideACoroutine) {
  EXPECT_THROW(weft::suspend(), weft::MisuseError);
}

}  // namespace
