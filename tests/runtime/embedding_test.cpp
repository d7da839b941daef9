#include <stdexcept>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;

weft::Options on(weft::testing::VirtualClock& clock) {
  weft::Options options;
  options.clock = &clock;
  options.on_warning = [](std::string_view) {};
  return options;
}

TEST(Embedding, TicksUntilNothingIsLeft) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  int steps = 0;
  runtime.spawn([&] {
    for (int i = 0; i < 3; ++i) {
      weft::delay(1ms);
      ++steps;
    }
  });
  while (runtime.tick(weft::Wait::yes)) {
  }
  EXPECT_EQ(steps, 3);
  runtime.finish();
}

TEST(Embedding, GivesTheHostTheErrorAndNotItsOwnCancellation) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  runtime.spawn([] { throw std::runtime_error{"out"}; });
  EXPECT_THROW(
      {
        while (runtime.tick(weft::Wait::yes)) {
        }
      },
      std::runtime_error);
}

// R-DLK-1
TEST(Embedding, NoticesADeadlock) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  Doorbell bell;
  auto waiter = runtime.spawn([&] { weft::await(bell); });
  EXPECT_THROW(
      {
        while (runtime.tick(weft::Wait::yes)) {
        }
      },
      weft::DeadlockError);
}

// R-DLK-1: between two ticks the host runs, and may still ring the bell.
TEST(Embedding, FindsNoDeadlockInATickThatDoesNotWait) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  Doorbell bell;
  bool woken = false;
  auto waiter = runtime.spawn([&] {
    weft::await(bell);
    woken = true;
  });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(runtime.tick(weft::Wait::no));
  bell.ring();
  while (runtime.tick(weft::Wait::no)) {
  }
  EXPECT_TRUE(woken);
}

// R-DLK-1
TEST(Embedding, NoticesADeadlockInItsFinish) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  Doorbell bell;
  auto waiter = runtime.spawn([&] { weft::await(bell); });
  EXPECT_TRUE(runtime.tick(weft::Wait::no));
  EXPECT_THROW(runtime.finish(), weft::DeadlockError);
}

// R-SHU-6: a shutdown ends coroutines, not the host.
TEST(Embedding, GoesOnAfterTheDeadlineOfAShutdownThatIsOver) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  auto sleeper = runtime.spawn([] { weft::delay(1h); });
  runtime.tick();
  weft::shutdown();
  for (int i = 0; i < 5; ++i) runtime.tick();
  EXPECT_TRUE(sleeper.is_cancelled());
  clock.advance(1h);
  for (int i = 0; i < 5; ++i) EXPECT_NO_THROW(runtime.tick());
  EXPECT_EQ(runtime.next_deadline(), weft::never);
  runtime.finish();
}

TEST(Embedding, IsOverAfterItsFinish) {
  weft::testing::VirtualClock clock;
  weft::Runtime runtime{on(clock)};
  runtime.finish();
  EXPECT_THROW(weft::suspend(), weft::MisuseError);
  EXPECT_THROW(runtime.spawn([] {}), weft::MisuseError);
  EXPECT_THROW(runtime.tick(), weft::MisuseError);
  runtime.finish();  // a second call does nothing
}

TEST(Embedding, RefusesASwitchHandlerWithoutACoroutine) {
  weft::Options options;
  options.on_warning = [](std::string_view) {};
  EXPECT_THROW(
      weft::testing::run(
          [] {
            weft::spawn([] {
              weft::post_microtask([] {
                weft::add_switch_handler([](weft::CoroutineBase&, weft::Switch) { return true; });
              });
            });
          },
          options),
      weft::MisuseError);
}

TEST(StackSizes, ThatCannotBeProvidedAreRefused) {
  weft::testing::run([] {
    EXPECT_THROW(weft::spawn(weft::SpawnOptions{.stack_size = std::size_t{1} << 54U}, [] {}),
                 weft::ValueError);
  });
}

TEST(MultishotTimer, MayLoseItsLastReferenceInItsOwnCallback) {
  weft::testing::run([] {
    auto timer = weft::make_ref<weft::Timer>(1ms, weft::Timer::Kind::multishot);
    bool notified = false;
    weft_test::Call call{[&](weft::Event& event, const weft::Outcome&) {
      notified = true;
      event.remove_callback(call);
      timer = nullptr;
    }};
    timer->add_callback(call);
    timer->start();
    weft::delay(5ms);
    EXPECT_TRUE(notified);
  });
}

}  // namespace
