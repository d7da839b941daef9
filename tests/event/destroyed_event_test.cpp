#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// An event is destroyed while a coroutine waits for it: the wait ends with an error that names the
// event.

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

/// The error of a wait for an event that another coroutine destroys.
template <class E, class... Args>
std::exception_ptr waited_for(Args... args) {
  std::exception_ptr error;
  weft::testing::run([&] {
    std::optional<E> event{std::in_place, args...};
    weft::spawn([&] { event.reset(); });
    error = error_of([&] { weft::await(*event); });
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  return error;
}

// R-LIFE-5, R-RC-4
TEST(DestroyedEvent, WakesItsWaiterWithAnErrorThatNamesIt) {
  const std::exception_ptr of_timer = waited_for<weft::Timer>(weft::Duration{1h});
  EXPECT_TRUE(is<weft::ObjectDestroyed>(of_timer));
  EXPECT_THAT(text(of_timer), HasSubstr("Timer(timeout=3600000ms, once) was destroyed"));
  EXPECT_THAT(text(waited_for<weft::Trigger>()), HasSubstr("Trigger was destroyed"));
  EXPECT_THAT(text(waited_for<weft::SignalEvent>(SIGUSR2)), HasSubstr("Signal(signum=12) was"));
  EXPECT_THAT(text(waited_for<weft::Timeout>(weft::Duration{1h})), HasSubstr("Timeout(3600000ms)"));
}

// R-LIFE-5: an event kind of the program, whose destructor does not wake waiters itself.
TEST(DestroyedEvent, OfAnyKindWakesItsWaiter) {
  const std::exception_ptr error = waited_for<Doorbell>();
  EXPECT_TRUE(is<weft::ObjectDestroyed>(error));
  EXPECT_THAT(text(error), HasSubstr("was destroyed while a coroutine waited for it"));
}

// R-LIFE-5
TEST(DestroyedEvent, LeavesTheOtherEventsOfTheWaitInOrder) {
  weft::testing::run([&] {
    auto first = std::make_unique<Doorbell>();
    Doorbell second;
    weft::Timer timer{1h};
    weft::spawn([&] { first.reset(); });
    weft::Waker& waker = weft::current().base().waker().renew();
    waker.resume_when(*first);
    waker.resume_when(second);
    waker.resume_when(timer, weft::Wake::timeout);
    EXPECT_TRUE(is<weft::ObjectDestroyed>(error_of([&] { weft::suspend(waker); })));
    EXPECT_EQ(second.subscribers(), 0U);
    EXPECT_EQ(timer.subscribers(), 0U);
    EXPECT_FALSE(timer.is_armed());
  });
}

// R-LIFE-5, R-CAN-6: all schedules, with the waiter cancelled at every point.
TEST(DestroyedEventExploration, EndsTheWaitOnceWhateverComesFirst) {
  const auto report = weft::testing::explore(
      [] {
        // Shared, because main may be cancelled and its frame unwound before the other coroutines
        // end.
        const auto event =
            std::make_shared<std::unique_ptr<Doorbell>>(std::make_unique<Doorbell>());
        auto waits = [event] {
          weft::Event* target = event->get();
          if (target == nullptr) return;
          const std::exception_ptr error = error_of([&] { weft::await(*target); });
          if (error != nullptr && !is<weft::ObjectDestroyed>(error)) std::rethrow_exception(error);
        };
        auto one = weft::spawn(waits);
        auto two = weft::spawn(waits);
        weft::spawn([event] {
          if (*event) (*event)->ring();
        });
        weft::spawn([event] { event->reset(); });
        weft::testing::settle();
        event->reset();  // if the coroutine that destroys it was cancelled
        for (auto* coroutine : {&one, &two}) {
          try {
            weft::await(*coroutine);
          } catch (const weft::Cancelled&) {
          }
        }
      },
      {.cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
