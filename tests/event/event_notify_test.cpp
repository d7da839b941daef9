#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

/// An event kind whose notify handler turns an ordinary notification into an error, as a timeout
/// does.
class Fuse final : public weft::Event {
 public:
  explicit Fuse(Log& log) : log_{&log} {}
  void blow() noexcept { notify(); }

 protected:
  void notified(const weft::Outcome& outcome) noexcept override {
    log_->push_back(outcome.error() ? "handler sees an error" : "handler sees no error");
    notify_callbacks(weft::Outcome{std::make_exception_ptr(std::runtime_error{"blown"})});
    log_->push_back("handler is done");
  }

 private:
  Log* log_;
};

/// An event kind whose notify handler drops the notification.
class Silencer final : public weft::Event {
 public:
  void ring() noexcept { notify(); }

 protected:
  void notified(const weft::Outcome&) noexcept override {}
};

// R-EVT-20
TEST(NotifyHandler, ComesBeforeTheCallbacksAndMayChangeTheOutcome) {
  Log log;
  Fuse fuse{log};
  Call call{[&](weft::Event& event, const weft::Outcome& outcome) {
    EXPECT_EQ(&event, &fuse);
    log.push_back("callback: " + weft::describe(outcome.error()));
  }};
  fuse.add_callback(call);
  fuse.blow();
  EXPECT_EQ(log, (Log{"handler sees no error", "callback: blown", "handler is done"}));
  fuse.remove_callback(call);
}

// R-EVT-20
TEST(NotifyHandler, TurnsAnOrdinaryEventIntoAnErrorForAnAwait) {
  Log log;
  weft::testing::run([&] {
    Fuse fuse{log};
    weft::spawn([&] { fuse.blow(); });
    try {
      weft::await(fuse);
    } catch (const std::runtime_error& error) {
      log.push_back(error.what());
    }
  });
  EXPECT_EQ(log, (Log{"handler sees no error", "handler is done", "blown"}));
}

// R-EVT-20
TEST(NotifyHandler, IsCalledInsteadOfTheCallbacks) {
  int called = 0;
  Silencer silencer;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++called; }};
  silencer.add_callback(call);
  silencer.ring();
  EXPECT_EQ(called, 0) << "only the handler forwards";
  silencer.remove_callback(call);
}

// A callback may unsubscribe and then destroy the object that it is part of.
TEST(Notification, LetsACallbackGoInItsOwnCall) {
  class Embedded final : public weft::Callback {
   public:
    Embedded(std::unique_ptr<Embedded>& holder, int& notified)
        : holder_{holder}, notified_{notified} {}
    ~Embedded() override = default;
    void on_notify(weft::Event& event, const weft::Outcome& /*outcome*/) noexcept override {
      ++notified_;
      event.remove_callback(*this);
      holder_.reset();
    }

   private:
    std::unique_ptr<Embedded>& holder_;
    int& notified_;
  };
  weft_test::Doorbell bell;
  int notified = 0;
  std::unique_ptr<Embedded> first;
  std::unique_ptr<Embedded> second;
  first = std::make_unique<Embedded>(first, notified);
  second = std::make_unique<Embedded>(second, notified);
  bell.add_callback(*first);
  bell.add_callback(*second);
  bell.ring();
  EXPECT_EQ(notified, 2);
  EXPECT_EQ(first, nullptr);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(bell.subscribers(), 0U);
}

// R-CB-9, R-FLG-7
TEST(Notification, ForgetsTheClaimOfTheLastOneFirst) {
  Doorbell bell;
  std::vector<bool> handled_before;
  Call call{[&](weft::Event& event, const weft::Outcome&) {
    handled_before.push_back(event.has(weft::Event::exception_handled_flag));
    event.claim_error();
  }};
  bell.add_callback(call);
  const weft::Outcome failed{std::make_exception_ptr(std::runtime_error{"x"})};
  bell.ring(failed);
  EXPECT_TRUE(bell.has(weft::Event::exception_handled_flag));
  bell.ring(failed);
  EXPECT_EQ(handled_before, (std::vector<bool>{false, false}));
  bell.remove_callback(call);
  bell.ring(failed);
  EXPECT_FALSE(bell.has(weft::Event::exception_handled_flag))
      << "there was no callback to claim it";
}

// R-CB-9
TEST(Notification, LetsALaterCallbackSeeTheClaimOfAnEarlierOne) {
  Doorbell bell;
  bool seen = false;
  Call first{[](weft::Event& event, const weft::Outcome&) { event.claim_error(); }};
  Call second{[&](weft::Event& event, const weft::Outcome&) {
    seen = event.has(weft::Event::exception_handled_flag);
  }};
  bell.add_callback(first);
  bell.add_callback(second);
  bell.ring(weft::Outcome{std::make_exception_ptr(std::runtime_error{"x"})});
  EXPECT_TRUE(seen);
  bell.remove_callback(first);
  bell.remove_callback(second);
}

// R-FLG-7, R-EXC-2, trap 10
TEST(Notification, AClaimedErrorOfACoroutineIsNotThrownAgain) {
  int claimed = 0;
  Call claim{[&](weft::Event& event, const weft::Outcome& outcome) {
    EXPECT_EQ(weft::describe(outcome.error()), "dealt with");
    ++claimed;
    event.claim_error();
    event.remove_callback(claim);
  }};
  EXPECT_NO_THROW(weft::testing::run([&] {
    auto failing = weft::spawn([] { throw std::runtime_error{"dealt with"}; });
    static_cast<weft::Event&>(failing).add_callback(claim);
  }));
  EXPECT_EQ(claimed, 1);
}

// R-FLG-7: without the claim the same program ends with the error.
TEST(Notification, AnUnclaimedErrorOfACoroutineEndsTheProgram) {
  int seen = 0;
  Call look{[&](weft::Event& event, const weft::Outcome&) {
    ++seen;
    event.remove_callback(look);
  }};
  EXPECT_THROW(weft::testing::run([&] {
                 auto failing = weft::spawn([] { throw std::runtime_error{"not dealt with"}; });
                 static_cast<weft::Event&>(failing).add_callback(look);
               }),
               std::runtime_error);
  EXPECT_EQ(seen, 1);
}

// R-CB-10, R-EXC-6
TEST(Notification, StopsAtACallbackThatLeavesAFailurePending) {
  Log log;
  Doorbell bell;
  Call first{[&](weft::Event&, const weft::Outcome&) { log.push_back("first"); }};
  Call second{[&](weft::Event&, const weft::Outcome&) {
    log.push_back("second fails");
    weft::leave_pending(std::make_exception_ptr(std::runtime_error{"pending"}));
  }};
  Call third{[&](weft::Event&, const weft::Outcome&) { log.push_back("third"); }};
  bell.add_callback(first);
  bell.add_callback(second);
  bell.add_callback(third);
  try {
    weft::testing::run([&] { bell.ring(); });
    log.push_back("nothing thrown");
  } catch (const std::runtime_error& error) {
    log.push_back(error.what());
  }
  EXPECT_EQ(log, (Log{"first", "second fails", "pending"}));
  bell.remove_callback(first);
  bell.remove_callback(second);
  bell.remove_callback(third);
}

// R-CB-6, R-CB-10: a failure in a callback ends the notification of this event, not of other
// events.
TEST(Notification, IsNotCutShortByAFailureOfAnotherEvent) {
  int notified = 0;
  Doorbell bad;
  Doorbell good;
  Call fails{[&](weft::Event&, const weft::Outcome&) {
    weft::leave_pending(std::make_exception_ptr(std::runtime_error{"pending"}));
  }};
  Call first{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
  Call second{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
  bad.add_callback(fails);
  good.add_callback(first);
  good.add_callback(second);
  EXPECT_THROW(weft::testing::run([&] {
                 bad.ring();
                 good.ring();
               }),
               std::runtime_error);
  EXPECT_EQ(notified, 2);
  bad.remove_callback(fails);
  good.remove_callback(first);
  good.remove_callback(second);
}

// R-CB-10: a callback fails while an earlier error is pending.
TEST(Notification, StopsAtItsOwnFailureAlsoIfAnotherIsPending) {
  Log log;
  Doorbell bell;
  Call first{[&](weft::Event&, const weft::Outcome&) {
    log.push_back("first fails");
    weft::leave_pending(std::make_exception_ptr(std::logic_error{"second"}));
  }};
  Call second{[&](weft::Event&, const weft::Outcome&) { log.push_back("second"); }};
  bell.add_callback(first);
  bell.add_callback(second);
  try {
    weft::testing::run([&] {
      weft::leave_pending(std::make_exception_ptr(std::runtime_error{"first"}));
      bell.ring();
    });
  } catch (const std::runtime_error& error) {
    log.push_back(error.what());
    log.push_back(weft::describe(weft::previous(std::current_exception())));
  }
  EXPECT_EQ(log, (Log{"first fails", "first", "second"}));
  bell.remove_callback(first);
  bell.remove_callback(second);
}

// R-CB-10, R-EXC-6
TEST(Notification, AFailureLeftPendingByATimerCallbackEndsTheProgram) {
  Log log;
  Call fail{[&](weft::Event&, const weft::Outcome&) {
    weft::leave_pending(std::make_exception_ptr(std::runtime_error{"from the reactor"}));
  }};
  try {
    weft::testing::run([&] {
      weft::Timer timer{10ms};
      timer.add_callback(fail);
      timer.start();
      try {
        weft::delay(1h);
        log.push_back("slept well");
      } catch (const weft::Cancelled& cancelled) {
        log.push_back(cancelled.reason());
      }
      timer.remove_callback(fail);
    });
  } catch (const std::runtime_error& error) {
    log.push_back(error.what());
  }
  EXPECT_EQ(log, (Log{"Graceful shutdown", "from the reactor"}));
}

/// Whether every way to suspend is refused.
bool is_refused_to_suspend() {
  Doorbell never;
  return weft_test::is<weft::MisuseError>(weft_test::error_of([] { weft::suspend(); })) &&
         weft_test::is<weft::MisuseError>(weft_test::error_of([] { weft::delay(1ms); })) &&
         weft_test::is<weft::MisuseError>(weft_test::error_of([&] { weft::await(never); }));
}

// R-SUS-11, R-CB-5
TEST(Notification, ByACoroutineLetsNoCallbackSuspend) {
  Doorbell bell;
  Log log;
  Call call{[&](weft::Event&, const weft::Outcome&) {
    log.push_back(is_refused_to_suspend() ? "refused" : "suspended");
  }};
  bell.add_callback(call);
  weft::testing::run([&] {
    bell.ring();  // rung by main
    weft::await(weft::spawn([&] {
      bell.ring();
      weft::suspend();  // allowed outside of the callback
      log.push_back("went on");
    }));
  });
  EXPECT_EQ(log, (Log{"refused", "refused", "went on"}));
  bell.remove_callback(call);
}

// R-EVT-15, R-SUS-11
TEST(Notification, ReplayedToACallbackDoesNotLetItSuspend) {
  Log log;
  Call call{[&](weft::Event&, const weft::Outcome&) {
    log.push_back(is_refused_to_suspend() ? "refused" : "suspended");
  }};
  weft::testing::run([&] {
    auto ended = weft::spawn([] {});
    weft::await(ended);
    EXPECT_TRUE(static_cast<weft::Event&>(ended).replay(call));
    weft::suspend();
    log.push_back("went on");
  });
  EXPECT_EQ(log, (Log{"refused", "went on"}));
}

// R-COR-3: a callback may spawn a coroutine, which may suspend.
TEST(Notification, ByACoroutineLetsACallbackSpawn) {
  Doorbell bell;
  Log log;
  Call call{[&](weft::Event&, const weft::Outcome&) {
    weft::spawn([&] {
      weft::delay(1ms);
      log.push_back("later");
    });
  }};
  bell.add_callback(call);
  weft::testing::run([&] {
    bell.ring();
    log.push_back("rung");
  });
  EXPECT_EQ(log, (Log{"rung", "later"}));
  bell.remove_callback(call);
}

// trap 12
TEST(Notification, OwnsTheErrorThatItBroadcasts) {
  struct Tracked : std::runtime_error {
    explicit Tracked(std::shared_ptr<int> mark) : runtime_error{"shared"}, token{std::move(mark)} {}
    std::shared_ptr<int> token;
  };
  auto token = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = token;
  std::optional<weft::Outcome> request{std::in_place, std::make_exception_ptr(Tracked{token})};
  token.reset();
  Log log;
  // The first callback frees the request that owns the error which the second one gets.
  Call first{[&](weft::Event&, const weft::Outcome&) { request.reset(); }};
  Call second{[&](weft::Event&, const weft::Outcome& outcome) {
    log.push_back(alive.expired() ? "dead" : weft::describe(outcome.error()));
  }};
  Doorbell bell;
  bell.add_callback(first);
  bell.add_callback(second);
  bell.ring(*request);
  EXPECT_EQ(log, (Log{"shared"}));
  EXPECT_TRUE(alive.expired());
  bell.remove_callback(first);
  bell.remove_callback(second);
}

// R-EVT-7, R-LIFE-5
TEST(Notification, OfAClosedEventNotifiesNoSubscriber) {
  Doorbell bell;
  int called = 0;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++called; }};
  bell.add_callback(call);
  bell.close();
  bell.ring();
  bell.ring_and_close();
  EXPECT_EQ(called, 0);
  bell.remove_callback(call);
}

}  // namespace
