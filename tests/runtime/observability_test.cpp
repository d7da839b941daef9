#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using weft_test::Doorbell;
using weft_test::error_of;

std::string line(unsigned number) { return std::string{__FILE__} + ":" + std::to_string(number); }

// R-OBS-1, R-OBS-2
TEST(Stats, AreZeroBeforeTheFirstRuntimeOfAThread) {
  weft::Stats stats;
  stats.coroutines = 99;
  std::thread{[&] { stats = weft::stats(); }}.join();
  EXPECT_EQ(stats.coroutines, 0U);
  EXPECT_EQ(stats.active_coroutines, 0U);
  EXPECT_EQ(stats.queued, 0U);
  EXPECT_EQ(stats.microtasks, 0U);
  EXPECT_EQ(stats.active_events, 0U);
  EXPECT_EQ(stats.contexts_pooled, 0U);
  EXPECT_EQ(stats.pool_target, 0U);
  EXPECT_EQ(stats.pool_capacity, 0U);
  EXPECT_EQ(stats.pool_minimum, 0U);
  EXPECT_EQ(stats.deferred_cleanups, 0U);
  EXPECT_EQ(stats.stack_size, 0U);
  EXPECT_EQ(stats.pooled_bytes, 0U);
  EXPECT_EQ(stats.switches, 0U);
  EXPECT_EQ(stats.scheduler_switches, 0U);
  EXPECT_EQ(stats.contexts_created, 0U);
  EXPECT_EQ(stats.reactor_ticks, 0U);
  EXPECT_EQ(stats.reactor_waits, 0U);
}

// R-OBS-1
TEST(Stats, CountCoroutinesAndTheQueue) {
  weft::testing::run([] {
    EXPECT_EQ(weft::stats().coroutines, 1U);  // main
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
    EXPECT_EQ(weft::stats().queued, 0U);
    const std::uint64_t spawned_before = weft::stats().coroutines_spawned;
    Doorbell bell;
    auto parked = weft::spawn([&] { weft::await(bell); });
    auto ended = weft::spawn([] {});
    EXPECT_EQ(weft::stats().coroutines, 3U);
    EXPECT_EQ(weft::stats().queued, 2U);
    weft::suspend();
    EXPECT_EQ(weft::stats().coroutines, 2U);
    EXPECT_EQ(weft::stats().active_coroutines, 2U);
    EXPECT_EQ(weft::stats().queued, 0U);
    EXPECT_EQ(weft::stats().coroutines_spawned - spawned_before, 2U);
    bell.ring();
    EXPECT_EQ(weft::stats().queued, 1U);
    weft::await(parked);
    EXPECT_EQ(weft::stats().coroutines, 1U);
  });
}

// R-OBS-1
TEST(Stats, CountMicrotasks) {
  weft::testing::run([] {
    for (int i = 0; i < 5; ++i) weft::post_microtask([] {});
    EXPECT_EQ(weft::stats().microtasks, 5U);
    weft::suspend();
    EXPECT_EQ(weft::stats().microtasks, 0U);
  });
}

// R-OBS-1
TEST(Stats, CountPooledContextsAndTheirBytes) {
  weft::testing::run([] {
    EXPECT_EQ(weft::stats().contexts_pooled, 0U);
    EXPECT_EQ(weft::stats().pooled_bytes, 0U);
    weft::await(weft::spawn([] {}));
    const weft::Stats one = weft::stats();
    EXPECT_EQ(one.contexts_pooled, 1U);
    EXPECT_GE(one.stack_size, std::size_t{256} * 1024);
    EXPECT_GE(one.pooled_bytes, one.stack_size);
    auto first = weft::spawn([] { weft::suspend(); });
    auto second = weft::spawn([] { weft::suspend(); });
    weft::await(first);
    weft::await(second);
    EXPECT_EQ(weft::stats().contexts_pooled, 2U);
    EXPECT_EQ(weft::stats().pooled_bytes, 2 * one.pooled_bytes);
  });
}

// R-OBS-1, R-EXC-4
TEST(Stats, CountDeferredCleanups) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      auto failed = weft::spawn([] { throw std::runtime_error{"unread"}; });
      weft::suspend();
      EXPECT_EQ(weft::stats().deferred_cleanups, 0U);  // the handle may still read it
      failed = {};
      EXPECT_EQ(weft::stats().deferred_cleanups, 1U);
      EXPECT_THROW(weft::delay(1ms), weft::Cancelled);
      EXPECT_EQ(weft::stats().deferred_cleanups, 0U);
    });
  });
  EXPECT_EQ(weft_test::text(error), "unread");
}

/// Parks `count` coroutines at the same time.
void park_at_once(int count) {
  std::vector<weft::Coroutine<void>> all;
  for (int i = 0; i < count; ++i) all.push_back(weft::spawn([] { weft::delay(1ms); }));
  for (const auto& one : all) weft::await(one);
}

// R-OBS-1, R-CPO-4
TEST(Stats, SayHowManyContextsFitAndHowManyAreAlwaysKept) {
  weft::testing::run([] {
    const weft::Stats start = weft::stats();
    EXPECT_GE(start.pool_capacity, 1U);
    EXPECT_GE(start.pool_minimum, 1U);
    park_at_once(static_cast<int>(start.pool_capacity));
    EXPECT_EQ(weft::stats().pool_capacity, start.pool_capacity);
    EXPECT_EQ(weft::stats().stack_bytes_reserved, start.stack_bytes_reserved);
    park_at_once(static_cast<int>(start.pool_capacity) + 1);  // one more than the pool has room for
    EXPECT_GT(weft::stats().pool_capacity, start.pool_capacity);
    EXPECT_GT(weft::stats().stack_bytes_reserved, start.stack_bytes_reserved);
    for (int i = 0; i < 2'000; ++i) weft::delay(1s);  // the pooled contexts are not needed
    EXPECT_GE(weft::stats().contexts_pooled, start.pool_minimum);
    EXPECT_LT(weft::stats().contexts_pooled, start.pool_capacity);
  });
}

/// A policy that keeps no context.
class KeepNothing final : public weft::StackPolicy {
 public:
  std::size_t keep(std::size_t, std::size_t, std::size_t) noexcept override { return 0; }
};

// R-OBS-1, R-CPO-4
TEST(Stats, NameNoMinimumWhenAPolicyDecides) {
  KeepNothing policy;
  weft::Options options;
  options.stack_policy = &policy;
  weft::testing::run([] { EXPECT_EQ(weft::stats().pool_minimum, 0U); }, options);
}

// R-OBS-1, R-OBS-2
TEST(Stats, CountArmedEventsAndHiddenOnesApart) {
  weft::testing::run([] {
    weft::Timer timer{1h};
    weft::Timer hidden{1h};
    weft::Trigger trigger;
    hidden.set_hidden(true);
    EXPECT_EQ(weft::stats().active_events, 0U);
    timer.start();
    hidden.start();
    trigger.start();
    EXPECT_EQ(weft::stats().active_events, 2U);
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    EXPECT_EQ(weft::stats().armed_timers, 2U);
    timer.stop();
    hidden.stop();
    trigger.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// R-OBS-2
TEST(Stats, CountSwitchesAndThoseIntoTheSchedulerCoroutine) {
  weft::testing::run([] {
    const weft::Stats start = weft::stats();
    weft::await(weft::spawn([] {}));
    const weft::Stats awaited = weft::stats();
    EXPECT_EQ(awaited.switches - start.switches, 2U);
    EXPECT_EQ(awaited.scheduler_switches - start.scheduler_switches, 0U);
    weft::delay(10ms);
    const weft::Stats slept = weft::stats();
    EXPECT_EQ(slept.switches - awaited.switches, 2U);
    EXPECT_EQ(slept.scheduler_switches - awaited.scheduler_switches, 1U);
  });
}

// R-OBS-2
TEST(Stats, CountPollsOfTheReactor) {
  weft::testing::run([] {
    const weft::Stats start = weft::stats();
    weft::delay(10ms);
    const weft::Stats slept = weft::stats();
    EXPECT_GE(slept.reactor_waits - start.reactor_waits, 1U);
    auto other = weft::spawn([] {
      for (int i = 0; i < 5'000; ++i) weft::suspend();  // 5 ms on the virtual clock
    });
    weft::await(other);
    const weft::Stats busy = weft::stats();
    EXPECT_GE(busy.reactor_ticks - slept.reactor_ticks, 1U);
    EXPECT_EQ(busy.reactor_waits, slept.reactor_waits);  // a coroutine was always ready
  });
}

// R-OBS-2
TEST(Stats, OfTheLastRuntimeCanStillBeRead) {
  weft::testing::run([] { weft::await(weft::spawn([] { weft::delay(1ms); })); });
  const weft::Stats stats = weft::stats();
  EXPECT_EQ(stats.coroutines, 0U);
  EXPECT_GE(stats.coroutines_spawned, 1U);
  EXPECT_EQ(stats.contexts_created, 1U);
  EXPECT_GE(stats.switches, 2U);
}

// R-OBS-3
TEST(Info, OfACoroutineSaysWhereItWasSpawnedAndSuspended) {
  weft::testing::run([] {
    Doorbell bell;
    unsigned suspended = 0;
    const unsigned spawned = __LINE__ + 1;
    auto waiter = weft::spawn({.name = "myFunc"}, [&] {
      suspended = __LINE__ + 1;
      weft::await(bell);
    });
    const std::string head =
        "Coroutine " + std::to_string(waiter.id()) + " spawned at " + line(spawned);
    EXPECT_EQ(waiter.info(), head + " (myFunc)");
    weft::suspend();
    EXPECT_EQ(waiter.info(), head + ", suspended at " + line(suspended) + " (myFunc)");
    EXPECT_EQ(static_cast<weft::Event&>(waiter).info(), waiter.info());
    bell.ring();
    weft::await(waiter);
    EXPECT_EQ(waiter.info(), head + " (myFunc)");
  });
}

TEST(Info, OfACoroutineWithoutAPlaceNamesNone) {
  weft::testing::run([] {
    auto made = weft::spawn([] {}, weft::Place{});
    EXPECT_EQ(made.info(), "Coroutine " + std::to_string(made.id()));
    weft::await(made);
  });
}

// R-OBS-3
TEST(Info, OfTheRunningCoroutineNamesNoSuspension) {
  weft::testing::run([] {
    auto runner = weft::spawn({.name = "runner"}, [] {
      weft::suspend();
      EXPECT_THAT(weft::current().info(), Not(HasSubstr("suspended")));
      EXPECT_THAT(weft::current().info(), HasSubstr("(runner)"));
    });
    weft::await(runner);
  });
}

// R-OBS-3
TEST(Info, OfATimerSaysItsTimeAndKind) {
  EXPECT_EQ(weft::Timer{100ms}.info(), "Timer(timeout=100ms, once)");
  EXPECT_EQ(weft::Timer::periodic(2s).info(), "Timer(timeout=2000ms, periodic)");
}

// R-OBS-3
TEST(Info, OfATriggerIsItsName) { EXPECT_EQ(weft::Trigger{}.info(), "Trigger"); }

// R-OBS-3
TEST(Info, IsWhatACoroutineAwaits) {
  weft::testing::run([] {
    auto sleeper = weft::spawn([] {
      Doorbell bell;
      weft::Timer token{1ms};
      const std::exception_ptr ignored = error_of([&] { weft::await(bell, token); });
    });
    weft::suspend();
    EXPECT_EQ(sleeper.awaiting(),
              (std::vector<std::string>{"Doorbell", "Timer(timeout=1ms, once)"}));
    weft::await(sleeper);
    EXPECT_TRUE(sleeper.awaiting().empty());
  });
}

// R-OBS-3
TEST(Info, OfAChannelIsWhatItsReceiverAwaits) {
  weft::testing::run([] {
    weft::Channel<int> channel{1};
    auto receiver = weft::spawn([&] { channel.recv(); });
    weft::suspend();
    EXPECT_EQ(receiver.base().waker().awaiting_info(),
              (std::vector<std::string>{"Channel(capacity=1, receivers=1, senders=0, "
                                        "reserved=0/0)"}));
    channel.send(1);
    weft::await(receiver);
  });
}

// R-OBS-3
TEST(Dump, ShowsEveryCoroutineAndWhatItWaitsFor) {
  weft::testing::run([] {
    Doorbell bell;
    auto waiter = weft::spawn({.name = "waiter"}, [&] { weft::await(bell); });
    auto sleeper = weft::spawn({.name = "sleeper"}, [] { weft::delay(250ms); });
    weft::suspend();
    auto unborn = weft::spawn({.name = "unborn"}, [] {});
    const std::string picture = weft::dump();
    EXPECT_THAT(picture, HasSubstr(waiter.info()));
    EXPECT_THAT(picture, HasSubstr("Doorbell"));
    EXPECT_THAT(picture, HasSubstr(sleeper.info()));
    EXPECT_THAT(picture, HasSubstr("Timer(timeout=250ms, once)"));
    EXPECT_THAT(picture, HasSubstr(unborn.info()));
    EXPECT_THAT(picture, HasSubstr(weft::current().info()));
    bell.ring();
    weft::await(waiter);
    EXPECT_THAT(weft::dump(), Not(HasSubstr("(waiter)")));
  });
}

std::string head_of(std::uint64_t id, unsigned spawned) {
  return "\n  Coroutine " + std::to_string(id) + " spawned at " + line(spawned);
}

// R-OBS-3
TEST(Dump, IsAPageAboutTheRunningProgram) {
  weft::testing::run([] {
    Doorbell bell;
    unsigned at[6] = {};
    at[0] = __LINE__ + 1;
    auto waiter = weft::spawn({.name = "waiter"}, [&] {
      weft::Timer token{3s};
      at[1] = __LINE__ + 1;
      weft::await(bell, token);
    });
    at[2] = __LINE__ + 1;
    auto sleeper = weft::spawn([&] {
      at[3] = __LINE__ + 1;
      weft::protect([] { weft::delay(250ms); });
    });
    std::string picture;
    at[4] = __LINE__ + 1;
    auto painter = weft::spawn([&] {
      weft::suspend();
      picture = weft::dump();
    });
    weft::suspend();
    sleeper.cancel();
    at[5] = __LINE__ + 1;
    auto unborn = weft::spawn({.name = "unborn"}, [] {});
    const unsigned awaited = __LINE__ + 1;
    weft::await(painter);
    const std::string main = std::to_string(weft::current().id());
    EXPECT_EQ(picture, "5 coroutines, 2 active events\n  Coroutine " + main + ", suspended at " +
                           line(awaited) + " (main): waiting\n    waits for " + painter.info() +
                           head_of(waiter.id(), at[0]) + ", suspended at " + line(at[1]) +
                           " (waiter): waiting\n    waits for Doorbell"
                           "\n    waits for Timer(timeout=3000ms, once)" +
                           head_of(sleeper.id(), at[2]) + ", suspended at " + line(at[3]) +
                           ": waiting, cancellation requested"
                           "\n    waits for Timer(timeout=250ms, once)" +
                           head_of(painter.id(), at[4]) + ": running" +
                           head_of(unborn.id(), at[5]) + " (unborn): not started");
    bell.ring();
    weft::await(waiter);
  });
}

}  // namespace
