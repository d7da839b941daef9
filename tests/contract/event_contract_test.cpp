#include <regex>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/kinds.hpp"
#include "failures.hpp"
#include "support.hpp"

// What every event promises, for every kind of event. Children, signals and threads take real time,
// so these tests run on the real clock; no result depends on it.
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using weft::Event;
using weft_test::Call;
using weft_test::collecting;
using weft_test::Counting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Kind;
using weft_test::Life;
using weft_test::Specimen;
using weft_test::text;

class EventContract : public ::testing::TestWithParam<Kind> {
 protected:
  /// Runs `body` with an event of the kind, and expects that all counts return to zero.
  template <class F>
  void with_specimen(F body) {
    const auto error = error_of([&] {
      weft::run(
          [&] {
            Specimen specimen = GetParam().make();
            body(specimen);
            specimen.fire = {};
            specimen.end = {};
          },
          collecting(warnings_));
    });
    EXPECT_EQ(error, nullptr) << text(error);
    const weft::Stats left = weft::stats();
    EXPECT_EQ(left.coroutines, 0U);
    EXPECT_EQ(left.active_events, 0U);
    EXPECT_EQ(left.hidden_events, 0U);
    EXPECT_EQ(left.armed_timers, 0U);
  }
  [[nodiscard]] static bool counts() { return GetParam().counting != Counting::nothing; }
  [[nodiscard]] static bool is_in_loop() { return GetParam().counting == Counting::loop; }
  [[nodiscard]] static bool is_hint() { return GetParam().life == Life::hint; }

  /// Whether `error` is the expected end of a wait.
  [[nodiscard]] static bool is_right(const std::exception_ptr& error) {
    return GetParam().fails == (error != nullptr);
  }
  /// Spawns a coroutine that waits for `event`, and lets it park.
  [[nodiscard]] static weft::Coroutine<void> parked(Event& event) {
    auto waiting = weft::spawn([&event] { weft::await(event); });
    weft::suspend();
    return waiting;
  }

  std::vector<std::string> warnings_;
};

INSTANTIATE_TEST_SUITE_P(Of, EventContract, ::testing::ValuesIn(weft_test::kinds()),
                         [](const auto& kind) { return std::string{kind.param.name}; });

// R-EVT-19, R-OBS-3, R-EVT-1
TEST_P(EventContract, SaysWhatItIs) {
  with_specimen([](Specimen& specimen) {
    const std::string info = specimen.event->info();
    EXPECT_TRUE(std::regex_match(info, std::regex{GetParam().info})) << info;
    EXPECT_FALSE(specimen.event->describe().empty());
  });
}

// R-OBS-3, R-DLK-4: reports show the description of the awaited event.
TEST_P(EventContract, IsShownByTheWaitForIt) {
  with_specimen([](Specimen& specimen) {
    auto waiting = parked(*specimen.event);
    if (!waiting.is_completed()) {
      EXPECT_EQ(waiting.awaiting(), std::vector{specimen.event->describe()});
    }
    waiting.cancel();
    weft::suspend();
  });
}

// R-EVT-2, R-EVT-6, R-EVT-7, R-EVT-8
TEST_P(EventContract, TakesACallbackOnceAndGivesItBack) {
  with_specimen([](Specimen& specimen) {
    Event& event = *specimen.event;
    const auto before = event.subscribers();
    Call call{[](Event&, const weft::Outcome&) {}};
    EXPECT_TRUE(event.add_callback(call));
    EXPECT_EQ(event.subscribers(), before + 1);
    EXPECT_EQ(call.references(), 2U);
    EXPECT_FALSE(event.add_callback(call));
    EXPECT_TRUE(event.remove_callback(call));
    EXPECT_EQ(call.disposed(), 1);
    EXPECT_EQ(call.references(), 1U);
    EXPECT_FALSE(event.remove_callback(call));
    EXPECT_EQ(event.subscribers(), before);
  });
}

// R-EVT-9, R-EVT-10, R-EVT-12, R-EVT-13
TEST_P(EventContract, CountsItsStartsAndStops) {
  with_specimen([](Specimen& specimen) {
    Event& event = *specimen.event;
    const auto active = weft::stats().active_events;
    EXPECT_TRUE(event.start());
    EXPECT_TRUE(event.start());
    EXPECT_EQ(event.loop_references(), counts() ? 2U : 0U);
    EXPECT_EQ(weft::stats().active_events > active, is_in_loop());
    EXPECT_TRUE(event.stop());
    EXPECT_EQ(event.loop_references(), counts() ? 1U : 0U);
    EXPECT_EQ(weft::stats().active_events > active, is_in_loop());
    EXPECT_TRUE(event.stop());
    EXPECT_TRUE(event.stop()) << "one too many takes nothing away";
    EXPECT_EQ(event.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, active);
  });
}

// R-EVT-1, R-EVT-2, R-LIFE-3: a callback is called, and sees an event that happens once as closed.
TEST_P(EventContract, NotifiesItsCallbacks) {
  with_specimen([](Specimen& specimen) {
    Event& event = *specimen.event;
    int notified = 0;
    bool was_closed = false;
    Call call{[&](Event& from, const weft::Outcome& outcome) {
      EXPECT_EQ(&from, &event);
      if (outcome.error() != nullptr) from.claim_error();
      was_closed = from.is_closed();
      ++notified;
    }};
    event.add_callback(call);
    auto waiting = parked(event);
    specimen.fire();
    EXPECT_TRUE(is_right(error_of([&] { weft::await(waiting); })));
    EXPECT_GE(notified, 1);
    const bool ends = GetParam().life == Life::once || GetParam().life == Life::silent;
    EXPECT_EQ(was_closed, ends);
    EXPECT_EQ(event.is_closed(), ends);
    event.remove_callback(call);
  });
}

// R-EVT-14, R-EVT-15, R-EVT-17, R-LIFE-5: subscribers that come after the notification.
TEST_P(EventContract, AnswersLateSubscribers) {
  with_specimen([this](Specimen& specimen) {
    Event& event = *specimen.event;
    weft::Outcome outcome;
    EXPECT_FALSE(event.replay(outcome)) << "it has not happened";
    auto waiting = parked(event);
    specimen.fire();
    EXPECT_TRUE(is_right(error_of([&] { weft::await(waiting); })));
    int notified = 0;
    Call call{[&](Event&, const weft::Outcome&) { ++notified; }};
    const bool keeps = GetParam().life == Life::once;
    EXPECT_EQ(event.replay(outcome), keeps);
    EXPECT_EQ(event.replay(call), keeps);
    EXPECT_EQ(notified, keeps ? 1 : 0);
    if (GetParam().life == Life::again) return;
    EXPECT_TRUE(event.is_ready());
    const auto switches = weft::stats().switches;
    weft::await(event);
    EXPECT_EQ(weft::stats().switches, switches) << "without a switch";
    EXPECT_EQ(warnings_.size(), GetParam().life == Life::silent ? 1U : 0U);
    if (!is_hint()) {
      EXPECT_FALSE(event.add_callback(call));
    }
  });
}

// R-LIFE-5, R-FLG-1: closing the event ends its waits; it takes no more callbacks.
TEST_P(EventContract, EndsItsWaitsWhenItIsClosed) {
  with_specimen([](Specimen& specimen) {
    if (!specimen.end) return;
    Event& event = *specimen.event;
    const weft::Ref<Event> keep{event.has(Event::no_free_memory_flag) ? nullptr : &event};
    auto waiting = parked(event);
    specimen.end();
    const auto error = error_of([&] { weft::await(waiting); });
    EXPECT_TRUE(event.is_closed());
    if (is_hint()) {
      EXPECT_EQ(error, nullptr) << text(error);
    }
    Call call{[](Event&, const weft::Outcome&) {}};
    EXPECT_FALSE(event.add_callback(call));
    EXPECT_TRUE(event.start());
    EXPECT_EQ(event.loop_references(), 0U);
  });
}

// R-EVT-17: awaiting a closed hint event is no mistake.
TEST_P(EventContract, IsNoWarningToAwaitAClosedHintEvent) {
  with_specimen([this](Specimen& specimen) {
    if (!is_hint()) return;
    specimen.end();
    weft::await(*specimen.event);
    EXPECT_EQ(weft::select(weft::on(*specimen.event, [] {})), 0U);
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(*specimen.event);
    weft::suspend(waker);
    EXPECT_THAT(warnings_, IsEmpty());
  });
}

// R-DLK-1, R-HID-1: only loop events are active while they are waited for.
TEST_P(EventContract, CountsForTheDeadlockWhileItIsWaitedFor) {
  with_specimen([](Specimen& specimen) {
    Event& event = *specimen.event;
    const auto active = weft::stats().active_events;
    const auto before = event.subscribers();
    auto first = parked(event);
    if (first.is_completed()) return;
    EXPECT_EQ(weft::stats().active_events > active, is_in_loop());
    auto second = parked(event);
    EXPECT_EQ(event.loop_references(), counts() ? 2U : 0U);
    first.cancel();
    weft::suspend();
    second.cancel();
    weft::suspend();
    EXPECT_EQ(event.loop_references(), 0U);
    EXPECT_EQ(event.subscribers(), before);
    EXPECT_EQ(weft::stats().active_events, active);
  });
}

// R-KIND-2: the conversions between an event and its kind do not change the address.
TEST_P(EventContract, IsTheFirstPartOfWhatItBelongsTo) {
  with_specimen([](Specimen& specimen) {
    const void* const whole = dynamic_cast<const void*>(specimen.event);
    EXPECT_EQ(whole, static_cast<const void*>(specimen.event));
  });
}

// R-EVT-2, R-KIND-2: one wait for the event, a timer, a trigger and an event kind of the test.
TEST_P(EventContract, CombinesWithOtherEventsInOneWait) {
  with_specimen([](Specimen& specimen) {
    weft::Timer timer{1h};
    weft::Trigger trigger;
    Doorbell bell;
    auto waiting = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(timer);
      waker.resume_when(trigger);
      waker.resume_when(bell);
      waker.resume_when(*specimen.event);
      const auto error = error_of([&] { weft::suspend(waker); });
      EXPECT_TRUE(is_right(error)) << text(error);
      return waker.triggered();
    });
    weft::suspend();
    specimen.fire();
    EXPECT_EQ(weft::await(waiting), 3);
    EXPECT_EQ(timer.loop_references() + trigger.loop_references(), 0U);
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

// R-EVT-2
TEST_P(EventContract, StandsInASelect) {
  with_specimen([](Specimen& specimen) {
    weft::Channel<int> quiet;
    auto choosing = weft::spawn([&] {
      return weft::select(weft::on_recv(quiet, [](int) {}), weft::on(*specimen.event, [] {}),
                          weft::on(weft::timeout(1h), [] {}));
    });
    weft::suspend();
    specimen.fire();
    const auto error = error_of([&] { EXPECT_EQ(weft::await(choosing), 1U); });
    EXPECT_TRUE(is_right(error)) << text(error);
  });
}

// R-EVT-2: any event may be a token.
TEST_P(EventContract, IsATokenOfAnotherWait) {
  with_specimen([](Specimen& specimen) {
    Doorbell bell;
    auto waiting = weft::spawn([&] { weft::await(bell, *specimen.event); });
    weft::suspend();
    specimen.fire();
    const auto error = error_of([&] { weft::await(waiting); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

// R-EVT-10, R-CAN-3: a token ends the wait, which leaves no subscription and no count.
TEST_P(EventContract, IsLeftByAWaitThatATokenEnds) {
  with_specimen([](Specimen& specimen) {
    Doorbell token;
    const auto before = specimen.event->subscribers();
    auto waiting = weft::spawn([&] { weft::await(*specimen.event, token); });
    weft::suspend();
    token.ring();
    const auto error = error_of([&] { weft::await(waiting); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    EXPECT_EQ(specimen.event->subscribers(), before);
    EXPECT_EQ(specimen.event->loop_references(), 0U);
  });
}

// R-REF-2, R-RC-3: an EventRef stands for its event.
TEST_P(EventContract, IsFollowedThroughAReference) {
  with_specimen([](Specimen& specimen) {
    const weft::Ref<Event> held{specimen.event};
    weft::EventRef reference{held};
    EXPECT_EQ(&weft::resolve(reference), specimen.event);
    EXPECT_EQ(reference.info(), specimen.event->info());
    EXPECT_EQ(reference.describe(), specimen.event->describe());
    auto waiting = parked(reference);
    specimen.fire();
    EXPECT_TRUE(is_right(error_of([&] { weft::await(waiting); })));
    reference.reset();
    EXPECT_TRUE(reference.is_completed());
  });
}

// R-RC-3: every function that takes an event also takes an EventRef, and an EventRef to that.
TEST_P(EventContract, IsFollowedThroughAReferenceInEveryKindOfWait) {
  with_specimen([](Specimen& specimen) {
    weft::EventRef reference{weft::make_ref<weft::EventRef>(weft::Ref<Event>{specimen.event})};
    EXPECT_EQ(&weft::resolve(reference), specimen.event);
    Doorbell never;
    auto by_waker = weft::spawn([&] {
      weft::Waker& waker = weft::current().base().waker().renew();
      waker.resume_when(reference);
      return is_right(error_of([&] { weft::suspend(waker); }));
    });
    auto by_select = weft::spawn([&] {
      return is_right(
          error_of([&] { weft::select(weft::on(never, [] {}), weft::on(reference, [] {})); }));
    });
    auto by_token = weft::spawn([&] {
      return is<weft::OperationCancelled>(error_of([&] { weft::await(never, reference); }));
    });
    weft::suspend();
    EXPECT_EQ(reference.subscribers(), 0U) << "all of them wait for the event itself";
    specimen.fire();
    EXPECT_TRUE(weft::await(by_waker));
    EXPECT_TRUE(weft::await(by_select));
    EXPECT_TRUE(weft::await(by_token));
  });
}

// R-RC-1, R-RC-4, R-EVT-18: the owner of the event may be destroyed first; a reference keeps the
// event alive, and its wait ends.
TEST_P(EventContract, OutlivesItsOwnerWhileItIsReferredTo) {
  with_specimen([](Specimen& specimen) {
    Event& event = *specimen.event;
    if (event.has(Event::no_free_memory_flag) && !event.has(Event::host_object_flag)) return;
    const weft::Ref<Event> held{&event};
    specimen = Specimen{};
    EXPECT_FALSE(event.info().empty());
    EXPECT_FALSE(event.describe().empty());
    EXPECT_TRUE(event.start());
    EXPECT_TRUE(event.stop());
  });
}

}  // namespace
