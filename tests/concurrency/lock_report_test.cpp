#include <mutex>
#include <shared_mutex>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Reports say which coroutine holds a lock, and on which line it was locked, also by the guards of
// the standard library.
namespace {

using weft_test::error_of;
using weft_test::is;

std::string line(unsigned number) { return std::string{__FILE__} + ":" + std::to_string(number); }

/// What reports say of a coroutine that calls `wait` while main holds the lock.
template <class F>
std::string waits_for(F wait) {
  auto waiter = weft::spawn(wait);
  weft::testing::settle();
  const std::vector<std::string> waits = waiter.awaiting();
  waiter.cancel();
  (void)error_of([&] { weft::await(waiter); });
  return waits.size() == 1 ? waits[0] : std::to_string(waits.size()) + " events";
}

std::string main_name() { return "Coroutine " + std::to_string(weft::current().id()) + " (main)"; }

// R-OBS-3
TEST(LockReport, NamesTheOwnerOfAMutexAndWhereItWasTaken) {
  weft::testing::run([] {
    weft::Mutex mutex;
    const unsigned created = __LINE__ - 1;
    mutex.lock();
    const unsigned taken = __LINE__ - 1;
    EXPECT_EQ(waits_for([&] { mutex.lock(); }), "Mutex created at " + line(created) + ", held by " +
                                                    main_name() + ", which locked it at " +
                                                    line(taken));
    mutex.unlock();
    ASSERT_TRUE(mutex.try_lock());
    const unsigned tried = __LINE__ - 1;
    EXPECT_NE(waits_for([&] { mutex.lock(); }).find("locked it at " + line(tried)),
              std::string::npos);
    mutex.unlock();
  });
}

TEST(LockReport, NamesTheLineOfAGuardAndNotOneOfTheStandardLibrary) {
  weft::testing::run([] {
    weft::Mutex mutex;
    const auto expect_taken_at = [&](unsigned number) {
      const std::string text = waits_for([&] { mutex.lock(); });
      EXPECT_NE(text.find("locked it at " + line(number)), std::string::npos) << text;
    };
    {
      const std::lock_guard lock{mutex};
      expect_taken_at(__LINE__ - 1);
    }
    {
      const std::scoped_lock lock{mutex};
      expect_taken_at(__LINE__ - 1);
    }
    {
      std::unique_lock lock{mutex};
      expect_taken_at(__LINE__ - 1);
      lock.unlock();
      lock.lock();
      expect_taken_at(__LINE__ - 1);
    }
    {
      const std::unique_lock lock{mutex, std::try_to_lock};
      expect_taken_at(__LINE__ - 1);
    }
    EXPECT_FALSE(mutex.is_locked());
  });
}

// The place of a waiter is the line of its guard, too.
TEST(LockReport, NamesTheLineOfAGuardThatWaits) {
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    auto waiter = weft::spawn([&] { const std::lock_guard lock{mutex}; });
    const unsigned waits = __LINE__ - 1;
    weft::testing::settle();
    EXPECT_EQ(waiter.suspend_place().text(), line(waits));
    mutex.unlock();
    weft::await(waiter);
  });
}

// A waiter that was handed the lock holds it, and the line is the one where it waited.
TEST(LockReport, NamesTheCoroutineThatWasHandedTheLock) {
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    auto next = weft::spawn({.name = "alice"}, [&] {
      const std::lock_guard lock{mutex};
      weft::delay(std::chrono::seconds{1});
    });
    const unsigned waited = __LINE__ - 3;
    weft::testing::settle();
    mutex.unlock();
    const std::string text = waits_for([&] { mutex.lock(); });
    EXPECT_NE(text.find("(alice), which locked it at " + line(waited)), std::string::npos) << text;
    weft::await(next);
  });
}

TEST(LockReport, SaysThatTheHolderHasEnded) {
  weft::testing::run([] {
    weft::Mutex mutex;
    const auto ended = weft::spawn([&] { mutex.lock(); });
    weft::await(ended);
    const std::string text = waits_for([&] { mutex.lock(); });
    EXPECT_NE(text.find("held by code that is no coroutine any more"), std::string::npos) << text;
  });
}

// R-OBS-3
TEST(LockReport, NamesTheOwnersOfASharedMutex) {
  weft::testing::run([] {
    weft::SharedMutex mutex;
    const unsigned created = __LINE__ - 1;
    {
      const std::unique_lock lock{mutex};
      EXPECT_EQ(waits_for([&] { mutex.lock_shared(); }),
                "SharedMutex, to read created at " + line(created) + ", held to write by " +
                    main_name() + ", which locked it at " + line(__LINE__ - 3));
    }
    const std::shared_lock first{mutex};
    {
      const std::shared_lock second{mutex};
      EXPECT_EQ(waits_for([&] { mutex.lock(); }),
                "SharedMutex, to write created at " + line(created) +
                    ", held by 2 readers, one of them " + main_name() + ", which locked it at " +
                    line(__LINE__ - 4));
    }
    const std::string text = waits_for([&] { mutex.lock(); });
    EXPECT_NE(text.find("held by 1 readers"), std::string::npos) << text;
  });
}

// Each coroutine holds the mutex that the other waits for.
TEST(LockReport, ShowsBothSidesOfADeadlock) {
  std::string report;
  weft::Options options;
  options.on_warning = [&](std::string_view warning) { report += warning; };
  weft::Mutex a;
  weft::Mutex b;
  unsigned taken = 0;
  const auto body = [&] {
    const auto use = [&](weft::Mutex& first, weft::Mutex& second) {
      taken = __LINE__ + 1;
      const std::lock_guard one{first};
      weft::suspend();
      const std::lock_guard two{second};
    };
    auto alice = weft::spawn({.name = "alice"}, [&] { use(a, b); });
    auto bob = weft::spawn({.name = "bob"}, [&] { use(b, a); });
    weft::await(alice);
    weft::await(bob);
  };
  EXPECT_TRUE(is<weft::DeadlockError>(error_of([&] { weft::testing::run(body, options); })));
  const std::string at = ", which locked it at " + line(taken);
  EXPECT_NE(report.find("(alice)" + at), std::string::npos) << report;
  EXPECT_NE(report.find("(bob)" + at), std::string::npos) << report;
}

template <class Guard, class Mutex>
void expect_unique_lock_as_in_the_standard() {
  static_assert(std::is_same_v<typename Guard::mutex_type, Mutex>);
  static_assert(!std::is_copy_constructible_v<Guard> && !std::is_copy_assignable_v<Guard>);
  static_assert(std::is_nothrow_move_constructible_v<Guard>);
  weft::testing::run([] {
    Mutex mutex;
    Guard empty;
    EXPECT_EQ(empty.mutex(), nullptr);
    EXPECT_TRUE(is<std::system_error>(error_of([&] { empty.lock(); })));
    Guard deferred{mutex, std::defer_lock};
    EXPECT_FALSE(deferred.owns_lock());
    EXPECT_TRUE(is<std::system_error>(error_of([&] { deferred.unlock(); })));
    EXPECT_TRUE(deferred.try_lock());
    EXPECT_TRUE(is<std::system_error>(error_of([&] { deferred.lock(); })));
    Guard moved{std::move(deferred)};
    EXPECT_TRUE(moved && !deferred);  // NOLINT(bugprone-use-after-move): empty now
    empty = std::move(moved);
    EXPECT_EQ(empty.mutex(), &mutex);
    std::swap(empty, moved);
    EXPECT_TRUE(moved.owns_lock());
    EXPECT_EQ(moved.release(), &mutex);
    Guard adopted{mutex, std::adopt_lock};
    adopted.unlock();
    EXPECT_TRUE((Guard{mutex, std::try_to_lock}).owns_lock());
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  });
}

TEST(LockGuards, DoWhatTheStandardSays) {
  expect_unique_lock_as_in_the_standard<std::unique_lock<weft::Mutex>, weft::Mutex>();
  expect_unique_lock_as_in_the_standard<std::unique_lock<weft::SharedMutex>, weft::SharedMutex>();
  expect_unique_lock_as_in_the_standard<std::shared_lock<weft::SharedMutex>, weft::SharedMutex>();
  weft::testing::run([] {
    weft::Mutex mutex;
    mutex.lock();
    { const std::lock_guard lock{mutex, std::adopt_lock}; }
    mutex.lock();
    { const std::scoped_lock lock{std::adopt_lock, mutex}; }
    EXPECT_FALSE(mutex.is_locked());
    weft::SharedMutex shared;
    { const std::lock_guard lock{shared}; }
    { const std::scoped_lock lock{shared}; }
    EXPECT_FALSE(shared.is_locked());
    const std::scoped_lock both{mutex, shared};
  });
}

}  // namespace
