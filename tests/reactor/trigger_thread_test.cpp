#include <atomic>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Call;

// R-TRG-1
TEST(TriggerThreadTest, IsFiredFromAnotherThread) {
  bool woken = false;
  weft::testing::run([&] {
    weft::Trigger trigger;
    std::thread thread{[&] { trigger.fire(); }};
    weft::await(trigger);
    woken = true;
    thread.join();
  });
  EXPECT_TRUE(woken);
}

// R-TRG-1
TEST(TriggerThreadTest, NotifiesOnTheThreadOfTheLoop) {
  std::thread::id notified_on;
  std::thread::id fired_on;
  weft::testing::run([&] {
    weft::Trigger trigger;
    Call call{
        [&](weft::Event&, const weft::Outcome&) { notified_on = std::this_thread::get_id(); }};
    trigger.add_callback(call);
    std::thread thread{[&] {
      fired_on = std::this_thread::get_id();
      trigger.fire();
    }};
    weft::await(trigger);
    thread.join();
    trigger.remove_callback(call);
  });
  EXPECT_EQ(notified_on, std::this_thread::get_id());
  EXPECT_NE(notified_on, fired_on);
}

// R-TRG-1: another thread fires just before or while the loop sleeps in the kernel.
TEST(TriggerThreadTest, WakesASleepingLoopEveryTime) {
  constexpr int rounds = 2'000;
  int woken = 0;
  weft::Trigger trigger;
  std::counting_semaphore<> asked{0};
  std::thread thread{[&] {
    for (int i = 0; i < rounds; ++i) {
      asked.acquire();
      trigger.fire();
    }
  }};
  weft::testing::run([&] {
    for (; woken < rounds; ++woken) {
      asked.release();
      weft::await(trigger);
    }
  });
  thread.join();
  EXPECT_EQ(woken, rounds);
}

// R-TRG-1, R-TRG-2: firings may become one notification, but none that comes after a poll is lost.
TEST(TriggerThreadTest, LosesNoFiringOfManyThreads) {
  constexpr int thread_count = 4;
  constexpr int firings = 2'000;
  std::atomic<int> counter{0};
  int notifications = 0;
  weft::Trigger trigger;
  std::vector<std::thread> threads;
  weft::testing::run([&] {
    for (int i = 0; i < thread_count; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < firings; ++k) {
          counter.fetch_add(1);
          trigger.fire();
        }
      });
    }
    // A lost firing would make this wait endless.
    do {
      weft::await(trigger);
      ++notifications;
    } while (counter.load() < thread_count * firings);
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(notifications, thread_count * firings);
}

// R-TRG-2
TEST(TriggerThreadTest, MayBeFiredWhileItIsBeingClosed) {
  for (int round = 0; round < 200; ++round) {
    weft::testing::run([] {
      weft::Trigger trigger;
      std::binary_semaphore go{0};
      std::thread thread{[&] {
        go.acquire();
        for (int i = 0; i < 20; ++i) trigger.fire();
      }};
      trigger.start();
      go.release();
      weft::tick_reactor();
      trigger.close();
      EXPECT_TRUE(trigger.is_closed());
      EXPECT_EQ(weft::stats().active_events, 0U);
      thread.join();
      weft::tick_reactor();
    });
  }
}

// R-TRG-1: a trigger may be fired before, during and after a runtime.
TEST(TriggerThreadTest, MayBeFiredWhileNoRuntimeIsThere) {
  weft::Trigger trigger;
  std::thread{[&] { trigger.fire(); }}.join();
  bool woken = false;
  weft::testing::run([&] {
    weft::await(trigger);
    woken = true;
  });
  EXPECT_TRUE(woken);
  std::thread{[&] { trigger.fire(); }}.join();
  woken = false;
  weft::testing::run([&] {
    weft::await(trigger);
    woken = true;
  });
  EXPECT_TRUE(woken);
}

// R-TRG-1, R-RC-4: a runtime ends while other threads fire its triggers.
TEST(TriggerThreadTest, MayBeFiredWhileItsRuntimeEnds) {
  constexpr int rounds = 300;
  weft::Trigger first;
  weft::Trigger second;
  std::atomic<bool> over{false};
  const auto fire = [&](weft::Trigger& trigger) {
    while (!over.load()) trigger.fire();
  };
  std::thread one{[&] { fire(first); }};
  std::thread two{[&] { fire(second); }};
  int woken = 0;
  for (int round = 0; round < rounds; ++round) {
    weft::testing::run([&] {
      weft::await(first);
      weft::await(second);
      ++woken;
      first.start();  // still armed when the runtime ends
      second.start();
      weft::spawn([] { weft::shutdown(); });
    });
    EXPECT_FALSE(first.is_armed());
    EXPECT_FALSE(second.is_armed());
  }
  over = true;
  one.join();
  two.join();
  EXPECT_EQ(woken, rounds);
}

// R-TRG-1, R-RC-4: a trigger ends while its firing is on the way to the loop.
TEST(TriggerThreadTest, MayEndWhileItsFiringIsOnItsWay) {
  weft::testing::run([] {
    for (int round = 0; round < 300; ++round) {
      std::optional<weft::Trigger> trigger{std::in_place};
      weft::Trigger other;
      trigger->start();
      other.start();
      std::thread{[&] {
        trigger->fire();
        other.fire();
      }}.join();
      trigger.reset();  // its message is in the mailbox, before that of `other`
      weft::await(other);
    }
  });
}

// R-TRG-1, R-ARCH-10: two runtimes on two threads play ping-pong.
TEST(TriggerThreadTest, ConnectsTwoRuntimes) {
  constexpr int rounds = 500;
  weft::Trigger ping;
  weft::Trigger pong;
  int answered = 0;
  std::thread thread{[&] {
    weft::testing::run([&] {
      for (; answered < rounds; ++answered) {
        weft::await(ping);
        pong.fire();
      }
    });
  }};
  int returned = 0;
  weft::testing::run([&] {
    for (; returned < rounds; ++returned) {
      ping.fire();
      weft::await(pong);
    }
  });
  thread.join();
  EXPECT_EQ(answered, rounds);
  EXPECT_EQ(returned, rounds);
}

}  // namespace
