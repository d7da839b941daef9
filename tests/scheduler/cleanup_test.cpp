#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Coroutines that clean up: SpawnOptions::cleanup.

namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

/// Destroys objects whose destructors may await. When one parks, a clean-up coroutine of high
/// priority continues with the next.
class Store {
 public:
  explicit Store(Log& log, int count) : log_{log}, count_{count} {}
  ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void destroy_all() {
    bool handed_over = false;
    weft::current().add_switch_handler([&](weft::Switch what) {
      if (what != weft::Switch::leave) return what == weft::Switch::enter;
      handed_over = true;
      const weft::SpawnOptions cleanup{.priority = weft::Priority::high, .cleanup = true};
      weft::spawn(cleanup, [this] { destroy_all(); });
      return false;
    });
    while (!handed_over && next_ < count_) destroy(next_++);
  }

 private:
  void destroy(int object) {
    weft::delay(10ms);
    log_.push_back("destroyed " + std::to_string(object));
  }

  Log& log_;
  int count_;
  int next_ = 0;
};

struct DestroyAll {
  Store& store;
  ~DestroyAll() noexcept(false) { store.destroy_all(); }
};

const Log all_five{"destroyed 0", "destroyed 1", "destroyed 2", "destroyed 3", "destroyed 4"};

// R-SWH-11
TEST(Cleanup, DestructorsThatAwaitAllRunAtANormalEnd) {
  Log log;
  Store store{log, 5};
  weft::testing::run([&] { weft::spawn([&] { const DestroyAll at_the_end{store}; }); });
  EXPECT_EQ(log, all_five);
}

// R-SWH-11, R-SHU-6
TEST(Cleanup, DestructorsThatAwaitAllRunInAShutdown) {
  Log log;
  Store store{log, 5};
  weft::testing::run([&] {
    weft::spawn([&] {
      const DestroyAll at_the_end{store};
      weft::delay(1h);
    });
    weft::suspend();
    weft::shutdown();
  });
  EXPECT_EQ(log, all_five);
}

// R-SWH-11, R-SHU-5
TEST(Cleanup, DestructorsThatAwaitAllRunAfterAnUnhandledError) {
  Log log;
  Store store{log, 5};
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          const DestroyAll at_the_end{store};  // in the frame of main, which unwinds last
          weft::spawn([] { throw std::runtime_error{"cause"}; });
          weft::delay(1h);
        },
        quiet());
  });
  EXPECT_EQ(text(error), "cause");
  EXPECT_EQ(log, all_five);
}

// R-SWH-11, R-SCP-7
TEST(Cleanup, BelongsToTheScopeOfTheCoroutineItContinues) {
  Log log;
  Store store{log, 5};
  weft::testing::run([&] {
    const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    scope->spawn([&] {
      const DestroyAll at_the_end{store};
      weft::delay(1h);
    });
    weft::suspend();
    scope->cancel();
    scope->await_after_cancellation();
    log.emplace_back("scope ended");
  });
  Log expected = all_five;
  expected.emplace_back("scope ended");
  EXPECT_EQ(log, expected);
}

// R-SCP-5, R-SCP-7
TEST(Cleanup, ACancelledScopeAdmitsItAndNothingElse) {
  Log log;
  weft::testing::run([&] {
    const weft::Ref<weft::Scope> scope = weft::Scope::inherit();
    scope->spawn([] {
      const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
      weft::delay(5ms);
    });
    weft::suspend();
    scope->cancel();
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn([] {}); })));
    const weft::SpawnOptions cleanup{.cleanup = true};
    scope->spawn(cleanup, [&] {
      weft::delay(10ms);
      EXPECT_TRUE(is<weft::MisuseError>(error_of([] { weft::spawn([] {}); })));
      log.emplace_back("cleaned up");
    });
    scope->cancel();
    scope->await_after_cancellation();
    log.emplace_back("scope ended");
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { scope->spawn(cleanup, [] {}); })));
  });
  EXPECT_EQ(log, (Log{"cleaned up", "scope ended"}));
}

// R-SHU-11
TEST(Cleanup, IsReachedByNoCancellation) {
  Log log;
  weft::testing::run([&] {
    auto cleanup = weft::spawn(weft::SpawnOptions{.cleanup = true}, [&] {
      weft::delay(10ms);
      EXPECT_THROW(weft::with_timeout(1ms, [] { weft::delay(1h); }), weft::TimedOut);
      weft::spawn([&] { log.emplace_back("an ordinary coroutine"); });
      log.emplace_back("cleaned up");
    });
    cleanup.cancel();
    weft::suspend();
    cleanup.cancel();
    weft::shutdown();
  });
  EXPECT_EQ(log, (Log{"cleaned up"}));
}

// R-SHU-6
TEST(Cleanup, IsCancelledWhenHalfOfTheDeadlineIsOver) {
  weft::Options options;
  options.shutdown_deadline = 100ms;
  weft::Duration took{};
  weft::testing::run(
      [&] {
        weft::spawn(weft::SpawnOptions{.cleanup = true}, [&] {
          const weft::TimePoint begin = weft::now();
          const std::exception_ptr error = error_of([] { weft::delay(24h); });
          EXPECT_EQ(text(error), "cancelled: Graceful shutdown");
          took = weft::now() - begin;
        });
        weft::suspend();
        weft::shutdown();
      },
      options);
  EXPECT_GE(took, 50ms);
  EXPECT_LT(took, 60ms);
}

// R-DLK-6
TEST(Cleanup, IsCancelledInADeadlockWhenNothingElseMoves) {
  Log log;
  weft_test::Doorbell never;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn(weft::SpawnOptions{.cleanup = true}, [&] {
            log.push_back("clean-up " + text(error_of([&] { weft::await(never); })));
          });
          weft::spawn(
              [&] { log.push_back("other " + text(error_of([&] { weft::await(never); }))); });
        },
        quiet());
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error));
  EXPECT_EQ(log,
            (Log{"other cancelled: Deadlock detected", "clean-up cancelled: Deadlock detected"}));
}

}  // namespace
