#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Where coroutines wait for each other: WaitGroup, Barrier, Once.
namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

TEST(WaitGroupTest, WaitsUntilNothingIsUnderWay) {
  weft::testing::run([] {
    weft::WaitGroup group;
    group.wait();  // nothing was added: returns at once
    int done = 0;
    group.add(3);
    for (int i = 1; i <= 3; ++i) {
      weft::spawn([&, i] {
        weft::delay(i * 1ms);
        ++done;
        group.done();
      });
    }
    group.wait();
    EXPECT_EQ(done, 3);
    EXPECT_EQ(group.count(), 0U);
  });
}

TEST(WaitGroupTest, ReleasesAWokenWaiterEvenIfMoreIsAdded) {
  weft::testing::run([] {
    weft::WaitGroup group;
    group.add();
    auto a = weft::spawn([&] { group.wait(); });
    auto b = weft::spawn([&] { group.wait(); });
    weft::testing::settle();
    group.done();
    group.add();
    weft::await(a);
    weft::await(b);
    EXPECT_EQ(group.count(), 1U);
    group.done();
  });
}

TEST(WaitGroupTest, CanBeLeftByCancellationAndToken) {
  weft::testing::run([] {
    weft::WaitGroup group;
    group.add();
    auto a = weft::spawn([&] { group.wait(); });
    weft::testing::settle();
    a.cancel();
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { group.wait(weft::timeout(1ms)); })));
    EXPECT_TRUE(a.is_cancelled());
    group.done();
  });
}

TEST(WaitGroupTest, RefusesNumbersThatMakeNoSense) {
  weft::WaitGroup group;
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { group.add(0); })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { group.add(-1); })));
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { group.done(); })));
  EXPECT_EQ(group.count(), 0U);
  for (int i = 0; i < 2; ++i) group.add(std::numeric_limits<std::ptrdiff_t>::max());
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { group.add(2); })));
}

TEST(BarrierTest, LetsAllGoOnWhenTheLastOneCameAgainAndAgain) {
  weft::testing::run([] {
    Log log;
    weft::Barrier barrier{3};
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(weft::spawn([&, i] {
        for (int round = 0; round < 2; ++round) {
          weft::delay(i * 1ms);
          log.push_back("arrive " + std::to_string(round));
          barrier.arrive_and_wait();
          log.push_back("go " + std::to_string(round));
        }
      }));
    }
    for (auto& one : all) weft::await(one);
    // The next round may begin before all coroutines have left this one.
    const auto position = [&](const char* text, bool last) {
      const auto at = last ? std::find(log.rbegin(), log.rend(), text).base() - log.begin()
                           : std::find(log.begin(), log.end(), text) - log.begin() + 1;
      return at;
    };
    EXPECT_LT(position("arrive 0", true), position("go 0", false));
    EXPECT_LT(position("arrive 1", true), position("go 1", false));
    EXPECT_EQ(log.size(), 12U);
    EXPECT_EQ(barrier.waiting(), 0U);
  });
}

TEST(BarrierTest, DoesNotCountAWaiterThatLeftBeforeTheLastOneCame) {
  weft::testing::run([] {
    weft::Barrier barrier{2};
    auto left = weft::spawn([&] { barrier.arrive_and_wait(); });
    weft::testing::settle();
    left.cancel();
    weft::testing::settle();
    EXPECT_EQ(barrier.waiting(), 0U);
    EXPECT_TRUE(is<weft::OperationCancelled>(
        error_of([&] { barrier.arrive_and_wait(weft::timeout(1ms)); })));
    auto a = weft::spawn([&] { barrier.arrive_and_wait(); });
    weft::testing::settle();
    EXPECT_FALSE(a.is_completed());
    barrier.arrive_and_wait();
    weft::await(a);
  });
}

TEST(BarrierTest, CountsAWaiterCancelledAfterTheLastOneCame) {
  weft::testing::run([] {
    weft::Barrier barrier{2};
    auto a = weft::spawn([&] { barrier.arrive_and_wait(); });
    weft::testing::settle();
    barrier.arrive_and_wait();
    a.cancel();
    weft::testing::settle();
    EXPECT_TRUE(a.is_cancelled());
    EXPECT_EQ(barrier.waiting(), 0U);
  });
}

TEST(BarrierTest, RefusesNumbersThatMakeNoSense) {
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::Barrier{0}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { weft::Barrier{-3}; })));
  weft::Barrier alone{1};
  alone.arrive_and_wait();  // outside a runtime: a barrier for one does not wait
}

TEST(OnceTest, CallsOnceAndLetsTheOthersWaitForIt) {
  weft::testing::run([] {
    weft::Once once;
    int calls = 0;
    bool ready = false;
    std::vector<weft::Coroutine<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(weft::spawn([&] {
        once.call([&] {
          ++calls;
          weft::delay(1ms);
          ready = true;
        });
        EXPECT_TRUE(ready);
      }));
    }
    for (auto& one : all) weft::await(one);
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(once.is_done());
    once.call([&] { ++calls; });
    EXPECT_EQ(calls, 1);
  });
}

// trap 7
TEST(OnceTest, LetsTheNextTryWhenTheFirstFailsOrIsCancelled) {
  weft::testing::run([] {
    Log log;
    weft::Once once;
    auto failing = weft::spawn([&] {
      const auto error = error_of([&] {
        once.call([&] {
          weft::delay(1ms);
          throw std::runtime_error{"no"};
        });
      });
      log.push_back("first: " + weft_test::text(error));
    });
    auto cancelled = weft::spawn([&] {
      once.call([&] {
        log.emplace_back("second tries");
        weft::delay(1h);
      });
    });
    auto skipped = weft::spawn([&] { once.call([&] { log.emplace_back("never"); }); });
    auto last = weft::spawn([&] { once.call([&] { log.emplace_back("last tries"); }); });
    weft::await(failing);
    weft::testing::settle();
    cancelled.cancel();
    weft::suspend();  // the cancelled coroutine wakes the next one
    skipped.cancel();
    weft::await(last);
    EXPECT_TRUE(skipped.is_cancelled());
    EXPECT_EQ(log, (Log{"first: no", "second tries", "last tries"}));
  });
}

TEST(OnceTest, RefusesToWaitForItself) {
  weft::testing::run([] {
    weft::Once once;
    bool refused = false;
    once.call([&] { refused = is<weft::MisuseError>(error_of([&] { once.call([] {}); })); });
    EXPECT_TRUE(refused);
    EXPECT_TRUE(once.is_done());
  });
}

TEST(OnceTest, CanBeLeftByToken) {
  weft::testing::run([] {
    weft::Once once;
    auto slow = weft::spawn([&] { once.call([] { weft::delay(10ms); }); });
    weft::suspend();
    EXPECT_TRUE(
        is<weft::OperationCancelled>(error_of([&] { once.call([] {}, weft::timeout(1ms)); })));
    EXPECT_FALSE(once.is_done());
    weft::await(slow);
  });
}

TEST(BarrierTest, DoesNotCountAWaiterCancelledBeforeTheLastCame) {
  weft::testing::run([] {
    weft::Barrier barrier{3};
    auto leaves = weft::spawn([&] { barrier.arrive_and_wait(); });
    auto stays = weft::spawn([&] { barrier.arrive_and_wait(); });
    weft::testing::settle();
    leaves.cancel();  // the cancelled coroutine has not run yet
    EXPECT_TRUE(is<weft::OperationCancelled>(
        error_of([&] { barrier.arrive_and_wait(weft::timeout(1ms)); })));
    EXPECT_EQ(barrier.waiting(), 1U);
    auto comes = weft::spawn([&] { barrier.arrive_and_wait(); });
    barrier.arrive_and_wait();
    weft::await(stays);
    weft::await(comes);
  });
}

}  // namespace
