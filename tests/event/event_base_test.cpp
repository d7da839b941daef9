#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// An event kind that overrides every virtual function and logs the calls.
class Recorder final : public weft::Event {
 public:
  explicit Recorder(Log& log) : log_{&log} {}

  bool add_callback(weft::Callback& callback) override {
    log_->push_back("add_callback");
    return Event::add_callback(callback);
  }
  bool remove_callback(weft::Callback& callback) noexcept override {
    log_->push_back("remove_callback");
    return Event::remove_callback(callback);
  }
  bool start() override {
    log_->push_back("start");
    return true;
  }
  bool stop() noexcept override {
    log_->push_back("stop");
    return true;
  }
  bool replay(weft::Outcome& outcome) const override {
    log_->push_back("replay");
    outcome = weft::Outcome::of(answer_);
    return true;
  }
  using Event::replay;
  [[nodiscard]] std::string info() const override { return "Recorder"; }

  void ring() noexcept { notify(); }

 protected:
  void notified(const weft::Outcome& outcome) noexcept override {
    log_->push_back("notified");
    notify_callbacks(outcome);
  }
  void dispose() noexcept override {
    log_->push_back("dispose");
    Event::dispose();
  }

 private:
  Log* log_;
  int answer_ = 42;
};

// R-EVT-1
TEST(EventBase, IsTheBaseOfEveryKind) {
  static_assert(std::is_base_of_v<weft::Event, weft::CoroutineBase>);
  static_assert(std::is_base_of_v<weft::Event, weft::Timer>);
  static_assert(std::is_base_of_v<weft::Event, weft::Trigger>);
  Log log;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([] {});
    weft::Timer timer{10ms};
    weft::Trigger trigger;
    Doorbell bell;
    // One function for all kinds of events.
    auto wait = [&](weft::Event& event) {
      const std::string info = event.info();
      weft::await(event);
      log.push_back(info.substr(0, info.find_first_of(" (")));
    };
    weft::spawn([&] { bell.ring(); });
    trigger.fire();
    wait(bell);
    wait(trigger);
    wait(timer);
    auto late = weft::spawn([] { weft::delay(1ms); });
    wait(late);
    weft::await(coroutine);
  });
  EXPECT_EQ(log, (Log{"Doorbell", "Trigger", "Timer", "Coroutine"}));
}

// R-EVT-2
TEST(EventBase, CombinesKindsInOneWait) {
  int woken_by = -2;
  weft::testing::run([&] {
    Doorbell bell;
    weft::Timer timer{1h};
    weft::Trigger trigger;
    auto coroutine = weft::spawn([] { weft::delay(10ms); });
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(bell);
    waker.resume_when(timer);
    waker.resume_when(coroutine);
    waker.resume_when(trigger);
    weft::suspend(waker);
    woken_by = waker.triggered();
    EXPECT_EQ(weft::stats().active_events, 0U) << "the others must have been stopped";
  });
  EXPECT_EQ(woken_by, 2);
}

// R-EVT-3, R-LIFE-1
TEST(EventBase, StartsWithOneReferenceNoFlagsAndNoSubscriber) {
  Doorbell bell;
  EXPECT_EQ(bell.references(), 1U);
  EXPECT_EQ(bell.loop_references(), 0U);
  EXPECT_EQ(bell.subscribers(), 0U);
  EXPECT_FALSE(bell.is_closed());
  EXPECT_FALSE(bell.is_hidden());
  EXPECT_TRUE(bell.has(weft::Event::no_free_memory_flag)) << "the event is on the stack";
  EXPECT_LE(sizeof(weft::Event), 64U);

  const auto counted = weft::make_ref<Doorbell>();
  EXPECT_EQ(counted->references(), 1U);
  EXPECT_FALSE(counted->has(weft::Event::no_free_memory_flag));
}

// R-EVT-4
TEST(EventBase, KindsAddTheirOwnDataByInheritance) {
  struct Parcel final : weft::Event {
    std::string content = "book";
  };
  const auto parcel = weft::make_ref<Parcel>();
  weft::Event& event = *parcel;
  EXPECT_EQ(static_cast<Parcel&>(event).content, "book");
}

// R-EVT-5
TEST(EventBase, CallsTheMethodsOfTheKind) {
  Log log;
  Call call{[&](weft::Event&, const weft::Outcome&) { log.push_back("called"); }};
  {
    const weft::Ref<weft::Event> event = weft::make_ref<Recorder>(log);
    EXPECT_TRUE(event->add_callback(call));
    EXPECT_TRUE(event->start());
    EXPECT_TRUE(event->stop());
    EXPECT_TRUE(event->replay(call));
    static_cast<Recorder&>(*event).ring();
    EXPECT_TRUE(event->remove_callback(call));
    EXPECT_EQ(event->info(), "Recorder");
  }
  EXPECT_EQ(log, (Log{"add_callback", "start", "stop", "replay", "called", "notified", "called",
                      "remove_callback", "dispose"}));
}

// R-EVT-5
TEST(EventBase, HasDefaultsForWhatAKindLeavesOut) {
  struct Plain final : weft::Event {};
  Plain plain;
  weft::Outcome outcome;
  EXPECT_TRUE(plain.start());
  EXPECT_TRUE(plain.stop());
  EXPECT_FALSE(plain.replay(outcome));
  EXPECT_FALSE(plain.info().empty());
  EXPECT_EQ(plain.describe(), plain.info());
}

// R-EVT-19: describe(), for reports, may say more than info(), and an EventRef passes it on.
TEST(EventBase, DescribesItselfInMoreWordsThanItsInfo) {
  struct Named final : weft::Event {
    [[nodiscard]] std::string info() const override { return "Named"; }
    [[nodiscard]] std::string describe() const override { return "Named #3 for the report"; }
  };
  const weft::EventRef reference{weft::make_ref<Named>()};
  EXPECT_EQ(reference.info(), "Named");
  EXPECT_EQ(reference.describe(), "Named #3 for the report");
  EXPECT_EQ(weft::EventRef{}.describe(), "EventRef");
}

// R-EVT-6
TEST(EventBase, ReportsWhetherSubscribingAndUnsubscribingSucceeded) {
  Doorbell bell;
  Doorbell other;
  Call call{[](weft::Event&, const weft::Outcome&) {}};
  EXPECT_FALSE(bell.remove_callback(call)) << "never subscribed";
  EXPECT_TRUE(bell.add_callback(call));
  EXPECT_FALSE(bell.add_callback(call)) << "subscribed already";
  EXPECT_FALSE(other.add_callback(call)) << "subscribed elsewhere";
  EXPECT_FALSE(other.remove_callback(call)) << "subscribed elsewhere";
  EXPECT_TRUE(bell.remove_callback(call));
  EXPECT_FALSE(bell.remove_callback(call)) << "removed already";
}

// R-EVT-6: two callbacks have the same position in two events, and each event knows its own.
TEST(EventBase, DoesNotRemoveTheCallbackOfAnotherEvent) {
  Doorbell bell;
  Doorbell other;
  int rung = 0;
  Call mine{[&](weft::Event&, const weft::Outcome&) { ++rung; }};
  Call theirs{[](weft::Event&, const weft::Outcome&) {}};
  bell.add_callback(mine);
  other.add_callback(theirs);
  EXPECT_FALSE(bell.remove_callback(theirs));
  bell.ring();
  EXPECT_EQ(rung, 1);
  EXPECT_EQ(other.subscribers(), 1U);
  bell.remove_callback(mine);
  other.remove_callback(theirs);
}

// R-EVT-7
TEST(EventBase, AppendsACallbackAndTakesOneReferenceOnIt) {
  Log log;
  Doorbell bell;
  Call first{[&](weft::Event&, const weft::Outcome&) { log.push_back("first"); }};
  Call second{[&](weft::Event&, const weft::Outcome&) { log.push_back("second"); }};
  EXPECT_EQ(first.references(), 1U);
  bell.add_callback(first);
  EXPECT_EQ(first.references(), 2U);
  EXPECT_TRUE(first.is_subscribed());
  bell.add_callback(second);
  EXPECT_EQ(first.references(), 2U);
  EXPECT_EQ(bell.subscribers(), 2U);
  bell.ring();
  EXPECT_EQ(log, (Log{"first", "second"}));
  bell.remove_callback(first);
  bell.remove_callback(second);
}

// R-EVT-8
TEST(EventBase, DisposesACallbackThatItRemoves) {
  Doorbell bell;
  int rung = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++rung; }};
  bell.add_callback(call);
  EXPECT_EQ(call.disposed(), 0);
  EXPECT_TRUE(bell.remove_callback(call));
  EXPECT_EQ(call.disposed(), 1);
  EXPECT_EQ(call.references(), 1U);
  EXPECT_FALSE(call.is_subscribed());
  bell.ring();
  EXPECT_EQ(rung, 0);
}

// R-EVT-8: as in a select().
TEST(EventBase, IsFreeOfTheWaiterThatAnotherEventWoke) {
  weft::testing::run([] {
    Doorbell wanted;
    Doorbell other;
    auto waiter = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(wanted);
      waker.resume_when(other);
      weft::suspend(waker);
    });
    weft::testing::settle();
    EXPECT_EQ(other.subscribers(), 1U);
    wanted.ring();
    weft::await(waiter);
    EXPECT_EQ(wanted.subscribers(), 0U);
    EXPECT_EQ(other.subscribers(), 0U);
  });
}

// R-EVT-19, R-OBS-3
TEST(EventBase, DescribesItselfForPeople) {
  using ::testing::MatchesRegex;
  weft::testing::run([] {
    EXPECT_EQ(weft::Timer{100ms}.info(), "Timer(timeout=100ms, once)");
    EXPECT_EQ(weft::Timer::periodic(7ms).info(), "Timer(timeout=7ms, periodic)");
    EXPECT_EQ(weft::Trigger{}.info(), "Trigger");
    Doorbell bell;
    auto coroutine = weft::spawn(
        {.name = "reader"},
        [&] {
          weft::await(bell, weft::Place{"bar.cpp", 20});
        },
        weft::Place{"foo.cpp", 10});
    const std::string id = std::to_string(coroutine.id());
    EXPECT_EQ(coroutine.info(), "Coroutine " + id + " spawned at foo.cpp:10 (reader)");
    weft::testing::settle();
    EXPECT_EQ(coroutine.info(),
              "Coroutine " + id + " spawned at foo.cpp:10, suspended at bar.cpp:20 (reader)");
    bell.ring();
    weft::await(coroutine);
  });
}

// R-KIND-2
TEST(EventBase, IsTheFirstPartOfEveryKind) {
  const auto is_first = [](auto& kind) {
    return static_cast<const void*>(static_cast<weft::Event*>(&kind)) ==
           static_cast<const void*>(&kind);
  };
  weft::Timer timer{1ms};
  weft::Trigger trigger;
  Doorbell bell;
  weft::EventRef reference;
  EXPECT_TRUE(is_first(timer));
  EXPECT_TRUE(is_first(trigger));
  EXPECT_TRUE(is_first(bell));
  EXPECT_TRUE(is_first(reference));
  weft::testing::run([&] {
    auto coroutine = weft::spawn([] { return 1; });
    EXPECT_TRUE(is_first(coroutine.base()));
    EXPECT_TRUE(is_first(coroutine.typed()));
  });
}

}  // namespace
