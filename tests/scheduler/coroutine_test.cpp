#include <latch>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::Log;
using namespace std::chrono_literals;

// R-COR-1
TEST(CoroutineTest, IsAnEventWithAWakerAnOutcomeAndPlaces) {
  weft::testing::run([] {
    Doorbell bell;
    auto worker = weft::spawn(weft::SpawnOptions{.name = "worker"}, [&] {
      weft::await(bell);
      return 7;
    });
    weft::suspend();
    weft::Event& event = worker;
    EXPECT_FALSE(event.is_closed());
    EXPECT_EQ(worker.name(), "worker");
    EXPECT_EQ(worker.awaiting(), (std::vector<std::string>{"Doorbell"}));
    EXPECT_EQ(worker.base().waker().status(), weft::Waker::Status::waiting);
    EXPECT_EQ(worker.base().priority(), weft::Priority::normal);
    EXPECT_NE(worker.spawn_place().line, 0U);
    EXPECT_NE(worker.suspend_place().line, 0U);
    bell.ring();
    weft::await(event);
    EXPECT_TRUE(event.is_closed());
    EXPECT_EQ(worker.result(), 7);
    EXPECT_EQ(worker.exception(), nullptr);
  });
}

// R-COR-3, R-COR-4
TEST(CoroutineTest, StandsInTheQueueAfterSpawnAndHasNotStarted) {
  bool ran = false;
  weft::testing::run([&] {
    auto fresh = weft::spawn([&] { ran = true; });
    EXPECT_FALSE(ran);
    EXPECT_FALSE(fresh.is_started());
    EXPECT_TRUE(fresh.is_queued());
    EXPECT_TRUE(fresh.is_suspended());
    EXPECT_FALSE(fresh.is_running());
    EXPECT_FALSE(fresh.is_completed());
    weft::await(fresh);
  });
  EXPECT_TRUE(ran);
}

// R-COR-3
TEST(CoroutineTest, StartsBodiesInTheOrderOfSpawning) {
  Log log;
  weft::testing::run([&] {
    for (const char* name : {"a", "b", "c", "d"}) {
      weft::spawn([&log, name] { log.push_back(name); });
    }
    log.push_back("main");
  });
  EXPECT_EQ(log, (Log{"main", "a", "b", "c", "d"}));
}

// R-COR-2, R-COR-4
TEST(CoroutineTest, IsRunningAndNeitherQueuedNorSuspendedWhileItExecutes) {
  weft::testing::run([] {
    auto worker = weft::spawn([] {
      const weft::AnyCoroutine self = weft::current();
      EXPECT_TRUE(self.is_started());
      EXPECT_TRUE(self.is_running());
      EXPECT_FALSE(self.is_queued());
      EXPECT_FALSE(self.is_suspended());
      EXPECT_FALSE(self.is_completed());
    });
    weft::await(worker);
  });
}

// R-COR-2, R-COR-4
TEST(CoroutineTest, IsRunningAndSuspendedButNotQueuedWhileParked) {
  weft::testing::run([] {
    Doorbell bell;
    auto parked = weft::spawn([&] { weft::await(bell); });
    weft::suspend();
    EXPECT_TRUE(parked.is_started());
    EXPECT_TRUE(parked.is_running());
    EXPECT_TRUE(parked.is_suspended());
    EXPECT_FALSE(parked.is_queued());
    bell.ring();
    EXPECT_TRUE(parked.is_queued());
    EXPECT_TRUE(parked.is_suspended());
    weft::await(parked);
  });
}

// R-COR-4
TEST(CoroutineTest, IsQueuedAfterItYielded) {
  weft::testing::run([] {
    auto yielder = weft::spawn([] { weft::suspend(); });
    weft::suspend();
    EXPECT_TRUE(yielder.is_running());
    EXPECT_TRUE(yielder.is_queued());
    EXPECT_TRUE(yielder.is_suspended());
    weft::await(yielder);
  });
}

// R-COR-2, R-COR-4
TEST(CoroutineTest, IsOnlyCompletedAfterItsEnd) {
  weft::testing::run([] {
    auto done = weft::spawn([] {});
    weft::await(done);
    EXPECT_TRUE(done.is_completed());
    EXPECT_TRUE(done.is_started());
    EXPECT_FALSE(done.is_running());
    EXPECT_FALSE(done.is_suspended());
    EXPECT_FALSE(done.is_queued());
    EXPECT_FALSE(done.is_cancelled());
  });
}

// R-COR-2, R-COR-5
TEST(CoroutineTest, IsCancelledOnlyWhenItHasEnded) {
  weft::testing::run([] {
    Doorbell bell;
    auto victim = weft::spawn([&] { weft::await(bell); });
    weft::suspend();
    EXPECT_FALSE(victim.is_cancellation_requested());
    victim.cancel();
    EXPECT_TRUE(victim.is_cancellation_requested());
    EXPECT_FALSE(victim.is_cancelled());
    EXPECT_THROW(weft::await(victim), weft::Cancelled);
    EXPECT_FALSE(victim.is_cancellation_requested());
    EXPECT_TRUE(victim.is_cancelled());
  });
}

// R-COR-5
TEST(CoroutineTest, CountsADeferredCancellationAsRequested) {
  weft::testing::run([] {
    Doorbell bell;
    bool protected_part_ended = false;
    auto victim = weft::spawn([&] {
      weft::protect([&] {
        weft::await(bell);
        protected_part_ended = true;
      });
    });
    weft::suspend();
    victim.cancel();
    EXPECT_TRUE(victim.is_cancellation_requested());
    weft::suspend();
    EXPECT_FALSE(victim.is_completed());
    EXPECT_TRUE(victim.is_cancellation_requested());
    bell.ring();
    EXPECT_THROW(weft::await(victim), weft::Cancelled);
    EXPECT_TRUE(protected_part_ended);
    EXPECT_TRUE(victim.is_cancelled());
  });
}

// R-COR-6
TEST(CoroutineTest, ReadsNoResultAndNoExceptionBeforeItsEnd) {
  weft::testing::run([] {
    Doorbell bell;
    auto value = weft::spawn([&] {
      weft::await(bell);
      return 5;
    });
    auto failure = weft::spawn([&] {
      weft::await(bell);
      throw std::runtime_error{"broken"};
    });
    EXPECT_EQ(value.result(), std::nullopt);
    EXPECT_EQ(failure.exception(), nullptr);
    weft::suspend();
    EXPECT_EQ(value.result(), std::nullopt);
    EXPECT_EQ(value.exception(), nullptr);
    EXPECT_EQ(failure.exception(), nullptr);
    EXPECT_FALSE(failure.result());
    bell.ring();
    EXPECT_EQ(weft::await(value), 5);
    EXPECT_THROW(weft::await(failure), std::runtime_error);
    EXPECT_EQ(value.result(), 5);
    EXPECT_EQ(weft::describe(failure.exception()), "broken");
    EXPECT_FALSE(failure.result());
  });
}

// R-COR-6
TEST(CoroutineTest, ReadsNothingWhileItCatchesACancellationAndGoesOn) {
  weft::testing::run([] {
    Doorbell first;
    Doorbell second;
    auto stubborn = weft::spawn([&] {
      try {
        weft::await(first);
      } catch (const weft::Cancelled&) {
        weft::await(second);
      }
      return 1;
    });
    weft::suspend();
    stubborn.cancel();
    EXPECT_EQ(stubborn.exception(), nullptr);
    weft::suspend();
    ASSERT_EQ(second.subscribers(), 1U);
    EXPECT_EQ(stubborn.exception(), nullptr);
    EXPECT_EQ(stubborn.result(), std::nullopt);
    second.ring();
    weft::suspend();
    EXPECT_TRUE(stubborn.is_completed());
  });
}

// R-COR-7
TEST(CoroutineTest, HasAnIdThatNoOtherLiveCoroutineHas) {
  weft::testing::run([] {
    std::vector<weft::Coroutine<void>> crowd;
    std::set<std::uint64_t> ids{weft::current().id()};
    for (int i = 0; i < 200; ++i) {
      crowd.push_back(weft::spawn([] { weft::suspend(); }));
      ids.insert(crowd.back().id());
    }
    EXPECT_EQ(ids.size(), 201U);
    const std::uint64_t before = crowd.front().id();
    weft::await(crowd.back());
    EXPECT_EQ(crowd.front().id(), before);
  });
}

// R-COR-7
TEST(CoroutineThreadsTest, HasAnIdThatIsUniqueInTheProcess) {
  std::latch all_live{2};
  const auto program = [&all_live](std::set<std::uint64_t>& ids) {
    weft::testing::run([&] {
      std::vector<weft::Coroutine<void>> crowd;
      ids.insert(weft::current().id());
      for (int i = 0; i < 50; ++i) {
        crowd.push_back(weft::spawn([] {}));
        ids.insert(crowd.back().id());
      }
      all_live.arrive_and_wait();
    });
  };
  std::set<std::uint64_t> here;
  std::set<std::uint64_t> there;
  std::thread thread{[&] { program(there); }};
  program(here);
  thread.join();
  here.merge(there);
  EXPECT_EQ(here.size(), 102U);
}

// R-COR-7
TEST(CoroutineTest, RemembersWhereItWasSpawnedAndWhereItLastSuspended) {
  weft::testing::run([] {
    Doorbell bell;
    unsigned first = 0;
    unsigned second = 0;
    const auto body = [&] {
      first = __LINE__ + 1;
      weft::suspend();
      second = __LINE__ + 1;
      weft::await(bell);
    };
    const unsigned spawned = __LINE__ + 1;
    auto worker = weft::spawn(body);
    EXPECT_STREQ(worker.spawn_place().file, __FILE__);
    EXPECT_EQ(worker.spawn_place().line, spawned);
    EXPECT_EQ(worker.suspend_place().line, 0U);
    weft::suspend();
    EXPECT_STREQ(worker.suspend_place().file, __FILE__);
    EXPECT_EQ(worker.suspend_place().line, first);
    weft::suspend();
    EXPECT_EQ(worker.suspend_place().line, second);
    EXPECT_EQ(worker.spawn_place().line, spawned);
    bell.ring();
    weft::await(worker);
  });
}

}  // namespace
