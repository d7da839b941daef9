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

// R-FLG-1, R-LIFE-5, R-EVT-11
TEST(EventFlags, AClosedEventTakesNoSubscriberAndIsNotArmed) {
  weft::testing::run([] {
    weft::Timer timer{10ms};
    Call call{[](weft::Event&, const weft::Outcome&) {}};
    timer.close();
    EXPECT_TRUE(timer.has(weft::Event::closed_flag));
    EXPECT_TRUE(timer.is_closed());
    EXPECT_FALSE(timer.add_callback(call));
    EXPECT_FALSE(call.is_subscribed());
    EXPECT_EQ(call.references(), 1U);
    EXPECT_TRUE(timer.start()) << "a successful no-op";
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(timer.loop_references(), 0U);
    timer.stop();
    EXPECT_EQ(timer.loop_references(), 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-FLG-2
TEST(EventFlags, AnAwaitedResultCountsAsUsed) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] { return 7; });
    EXPECT_FALSE(coroutine.base().has(weft::Event::result_used_flag));
    weft::await(coroutine);
    EXPECT_TRUE(coroutine.base().has(weft::Event::result_used_flag));
  });
}

// R-FLG-2: a future that is dropped unread gives a warning, unless its result is marked as used.
TEST(EventFlags, AFutureThatIsSaidToBeUsedGivesNoWarning) {
  for (const bool used : {false, true}) {
    std::vector<std::string> warnings;
    weft::testing::run(
        [used] {
          weft::Promise<int> promise;
          const weft::Future<int> future = promise.future();
          weft::Event& event = future;
          event.set(weft::Event::result_used_flag, used);
          promise.complete(1);
        },
        weft_test::collecting(warnings));
    EXPECT_EQ(warnings.size(), used ? 0U : 1U);
  }
}

// R-FLG-2: nor does a result of a coroutine that is marked as used.
TEST(EventFlags, AMarkedResultGivesNoWarning) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        auto marked = weft::spawn([] { return 7; });
        marked.base().set(weft::Event::result_used_flag);
      },
      weft_test::collecting(warnings));
  EXPECT_TRUE(warnings.empty());
}

// R-FLG-3
TEST(EventFlags, AnErrorThatIsSaidToBeCaughtIsNotUnhandled) {
  std::vector<std::string> warnings;
  bool ran = false;
  EXPECT_NO_THROW(weft::testing::run(
      [&] {
        auto failing = weft::spawn([&] {
          ran = true;
          throw std::runtime_error{"will be caught"};
        });
        failing.base().set(weft::Event::error_caught_flag);
      },
      weft_test::collecting(warnings)));
  EXPECT_TRUE(ran);
  EXPECT_TRUE(warnings.empty());
}

// R-FLG-3, R-EXC-5: without the flag the same failure is unhandled.
TEST(EventFlags, AnErrorWithoutAHandlerEndsTheProgram) {
  EXPECT_THROW(weft::testing::run([] { weft::spawn([] { throw std::runtime_error{"x"}; }); }),
               std::runtime_error);
}

// R-FLG-8, R-REF-2
TEST(EventFlags, AnEventReferenceCarriesItsMarker) {
  const weft::EventRef reference{weft::make_ref<Doorbell>()};
  EXPECT_TRUE(reference.has(weft::Event::reference_flag));
  EXPECT_FALSE(reference.target()->has(weft::Event::reference_flag));
}

// R-FLG-11, R-HID-2
TEST(EventFlags, AHiddenEventIsNoReasonToGoOnWaiting) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::testing::run(
                   [] {
                     weft::Timer timer{10ms};
                     timer.set_hidden(true);
                     EXPECT_TRUE(timer.has(weft::Event::hidden_flag));
                     weft::await(timer);
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
}

// R-EVT-3: each flag is a bit of its own.
TEST(EventFlags, AreIndependent) {
  const std::vector<weft::Event::Flag> flags{
      weft::Event::closed_flag,           weft::Event::result_used_flag,
      weft::Event::error_caught_flag,     weft::Event::exception_handled_flag,
      weft::Event::close_descriptor_flag, weft::Event::hidden_flag};
  for (const weft::Event::Flag flag : flags) {
    Doorbell bell;
    bell.set(flag);
    for (const weft::Event::Flag other : flags) EXPECT_EQ(bell.has(other), other == flag);
    EXPECT_TRUE(bell.has(weft::Event::no_free_memory_flag));
    bell.set(flag, false);
    EXPECT_FALSE(bell.has(flag));
  }
}

}  // namespace
