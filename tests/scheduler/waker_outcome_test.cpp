#include <exception>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace waker_outcome_test {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

weft::Waker& my_waker() { return weft::current().base().waker(); }

weft::Outcome failure(const std::string& text) {
  return weft::Outcome{std::make_exception_ptr(std::runtime_error{text})};
}

/// Waits for `event` as `kind` while `meanwhile` runs, and describes the outcome.
template <class F>
std::string wait_for(weft::Event& event, weft::Wake kind, F meanwhile) {
  auto other = weft::spawn(meanwhile);
  weft::Waker& waker = my_waker().renew();
  waker.resume_when(event, kind);
  try {
    weft::suspend(waker);
    return "woken";
  } catch (const weft::TimedOut& error) {
    return std::string{"TimedOut: "} + error.what();
  } catch (const weft::OperationCancelled& error) {
    const std::string text = std::string{"OperationCancelled: "} + error.what();
    return error.previous() ? text + " <- " + weft::describe(error.previous()) : text;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// R-WAK-5, R-SUS-3
TEST(WakerOutcome, IsFoundInTheWakerAfterTheSuspension) {
  weft::testing::run([] {
    Doorbell bell;
    const int value = 42;
    weft::spawn([&] { bell.ring(weft::Outcome::of(value)); });
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(bell);
    weft::suspend(waker);
    EXPECT_EQ(waker.value(), &value);
    EXPECT_FALSE(waker.error());
  });
}

// R-WAK-5
TEST(WakerOutcome, AnErrorIsThrownAtTheSuspensionPoint) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::spawn([&] {
      bell.ring(failure("broken"));
      log.push_back("rung");
    });
    try {
      weft::await(bell);
      log.push_back("not reached");
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  EXPECT_EQ(log, (Log{"rung", "broken"}));
}

// R-WAK-5: an outcome does not affect the next wait.
TEST(WakerOutcome, DoesNotOutliveItsWait) {
  weft::testing::run([] {
    Doorbell bell;
    weft::spawn([&] { bell.ring(failure("broken")); });
    EXPECT_THROW(weft::await(bell), std::runtime_error);
    weft::spawn([&] { bell.ring(); });
    weft::Waker& waker = my_waker().renew();
    EXPECT_FALSE(waker.error());
    EXPECT_EQ(waker.value(), nullptr);
    waker.resume_when(bell);
    EXPECT_NO_THROW(weft::suspend(waker));
    EXPECT_FALSE(waker.error());
  });
}

// R-WAK-8
TEST(WakerKinds, ResolveStoresTheValueOrForwardsTheError) {
  weft::testing::run([] {
    Doorbell bell;
    EXPECT_EQ(wait_for(bell, weft::Wake::resolve, [&] { bell.ring(); }), "woken");
    EXPECT_EQ(wait_for(bell, weft::Wake::resolve, [&] { bell.ring(failure("broken")); }), "broken");
  });
}

// R-WAK-8, R-FLG-7, R-EXC-2
TEST(WakerKinds, ResolveMarksTheErrorAsHandled) {
  weft::testing::run([] {
    Doorbell bell;
    wait_for(bell, weft::Wake::resolve, [&] {
      bell.ring(failure("broken"));
      EXPECT_TRUE(bell.has(weft::Event::exception_handled_flag));
    });
  });
}

// R-WAK-8
TEST(WakerKinds, CancelThrowsOperationCancelledWithTheErrorOfTheToken) {
  weft::testing::run([] {
    Doorbell token;
    EXPECT_EQ(wait_for(token, weft::Wake::cancel, [&] { token.ring(); }),
              "OperationCancelled: Operation has been cancelled");
    EXPECT_EQ(wait_for(token, weft::Wake::cancel, [&] { token.ring(failure("why")); }),
              "OperationCancelled: Operation has been cancelled <- why");
  });
}

// R-WAK-8
TEST(WakerKinds, TimeoutThrowsTimedOutOrTheErrorThatWasDelivered) {
  weft::testing::run([] {
    Doorbell deadline;
    EXPECT_EQ(wait_for(deadline, weft::Wake::timeout, [&] { deadline.ring(); }),
              "TimedOut: Operation has been cancelled by timeout");
    EXPECT_EQ(wait_for(deadline, weft::Wake::timeout, [&] { deadline.ring(failure("late")); }),
              "late");
  });
}

// R-WAK-6, R-WAK-8: a wait with a deadline and a token, ended by each of the three.
TEST(WakerKinds, ComeTogetherInOneWait) {
  Log log;
  weft::testing::run([&] {
    for (const std::string what : {"event", "token", "deadline"}) {
      Doorbell event;
      Doorbell token;
      weft::Timer deadline{10ms};
      auto ringer = weft::spawn([&] {
        if (what == "event") event.ring();
        if (what == "token") token.ring();
      });
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(event);
      waker.resume_when(deadline, weft::Wake::timeout);
      waker.resume_when(token, weft::Wake::cancel);
      try {
        weft::suspend(waker);
        log.push_back(what + ": woken");
      } catch (const weft::TimedOut&) {
        log.push_back(what + ": timed out");
      } catch (const weft::OperationCancelled&) {
        log.push_back(what + ": cancelled");
      }
      EXPECT_EQ(weft::stats().active_events, 0U);
      weft::await(ringer);
    }
  });
  EXPECT_EQ(log, (Log{"event: woken", "token: cancelled", "deadline: timed out"}));
}

// R-WAK-6, R-AWT-2
TEST(WakerKinds, AwaitWithATokenIsTheShortForm) {
  weft::testing::run([] {
    Doorbell event;
    weft::Timer token{10ms};
    try {
      weft::await(event, token);
      ADD_FAILURE() << "nothing thrown";
    } catch (const weft::OperationCancelled& error) {
      EXPECT_STREQ(error.what(), "Operation has been cancelled");
      EXPECT_FALSE(error.previous()) << "the timer completed normally";
    }
    EXPECT_EQ(event.subscribers(), 0U);
  });
}

// R-WAK-13
TEST(WakerOutcome, OnlyTheFirstCounts) {
  weft::testing::run([] {
    Doorbell first;
    Doorbell second;
    const int one = 1;
    const int two = 2;
    weft::spawn([&] {
      first.ring(weft::Outcome::of(one));
      second.ring(weft::Outcome::of(two));
      first.ring(weft::Outcome::of(two));
    });
    weft::Waker& waker = my_waker().renew();
    waker.resume_when(first);
    waker.resume_when(second);
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 0);
    EXPECT_EQ(waker.value(), &one);
  });
}

// R-WAK-13
TEST(WakerOutcome, AQueuedCoroutineIsNotQueuedTwice) {
  int resumed = 0;
  weft::testing::run([&] {
    Doorbell first;
    Doorbell second;
    auto coroutine = weft::spawn([&] {
      weft::Waker& waker = my_waker().renew();
      waker.resume_when(first);
      waker.resume_when(second);
      weft::suspend(waker);
      ++resumed;
    });
    weft::testing::settle();
    first.ring();
    EXPECT_EQ(weft::stats().queued, 1U);
    second.ring();
    first.ring();
    weft::resume(coroutine.base());
    EXPECT_EQ(weft::stats().queued, 1U);
    weft::await(coroutine);
  });
  EXPECT_EQ(resumed, 1);
}

}  // namespace waker_outcome_test
