#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// A notify handler can be set on every existing event, of any kind.

namespace {

using namespace std::chrono_literals;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::Log;
using weft_test::text;

/// A handler that logs the outcome and passes on another one.
class Changes final : public weft::NotifyHandler {
 public:
  Changes(Log& log, const char* error) : log_{log}, error_{error} {}
  ~Changes() override { log_.emplace_back("handler freed"); }
  void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override {
    log_.push_back("handler sees " + text(outcome.error()));
    if (error_ != nullptr) {
      forward(event, weft::Outcome{std::make_exception_ptr(std::runtime_error{error_})});
    } else {
      forward(event, {});
    }
    log_.emplace_back("handler is done");
  }

 private:
  Log& log_;
  const char* error_;
};

class Swallows final : public weft::NotifyHandler {
 public:
  void on_notify(weft::Event& /*event*/, const weft::Outcome& /*outcome*/) noexcept override {}
};

Call::Body writes(Log& log) {
  return [&log](weft::Event&, const weft::Outcome& outcome) {
    log.push_back("callback sees " + text(outcome.error()));
  };
}

// R-EVT-5, R-EVT-20
TEST(SetNotifyHandler, RunsInPlaceOfTheCallbacksAndChangesTheOutcome) {
  Log log;
  Doorbell bell;
  Call call{writes(log)};
  bell.add_callback(call);
  bell.ring();  // without a handler
  bell.set_notify_handler(weft::make_ref<Changes>(log, "changed"));
  bell.ring();
  EXPECT_EQ(bell.subscribers(), 1U);
  bell.set_notify_handler(nullptr);
  bell.ring();
  bell.remove_callback(call);
  EXPECT_EQ(log, (Log{"callback sees nothing", "handler sees nothing", "callback sees changed",
                      "handler is done", "handler freed", "callback sees nothing"}));
}

// R-EVT-20
TEST(SetNotifyHandler, ThatForwardsNothingKeepsTheNotificationToItself) {
  Log log;
  Doorbell bell;
  Call call{writes(log)};
  bell.add_callback(call);
  bell.set_notify_handler(weft::make_ref<Swallows>());
  bell.ring();
  bell.remove_callback(call);
  EXPECT_EQ(log, Log{});
}

// R-EVT-20
TEST(SetNotifyHandler, SurvivesAnyNumberOfSubscribers) {
  Log log;
  Doorbell bell;
  bell.set_notify_handler(weft::make_ref<Changes>(log, nullptr));
  weft::Ref<Call> calls[20];
  int notified = 0;
  for (weft::Ref<Call>& call : calls) {
    call = weft::make_ref<Call>([&](weft::Event&, const weft::Outcome&) { ++notified; });
    bell.add_callback(*call);
  }
  bell.ring();
  EXPECT_EQ(notified, 20);
  EXPECT_EQ(log.size(), 2U);
  for (weft::Ref<Call>& call : calls) bell.remove_callback(*call);
}

// R-EVT-20
TEST(SetNotifyHandler, GoesWithItsEvent) {
  Log log;
  {
    Doorbell bell;
    bell.set_notify_handler(weft::make_ref<Changes>(log, nullptr));
  }
  EXPECT_EQ(log, (Log{"handler freed"}));
}

// R-EVT-20
TEST(SetNotifyHandler, TurnsTheExpiryOfATimerIntoAnError) {
  Log log;
  weft::testing::run([&] {
    weft::Timer timer{10ms};
    timer.set_notify_handler(weft::make_ref<Changes>(log, "expired"));
    log.push_back("await: " + text(error_of([&] { weft::await(timer); })));
    timer.set_notify_handler(nullptr);
  });
  EXPECT_EQ(log,
            (Log{"handler sees nothing", "handler is done", "await: expired", "handler freed"}));
}

// R-EVT-20, R-TMO-3
TEST(SetNotifyHandler, SeesTheExpiryOfATimeoutBeforeItIsAnError) {
  Log log;
  weft::testing::run([&] {
    weft::Timeout timeout{10ms};
    timeout.set_notify_handler(weft::make_ref<Changes>(log, nullptr));
    Doorbell never;
    EXPECT_THROW(weft::await(never, timeout), weft::OperationCancelled);
    timeout.set_notify_handler(nullptr);
  });
  EXPECT_EQ(log, (Log{"handler sees nothing", "handler is done", "handler freed"}));
}

// R-EVT-20: the handler is called even for the only awaiter, which is woken without a callback.
TEST(SetNotifyHandler, OfACoroutineIsCalledAtItsEnd) {
  Log log;
  weft::testing::run([&] {
    auto before = weft::spawn([] { weft::delay(1ms); });
    before.base().set_notify_handler(weft::make_ref<Changes>(log, "before"));
    log.push_back("await: " + text(error_of([&] { weft::await(before); })));

    auto during = weft::spawn([] { weft::delay(1ms); });
    weft::spawn([&] { during.base().set_notify_handler(weft::make_ref<Changes>(log, "during")); });
    log.push_back("await: " + text(error_of([&] { weft::await(during); })));

    auto unawaited = weft::spawn([] {});
    unawaited.base().set_notify_handler(weft::make_ref<Changes>(log, nullptr));
    weft::suspend();
    weft::suspend();
  });
  EXPECT_EQ(log, (Log{"handler sees nothing", "handler is done", "await: before",  //
                      "handler sees nothing", "handler is done", "await: during",  //
                      "handler sees nothing", "handler is done",                   //
                      "handler freed", "handler freed", "handler freed"}));
}

// R-EVT-20, R-FUT-3
TEST(SetNotifyHandler, OfAFutureIsCalledAtItsCompletion) {
  Log log;
  weft::testing::run([&] {
    weft::Promise<void> promise;
    weft::Future<void> future = promise.future();
    weft::Event& event = future;
    event.set_notify_handler(weft::make_ref<Changes>(log, "changed"));
    weft::spawn([&] { promise.complete(); });
    log.push_back("await: " + text(error_of([&] { weft::await(event); })));
  });
  EXPECT_EQ(log,
            (Log{"handler sees nothing", "handler is done", "await: changed", "handler freed"}));
}

/// A handler that removes itself in its own call.
class Once final : public weft::NotifyHandler {
 public:
  explicit Once(int& calls) : calls_{calls} {}
  void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override {
    ++calls_;
    event.set_notify_handler(nullptr);
    forward(event, outcome);
  }

 private:
  int& calls_;
};

// R-EVT-20
TEST(SetNotifyHandler, MayTakeItselfAway) {
  int calls = 0;
  int notified = 0;
  Doorbell bell;
  Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
  bell.add_callback(call);
  bell.set_notify_handler(weft::make_ref<Once>(calls));
  bell.ring();
  bell.ring();
  bell.remove_callback(call);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(notified, 2);
}

}  // namespace
