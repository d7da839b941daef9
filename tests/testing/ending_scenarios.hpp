#pragma once

#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/assert.hpp"
#include "cancelling_scenarios.hpp"
#include "scenario.hpp"

// Graceful shutdown, failures, exceptions in flight.
namespace weft_test {

/// A shutdown cancels every coroutine at every point, and no new coroutine begins.
inline void a_shutdown_in_the_middle() {
  const auto sleep = [] {
    try {
      weft::delay(1h);
      require(false, "no coroutine sleeps through a shutdown");
    } catch (const weft::Cancelled& cancelled) {
      require(is_reason(cancelled, "closing"), "a shutdown says why");
      throw;
    }
  };
  auto sleeper = weft::spawn(sleep);
  auto closing = weft::spawn([at_end = AtEnd{[] { weft::shutdown("closing"); }}] {
    weft::suspend();
    weft::shutdown("closing");
    weft::spawn([] { require(false, "no coroutine begins during a shutdown"); });
  });
}

inline void a_shutdown_lifts_protection() {
  const weft::TimePoint start = weft::now();
  auto sleeper = weft::spawn([start] {
    try {
      weft::protect([] { weft::delay(1h); });
      require(weft::now() - start >= 1h, "protection holds against a plain cancellation");
    } catch (const weft::Cancelled&) {
      require(weft::now() - start < 1min || weft::now() - start >= 1h,
              "a shutdown does not wait for a protected section");
      throw;
    }
  });
  auto closing = weft::spawn([] {
    weft::suspend();
    weft::shutdown();
  });
}

/// A finally handler that begins during the shutdown; one that began before is cancelled like every
/// coroutine.
inline void a_shutdown_waits_for_finally() {
  struct Steps {
    bool closing = false;
    bool late = false;
    int done = 0;
    ~Steps() {
      WEFT_ASSERT(done > 0, "a finally handler always runs");
      WEFT_ASSERT(!late || done == 2, "a finally handler that begins in the shutdown may suspend");
    }
  };
  auto steps = std::make_shared<Steps>();
  auto worker = weft::spawn([] { weft::delay(1h); });
  worker.on_finally([steps] {
    steps->late = steps->closing;
    weft::protect([&] {
      ++steps->done;
      weft::suspend();
      ++steps->done;
    });
  });
  auto closing = weft::spawn([steps] {
    steps->closing = true;
    weft::shutdown();
  });
}

/// Two coroutines call shutdown() at the same time; the second call does nothing.
inline void two_shut_down() {
  const auto close = [](const std::string& reason) {
    weft::suspend();
    weft::shutdown(reason);
  };
  auto sleeper = weft::spawn([] { weft::delay(1ms); });
  auto first = weft::spawn(close, std::string{"first"});
  auto second = weft::spawn(close, std::string{"second"});
}

// trap 8: the failure may neither be lost nor reported a second time.
inline void a_failure_reaches_all_awaiters() {
  auto seen = std::make_shared<int>(0);
  auto failing = weft::spawn([] {
    weft::suspend();
    throw std::runtime_error{"failed"};
  });
  const auto look = [failing, seen] {
    try {
      weft::await(failing);
      require(false, "a failed coroutine has no value");
    } catch (const std::runtime_error& error) {
      require(std::strcmp(error.what(), "failed") == 0, "the failure is the one thrown");
      require(++*seen <= 2, "each awaiter gets the failure once");
    }
  };
  auto first = weft::spawn(look);
  auto second = weft::spawn(look);
}

/// The handle keeps the failure for an await that comes late.
inline void a_failure_waits_for_a_late_look() {
  auto failing = weft::spawn([] { throw std::runtime_error{"failed"}; });
  weft::spawn([failing] {
    weft::protect([&] {
      weft::delay(1ms);
      try {
        weft::await(failing);
      } catch (const std::runtime_error&) {
        return;
      }
      require(false, "a failed coroutine has no value");
    });
  });
  weft::spawn([] { weft::suspend(); });
}

/// A body that a shutdown cancels while it awaits a coroutine that fails for another reason.
inline void a_failure_meets_a_shutdown() {
  auto failing = weft::spawn([] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      throw std::runtime_error{"failed while cleaning up"};
    }
  });
  weft::spawn([failing] {
    try {
      weft::protect([&] { weft::await(failing); });
    } catch (const weft::Cancelled&) {
      try {
        weft::await(failing);
      } catch (const std::runtime_error&) {
        throw weft::Cancelled{};
      }
    } catch (const std::runtime_error&) {
      return;
    }
  });
  weft::spawn([] {
    weft::delay(1ms);
    weft::shutdown();
  });
}

/// A destructor may suspend while an exception unwinds its frame: the exception arrives unchanged,
/// and a cancellation is deferred to the next suspension outside of unwinding.
inline void a_destructor_suspends_while_unwinding() {
  struct Slow {
    ~Slow() {
      weft::suspend();
      WEFT_ASSERT(std::uncaught_exceptions() == 1, "the exception in flight is still in flight");
    }
  };
  auto worker = weft::spawn([] {
    try {
      const Slow slow;
      throw std::runtime_error{"in flight"};
    } catch (const std::runtime_error& error) {
      require(std::strcmp(error.what(), "in flight") == 0, "the exception arrives unchanged");
    }
    weft::suspend();
    require(!weft::current().is_cancellation_requested(), "a cancellation comes afterwards");
  });
  auto canceller = weft::spawn([worker] {
    require(std::uncaught_exceptions() == 0, "the exceptions of others are not seen");
    worker.cancel();
    weft::suspend();
    require(std::uncaught_exceptions() == 0, "the exceptions of others are not seen");
  });
}

// Two coroutines are inside a `catch` at the same time, each with an exception of its own.
inline void each_rethrows_its_own_exception() {
  const auto handle = [](const std::string& mine) {
    try {
      throw std::runtime_error{mine};
    } catch (const std::runtime_error&) {
      weft::suspend();
      try {
        throw;
      } catch (const std::runtime_error& again) {
        require(again.what() == mine, "`throw;` throws one's own exception");
        weft::suspend();
        require(again.what() == mine, "the current exception stays the same");
      }
    }
    require(std::current_exception() == nullptr, "the current exception ends with its handler");
  };
  auto first = weft::spawn(handle, std::string{"first"});
  auto second = weft::spawn(handle, std::string{"second"});
}

inline constexpr auto nowhere = weft::testing::Cancel::nowhere;

inline constexpr Scenario ending_scenarios[] = {
    {"AShutdownInTheMiddle", a_shutdown_in_the_middle, every_point, true},
    {"AShutdownLiftsProtection", a_shutdown_lifts_protection, every_point, true},
    {"AShutdownWaitsForFinally", a_shutdown_waits_for_finally, every_point, true},
    {"TwoShutDown", two_shut_down, every_point, true},
    {"AFailureReachesAllAwaiters", a_failure_reaches_all_awaiters},
    {"AFailureWaitsForALateLook", a_failure_waits_for_a_late_look, nowhere, true},
    {"AFailureMeetsAShutdown", a_failure_meets_a_shutdown, nowhere, true},
    {"ADestructorSuspendsWhileUnwinding", a_destructor_suspends_while_unwinding},
    {"EachRethrowsItsOwnException", each_rethrows_its_own_exception},
};

}  // namespace weft_test
