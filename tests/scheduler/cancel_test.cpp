#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

// R-CAN-3
TEST(Cancel, OfAFinishedCoroutineHasNoEffect) {
  weft::testing::run([] {
    auto done = weft::spawn([] { return 5; });
    EXPECT_EQ(weft::await(done), 5);
    done.cancel("late");
    EXPECT_FALSE(done.is_cancelled());
    EXPECT_FALSE(done.is_cancellation_requested());
    EXPECT_EQ(done.exception(), nullptr);
    EXPECT_EQ(weft::await(done), 5);
  });
}

// R-CAN-4
TEST(Cancel, BeforeTheStartMeansTheBodyNeverRuns) {
  Log log;
  weft::testing::run([&] {
    auto unborn = weft::spawn([&] { log.emplace_back("body"); });
    unborn.on_finally([&](const weft::AnyCoroutine& ended) {
      log.push_back("finally, " + text(ended.exception()));
    });
    unborn.cancel("not needed");
    EXPECT_EQ(unborn.base().waker().status(), weft::Waker::Status::ignored);
    EXPECT_TRUE(unborn.is_cancellation_requested());
    log.push_back(text(error_of([&] { weft::await(unborn); })));
    EXPECT_FALSE(unborn.is_started());
    EXPECT_TRUE(unborn.is_completed());
    EXPECT_TRUE(unborn.is_cancelled());
    weft::testing::settle();
  });
  EXPECT_THAT(log, ::testing::UnorderedElementsAre("cancelled: not needed",
                                                   "finally, cancelled: not needed"));
  EXPECT_EQ(weft::stats().coroutines, 0U);
}

// R-CAN-4
TEST(Cancel, BeforeTheStartFreesWhatTheBodyCaptured) {
  weft::testing::run([] {
    auto captured = std::make_shared<int>(1);
    auto unborn = weft::spawn([captured] { return *captured; });
    EXPECT_EQ(captured.use_count(), 2);
    unborn.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(unborn); })));
    EXPECT_EQ(captured.use_count(), 1);
  });
}

// R-CAN-7
TEST(Cancel, OfItselfThrowsNothingAndBecomesTheOutcome) {
  Log log;
  weft::testing::run([&] {
    auto self = weft::spawn([&] {
      weft::current().cancel("had enough");
      log.emplace_back("ran to its end");
      EXPECT_TRUE(weft::current().is_cancellation_requested());
      return 5;
    });
    log.push_back(text(error_of([&] { weft::await(self); })));
    EXPECT_TRUE(self.is_cancelled());
  });
  EXPECT_EQ(log, (Log{"ran to its end", "cancelled: had enough"}));
}

// R-CAN-7
TEST(Cancel, OfItselfIsThrownByItsNextSuspension) {
  Log log;
  weft::testing::run([&] {
    auto self = weft::spawn([&] {
      weft::current().cancel("had enough");
      log.emplace_back("goes on");
      log.push_back(text(error_of([] { weft::delay(1h); })));
    });
    weft::await(self);
  });
  EXPECT_EQ(log, (Log{"goes on", "cancelled: had enough"}));
}

// R-CAN-7
TEST(Cancel, IsThrownByACancellationPointToo) {
  weft::testing::run([] {
    auto self = weft::spawn([] {
      weft::cancellation_point();
      weft::current().cancel("now");
      EXPECT_EQ(text(error_of([] { weft::cancellation_point(); })), "cancelled: now");
      weft::cancellation_point();  // the cancellation was delivered, so this does not throw
    });
    weft::await(self);
  });
}

// R-CAN-8
TEST(Cancel, KeepsTheFirstReason) {
  weft::testing::run([] {
    auto sleeper = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    sleeper.cancel("first");
    sleeper.cancel("second");
    EXPECT_EQ(text(error_of([&] { weft::await(sleeper); })), "cancelled: first");
    auto unborn = weft::spawn([] {});
    unborn.cancel("first");
    unborn.cancel("second");
    EXPECT_EQ(text(error_of([&] { weft::await(unborn); })), "cancelled: first");
    auto self = weft::spawn([] {
      weft::current().cancel("first");
      weft::current().cancel("second");
    });
    EXPECT_EQ(text(error_of([&] { weft::await(self); })), "cancelled: first");
  });
}

// R-CAN-8
TEST(Cancel, BeforeTheStartReplacesAnErrorAndKeepsItAsPrevious) {
  bool ran = false;
  weft::testing::run([&] {
    auto unborn = weft::spawn([&] { ran = true; });
    weft::resume(unborn.base(), std::make_exception_ptr(std::runtime_error{"broken"}));
    unborn.cancel("and not needed");
    const std::exception_ptr error = error_of([&] { weft::await(unborn); });
    EXPECT_EQ(text(error), "cancelled: and not needed");
    EXPECT_EQ(text(weft::previous(error)), "broken");
  });
  EXPECT_FALSE(ran);
}

// R-CAN-15, R-EXC-3
TEST(Cancel, ThrownByTheBodyItselfEndsItQuietly) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        weft::spawn([] { throw weft::Cancelled{"by myself"}; });
        weft::delay(1ms);  // not cancelled, because the error counts as handled
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-CAN-15
TEST(Cancel, OfACoroutineWithoutAHandleIsNotUnhandled) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        {
          weft::spawn([] { weft::delay(1h); }).cancel();
        }
        auto sleeper = weft::spawn([] { weft::delay(1h); });
        weft::suspend();
        sleeper.cancel();
        sleeper = {};
        weft::delay(1ms);
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-CAN-16
TEST(Cancel, ThatIsSwallowedIsNotDeliveredAgain) {
  weft::testing::run([] {
    auto stubborn = weft::spawn([] {
      EXPECT_TRUE(is<weft::Cancelled>(error_of([] { weft::delay(1h); })));
      weft::suspend();
      weft::delay(1ms);
      weft::cancellation_point();
      return 5;
    });
    weft::suspend();
    stubborn.cancel();
    EXPECT_EQ(weft::await(stubborn), 5);
  });
}

// R-CAN-16
TEST(Cancel, ThatIsSwallowedDoesNotHideALaterFailure) {
  weft::testing::run([] {
    auto stubborn = weft::spawn([] {
      EXPECT_TRUE(is<weft::Cancelled>(error_of([] { weft::delay(1h); })));
      throw std::runtime_error{"later"};
    });
    weft::suspend();
    stubborn.cancel();
    EXPECT_EQ(text(error_of([&] { weft::await(stubborn); })), "later");
  });
}

/// Resumes a coroutine that was cancelled before its start with an error, and checks its outcome.
template <class Body>
void expect_both_errors(Body body) {
  auto unborn = weft::spawn(std::move(body));
  unborn.cancel("first");
  weft::resume(unborn.base(), std::make_exception_ptr(std::runtime_error{"second"}));
  const std::exception_ptr error = error_of([&] { weft::await(unborn); });
  EXPECT_EQ(text(error), "second");
  EXPECT_EQ(text(weft::previous(error)), "cancelled: first");
  EXPECT_FALSE(unborn.is_started());
}

// R-CAN-4, R-WAK-14: the body never runs, so the outcome is no success, whatever its capture needs.
TEST(Cancel, BeforeTheStartIsNoSuccessIfAnErrorFollows) {
  weft::testing::run([] {
    expect_both_errors([] { FAIL(); });
    expect_both_errors([capture = std::make_shared<int>(0)] { FAIL(); });
  });
}

class Mine : public weft::Cancelled {
 public:
  using Cancelled::Cancelled;
};
class Other {
 public:
  virtual ~Other() = default;
};
class MineToo final : public Other, public virtual Mine {
 public:
  MineToo() : Mine{"two bases, one virtual"} {}
};

// R-CAN-15: an exception derived from Cancelled is a cancellation.
TEST(Cancel, MayBeOfADerivedClass) {
  EXPECT_TRUE(weft::is_cancellation(std::make_exception_ptr(weft::Cancelled{})));
  EXPECT_TRUE(weft::is_cancellation(std::make_exception_ptr(Mine{"quietly"})));
  EXPECT_TRUE(weft::is_cancellation(std::make_exception_ptr(MineToo{})));
  EXPECT_FALSE(weft::is_cancellation(std::make_exception_ptr(Other{})));
  EXPECT_FALSE(weft::is_cancellation(std::make_exception_ptr(std::runtime_error{"failed"})));
  EXPECT_FALSE(weft::is_cancellation(std::make_exception_ptr(5)));
  Mine thrown_by_address;
  EXPECT_FALSE(weft::is_cancellation(std::make_exception_ptr(&thrown_by_address)));
  EXPECT_FALSE(weft::is_cancellation(nullptr));
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        weft::spawn([] { throw Mine{"quietly"}; });
        auto held = weft::spawn([] { throw MineToo{}; });
        weft::delay(1ms);
        held = {};
        weft::delay(1ms);
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

}  // namespace
