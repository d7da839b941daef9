#include <stdexcept>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// A wait for an event that has completed: the suspension returns at once.

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

/// The waker of the current coroutine, ready for a new wait.
weft::Waker& renewed() { return weft::current().base().waker().renew(); }

// R-LIFE-7, R-SUS-4, R-SUS-5, R-SWI-1
TEST(WakerCompleted, ReturnsAtOnceForACompletedFuture) {
  weft::testing::run([] {
    weft::Promise<int> promise;
    weft::Future<int> future = promise.future();
    promise.complete(42);
    weft::Event& event = future;
    const auto before = weft::stats();
    weft::Waker& waker = renewed();
    waker.resume_when(event);
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 0);
    EXPECT_EQ(weft::stats().switches, before.switches);
    EXPECT_EQ(event.subscribers(), 0U);
    EXPECT_EQ(weft::await(future), 42);
  });
}

// R-LIFE-7, R-EVT-14
TEST(WakerCompleted, ThrowsTheErrorThatWasKept) {
  weft::testing::run([] {
    weft::Promise<int> promise;
    weft::Future<int> future = promise.future();
    promise.fail(std::make_exception_ptr(std::runtime_error{"failed"}));
    weft::Waker& waker = renewed();
    waker.resume_when(future);
    EXPECT_EQ(text(error_of([&] { weft::suspend(waker); })), "failed");
    future.ignore();
  });
}

// R-LIFE-7
TEST(WakerCompleted, ReturnsAtOnceForAFinishedCoroutineAmongOtherEvents) {
  weft::testing::run([] {
    auto finished = weft::spawn([] {});
    weft::await(finished);
    Doorbell bell;
    weft::Timer timer{1h};
    weft::Waker& waker = renewed();
    waker.resume_when(bell);
    waker.resume_when(finished);
    waker.resume_when(timer, weft::Wake::timeout);
    weft::suspend(waker);
    EXPECT_EQ(waker.triggered(), 1);
    EXPECT_EQ(bell.subscribers(), 0U);
    EXPECT_FALSE(timer.is_armed());
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-LIFE-7, R-TMO-2: a token that has fired ends the wait with an error; it is no misuse.
TEST(WakerCompleted, AnExpiredTokenEndsTheWaitAtOnce) {
  weft::testing::run([] {
    weft::Timeout token{1ms};
    Doorbell bell;
    EXPECT_THROW(weft::await(bell, token), weft::OperationCancelled);
    weft::Waker& waker = renewed();
    waker.resume_when(bell);
    waker.resume_when(token, weft::Wake::cancel);
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::suspend(waker); })));
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

}  // namespace
