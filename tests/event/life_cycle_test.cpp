#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// An event kind that logs its starts, and its state when it is stopped.
class Door final : public weft::Event {
 public:
  explicit Door(Log& log) : log_{&log} {}
  bool start() override {
    log_->push_back("start");
    add_loop_reference();
    return true;
  }
  bool stop() noexcept override {
    log_->push_back(is_closed() ? "stop when closed" : "stop when open");
    if (loop_references() > 0) drop_loop_reference();
    return true;
  }
  void slam() noexcept { notify_and_close(); }

 private:
  Log* log_;
};

// R-LIFE-1
TEST(LifeCycle, ANewEventTakesSubscribersBeforeItIsStarted) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    Call call{[](weft::Event&, const weft::Outcome&) {}};
    EXPECT_EQ(timer.references(), 1U);
    EXPECT_TRUE(timer.add_callback(call));
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
    timer.remove_callback(call);
  });
}

// R-LIFE-2
TEST(LifeCycle, StartingMakesItActive) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    EXPECT_TRUE(timer.start());
    EXPECT_TRUE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 1U);
    timer.stop();
  });
}

// R-LIFE-3
TEST(LifeCycle, AOneShotKindCloses) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    weft::await(timer);
    EXPECT_TRUE(timer.is_closed());
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-LIFE-3
TEST(LifeCycle, APeriodicKindBecomesActiveAgain) {
  weft::testing::run([] {
    weft::Timer timer = weft::Timer::periodic(10ms);
    EXPECT_TRUE(timer.start());
    weft::await(timer);
    EXPECT_FALSE(timer.is_closed());
    EXPECT_TRUE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 1U);
    weft::await(timer);
    EXPECT_FALSE(timer.is_closed());
  });
}

// R-LIFE-4
TEST(LifeCycle, AStoppedEventCanBeStartedAgain) {
  int fired = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++fired; }};
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    timer.add_callback(call);
    timer.start();
    timer.stop();
    EXPECT_FALSE(timer.is_closed());
    weft::delay(50ms);
    EXPECT_EQ(fired, 0) << "the timer has left the loop";
    EXPECT_TRUE(timer.start());
    weft::delay(9ms);
    EXPECT_EQ(fired, 0) << "a new start counts anew";
    weft::delay(2ms);
    EXPECT_EQ(fired, 1);
    timer.remove_callback(call);
  });
}

// R-LIFE-5
TEST(LifeCycle, AClosedEventRefusesSubscribers) {
  Doorbell bell;
  Call call{[](weft::Event&, const weft::Outcome&) {}};
  bell.ring_and_close();
  EXPECT_TRUE(bell.has(weft::Event::closed_flag));
  EXPECT_FALSE(bell.add_callback(call));
  EXPECT_EQ(bell.subscribers(), 0U);
}

// R-LIFE-6
TEST(LifeCycle, NotifyAndCloseStopsThenClosesThenNotifies) {
  Log log;
  weft::testing::run([&] {
    Door door{log};
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      log.push_back(event.is_closed() ? "notified when closed" : "notified when open");
    }};
    door.add_callback(call);
    door.start();
    door.slam();
    door.remove_callback(call);
  });
  EXPECT_EQ(log, (Log{"start", "stop when open", "notified when closed"}));
}

// R-LIFE-6, R-TMR-3
TEST(LifeCycle, TheCallbacksOfAOneShotTimerSeeItClosedAndOutOfTheLoop) {
  Log log;
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      log.push_back(event.is_closed() ? "closed" : "open");
      log.push_back(timer.is_armed() ? "armed" : "not armed");
      log.push_back(std::to_string(event.loop_references()));
    }};
    timer.add_callback(call);
    timer.start();
    timer.start();
    weft::delay(20ms);
    timer.remove_callback(call);
  });
  EXPECT_EQ(log, (Log{"closed", "not armed", "0"}));
}

// R-LIFE-6
TEST(LifeCycle, NotifyAndCloseNotifiesEachSubscriberOnceAndNeverAgain) {
  int first = 0;
  int second = 0;
  Doorbell bell;
  Call one{[&](weft::Event&, const weft::Outcome&) { ++first; }};
  Call two{[&](weft::Event&, const weft::Outcome&) { ++second; }};
  bell.add_callback(one);
  bell.add_callback(two);
  bell.ring_and_close();
  bell.ring_and_close();
  bell.ring();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  bell.remove_callback(one);
  bell.remove_callback(two);
}

// R-LIFE-7
TEST(LifeCycle, AWakerCannotWaitForAClosedEvent) {
  weft::testing::run([] {
    Doorbell bell;
    bell.close();
    weft::Waker& waker = weft::current().base().waker().renew();
    try {
      waker.resume_when(bell);
      ADD_FAILURE() << "nothing thrown";
    } catch (const weft::MisuseError& error) {
      EXPECT_STREQ(error.what(), "The event cannot be used after it has been terminated");
    }
    EXPECT_TRUE(waker.empty());
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

// R-LIFE-7: after a refused subscription the coroutine can wait again.
TEST(LifeCycle, ACoroutineMayWaitAnewAfterARefusedSubscription) {
  bool woken = false;
  weft::testing::run([&] {
    Doorbell closed;
    Doorbell bell;
    closed.close();
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(bell);
    EXPECT_THROW(waker.resume_when(closed), weft::MisuseError);
    auto ringer = weft::spawn([&] { bell.ring(); });
    waker.renew().resume_when(bell);
    weft::suspend(waker);
    woken = true;
    EXPECT_EQ(bell.subscribers(), 0U);
    weft::await(ringer);
  });
  EXPECT_TRUE(woken);
}

}  // namespace
