#include <cstdint>
#include <exception>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

// Each allocation of a scenario is made to fail, one in each run. run() must return or throw, leave
// nothing behind, and the next run must work.

namespace {

using namespace std::chrono_literals;
using weft_test::Allocations;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

// Shared objects are counted or static: after a failure, the frame of the scenario may end before
// its coroutines.
struct Scenario {
  const char* name;
  void (*body)();
  bool succeeds = true;  ///< when no allocation fails
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

void spawn_and_await() {
  auto one = weft::spawn([] { return 1; });
  auto two = weft::spawn([](int number) { return number; }, 2);
  if (weft::await(one) + weft::await(two) != 3) throw std::logic_error{"wrong sum"};
}

void many() {
  // More than the run queue, the first slab and the inline slots hold.
  constexpr std::size_t count = 300;
  weft::Coroutine<void> all[count];
  auto bell = weft::make_ref<Doorbell>();
  for (auto& one : all) one = weft::spawn([bell] { weft::await(*bell); });
  weft::testing::settle();
  bell->ring();
  for (const auto& one : all) weft::await(one);
}

void names_and_sizes() {
  const std::string name(100, 'n');
  const weft::SpawnOptions options{
      .name = name, .priority = weft::Priority::high, .stack_size = std::size_t{64} * 1024};
  weft::await(weft::spawn(options, [] { weft::suspend(); }));
}

void delays() {
  auto other = weft::spawn([] {
    for (int i = 0; i < 3; ++i) weft::delay(1ms);
  });
  weft::delay(5ms);
  weft::await(other);
}

void many_timers() {
  auto timers = std::make_unique<weft::Coroutine<void>[]>(100);
  for (int i = 0; i < 100; ++i) {
    timers[static_cast<std::size_t>(i)] =
        weft::spawn([i] { weft::delay(std::chrono::milliseconds{100 - i}); });
  }
  for (std::size_t i = 0; i < 100; ++i) weft::await(timers[i]);
}

void triggers() {
  auto trigger = weft::make_ref<weft::Trigger>();
  auto waiter = weft::spawn([trigger] { weft::await(*trigger); });
  weft::suspend();
  trigger->fire();
  weft::await(waiter);
}

void cancels() {
  auto sleeper = weft::spawn([] { weft::delay(1h); });
  auto unborn = weft::spawn([] {});
  unborn.cancel();
  weft::suspend();
  sleeper.cancel(std::string(100, 'r'));
  try {
    weft::await(sleeper);
  } catch (const weft::Cancelled&) {
  }
  try {
    weft::await(unborn);
  } catch (const weft::Cancelled&) {
  }
}

void protects() {
  auto worker = weft::spawn([] { weft::protect([] { weft::delay(1ms); }); });
  weft::suspend();
  worker.cancel("why");
  try {
    weft::await(worker);
  } catch (const weft::Cancelled&) {
  }
}

void tokens() {
  Doorbell bell;
  weft::Timer token{1ms};
  try {
    weft::await(bell, token);
  } catch (const weft::OperationCancelled&) {
  }
}

void many_events_in_one_wait() {
  weft::Ref<Doorbell> bells[5];
  for (auto& bell : bells) bell = weft::make_ref<Doorbell>();
  auto ringer = weft::spawn([bell = bells[3]] { bell->ring(); });
  weft::Waker& waker = weft::current().base().waker().renew();
  for (const auto& bell : bells) waker.resume_when(weft::Ref<weft::Event>{bell});
  waker.on_clean([captured = std::make_unique<int>(1)] {});
  weft::suspend(waker);
  waker.renew();
  weft::await(ringer);
}

void finally_handlers() {
  auto ending = weft::spawn([] { weft::suspend(); });
  ending.on_finally([] { weft::delay(1ms); });
  ending.on_finally([](const weft::AnyCoroutine&) {});
  weft::await(ending);
}

void failing_finally_handlers() {
  auto ending = weft::spawn([] {});
  ending.on_finally([] { throw 1; });
  ending.on_finally([] { throw 2; });
  weft::await(ending);
}

void microtasks() {
  static int calls = 0;
  calls = 0;
  for (int i = 0; i < 100; ++i) {  // more than the queue holds at first
    weft::post_microtask([captured = std::make_unique<int>(i)] { ++calls; });
  }
  weft::suspend();
  if (calls != 100) throw std::logic_error{"microtasks were lost"};
}

void switch_handlers() {
  auto handled = weft::spawn([] { weft::suspend(); });
  handled.add_switch_handler([](weft::Switch) { return false; });
  handled.add_switch_handler([captured = std::make_unique<int>(1)](weft::Switch) { return true; });
  weft::await(handled);
}

void internal_values() {
  static const char name[] = "out of memory";
  const unsigned key = weft::internal_key(name);
  auto holder = weft::spawn([key] {
    auto value = std::make_unique<int>(1);
    weft::current().base().set_internal_value(
        key, value.get(), [](void* memory) noexcept { delete static_cast<int*>(memory); });
    static_cast<void>(value.release());  // owned by the coroutine now
    weft::suspend();
  });
  weft::await(holder);
}

void unhandled() {
  weft::spawn([] { throw std::runtime_error{"cause"}; });
  weft::delay(1h);
}

void shutting_down() {
  weft::spawn([] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      weft::delay(1ms);
      throw;
    }
  });
  weft::spawn([] {
    weft::suspend();
    weft::shutdown(std::string(100, 's'));
  });
}

void deadlock() {
  Doorbell bell;
  weft::await(bell);
}

void pictures() {
  auto sleeper = weft::spawn([] { weft::delay(1ms); });
  weft::suspend();
  static_cast<void>(weft::dump());
  static_cast<void>(sleeper.info());
  static_cast<void>(sleeper.awaiting());
  weft::await(sleeper);
}

class OutOfMemory : public ::testing::TestWithParam<Scenario> {};

/// Creates objects that a thread has once, such as its list of previous errors.
void warm_up() {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          for (int i = 0; i < 8; ++i) weft::post_microtask([i] { throw i; });
        },
        quiet());
  });
}

// R-EXC-1, R-EXC-5, R-SHU-15: for each allocation that may fail.
TEST_P(OutOfMemory, AtAnyPositionEndsInOrder) {
  const auto run = [] { return error_of([] { weft::testing::run(GetParam().body, quiet()); }); };
  warm_up();
  const std::string expected = text(run());
  EXPECT_EQ(expected == "nothing", GetParam().succeeds) << expected;
  bool reached = true;
  for (std::uint64_t k = 1; reached; ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const std::uint64_t live = Allocations::live();
    Allocations::fail_at(k);
    std::exception_ptr error = run();
    reached = Allocations::failed();
    Allocations::fail_never();
    const weft::Stats stats = weft::stats();
    ASSERT_EQ(stats.coroutines, 0U);
    ASSERT_EQ(stats.microtasks, 0U);
    ASSERT_EQ(stats.active_events, 0U);
    ASSERT_EQ(stats.contexts_in_use, 0U);
    ASSERT_FALSE(is<std::logic_error>(error)) << text(error);
    if (!reached) {
      ASSERT_EQ(text(error), expected);
    }
    error = nullptr;
    ASSERT_EQ(text(run()), expected);  // also frees the list of previous errors of the last run
    ASSERT_EQ(Allocations::live(), live);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Core, OutOfMemory,
    ::testing::Values(
        Scenario{"SpawnAndAwait", spawn_and_await}, Scenario{"Many", many},
        Scenario{"NamesAndSizes", names_and_sizes}, Scenario{"Delays", delays},
        Scenario{"ManyTimers", many_timers}, Scenario{"Triggers", triggers},
        Scenario{"Cancels", cancels}, Scenario{"Protects", protects}, Scenario{"Tokens", tokens},
        Scenario{"ManyEventsInOneWait", many_events_in_one_wait},
        Scenario{"FinallyHandlers", finally_handlers},
        Scenario{"FailingFinallyHandlers", failing_finally_handlers, false},
        Scenario{"Microtasks", microtasks}, Scenario{"SwitchHandlers", switch_handlers},
        Scenario{"InternalValues", internal_values}, Scenario{"Unhandled", unhandled, false},
        Scenario{"ShuttingDown", shutting_down}, Scenario{"Deadlock", deadlock, false},
        Scenario{"Pictures", pictures}),
    [](const auto& one) { return std::string{one.param.name}; });

// R-CAN-5: waking, cancelling, notifying and closing may not fail, so they do not allocate.
TEST(WakingAndCancelling, AllocateNothing) {
  weft::testing::run([] {
    Doorbell bell;
    auto waiter = weft::spawn([&] { weft::await(bell); });
    auto cancelled = weft::spawn([&] { weft::await(bell); });
    weft::suspend();
    auto late = weft::spawn([] {});
    const std::uint64_t before = Allocations::count();
    cancelled.cancel();
    late.cancel();
    bell.ring_and_close();
    EXPECT_EQ(Allocations::count(), before);
    weft::await(waiter);
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(cancelled); })));
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(late); })));
  });
}

// R-CAN-8: the caller allocates the reason; the cancellation itself needs no memory.
TEST(WakingAndCancelling, WorkWithAReasonWithoutMemory) {
  weft::testing::run([] {
    auto sleeper = weft::spawn([] { weft::delay(1h); });
    weft::suspend();
    std::string reason(100, 'r');
    Allocations::fail_at(1);
    sleeper.cancel(std::move(reason));
    Allocations::fail_never();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(sleeper); })));
  });
}

}  // namespace
