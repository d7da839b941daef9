#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <latch>
#include <set>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "scripted_driver.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using weft_test::Doorbell;
using weft_test::Log;
using weft_test::ScriptedDriver;
using namespace std::chrono_literals;

// Frame addresses, not addresses of locals: a sanitizer may keep locals elsewhere.
[[gnu::noinline]] std::uintptr_t stack_here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// Frames of one shallow call chain lie close together; stacks lie at least their size apart.
bool same_stack(std::uintptr_t a, std::uintptr_t b) {
  return (a > b ? a - b : b - a) < std::uintptr_t{64} * 1024;
}

// A plain function: its signature does not say that a function below it suspends.
[[gnu::noinline]] int sum_through_frames(int depth) {
  volatile int kept = depth;
  if (depth == 0) {
    weft::suspend();
    return 0;
  }
  const int below = sum_through_frames(depth - 1);
  return below + kept;
}

// R-ARCH-2, R-ARCH-9
TEST(ArchitectureTest, SuspendsUnderAHundredPlainFrames) {
  Log log;
  int sum = 0;
  weft::testing::run([&] {
    auto deep = weft::spawn([&] {
      log.push_back("deep starts");
      sum = sum_through_frames(100);
      log.push_back("deep ends");
    });
    weft::spawn([&] { log.push_back("other"); });
    weft::await(deep);
  });
  EXPECT_EQ(sum, 5050);
  EXPECT_EQ(log, (Log{"deep starts", "other", "deep ends"}));
}

// A global, because the callback of qsort() has no argument for a context.
std::vector<int>* comparisons = nullptr;

template <int Who>
int compare_and_suspend(const void* left, const void* right) {
  comparisons->push_back(Who);
  weft::suspend();
  const int a = *static_cast<const int*>(left);
  const int b = *static_cast<const int*>(right);
  return (a > b) - (a < b);
}

// R-ARCH-2, R-ARCH-9
TEST(ArchitectureTest, SuspendsInsideACCallback) {
  std::vector<int> order;
  comparisons = &order;
  std::array<int, 8> first{5, 3, 8, 1, 7, 2, 6, 4};
  std::array<int, 8> second{1, 8, 2, 7, 3, 6, 4, 5};
  weft::testing::run([&] {
    auto one = weft::spawn(
        [&] { std::qsort(first.data(), first.size(), sizeof(int), &compare_and_suspend<1>); });
    auto two = weft::spawn(
        [&] { std::qsort(second.data(), second.size(), sizeof(int), &compare_and_suspend<2>); });
    weft::await(one);
    weft::await(two);
  });
  EXPECT_EQ(first, (std::array<int, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(second, first);
  // The two sorts were in progress at the same time.
  ASSERT_GE(order.size(), 4U);
  order.resize(4);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2}));
}

// R-ARCH-3
TEST(ArchitectureTest, RunsEveryCoroutineOnOneThreadSoCountersNeedNoLock) {
  const std::thread::id here = std::this_thread::get_id();
  std::set<std::thread::id> threads;
  int counter = 0;
  int inside = 0;
  int most_inside = 0;
  weft::testing::run([&] {
    for (int i = 0; i < 50; ++i) {
      weft::spawn([&] {
        for (int round = 0; round < 20; ++round) {
          most_inside = std::max(most_inside, ++inside);
          threads.insert(std::this_thread::get_id());
          ++counter;
          --inside;
          if (round % 5 == 0) weft::delay(1ms);
          weft::suspend();
        }
      });
    }
  });
  EXPECT_EQ(threads, (std::set<std::thread::id>{here}));
  EXPECT_EQ(counter, 1'000);
  EXPECT_EQ(most_inside, 1);
}

// R-ARCH-4
TEST(ArchitectureTest, GivesEveryCoroutineAStackAndRegistersOfItsOwn) {
  std::vector<std::uintptr_t> stacks;
  int intact = 0;
  weft::testing::run([&] {
    stacks.push_back(stack_here());
    for (int i = 1; i <= 4; ++i) {
      weft::spawn([&, i] {
        stacks.push_back(stack_here());
        std::array<volatile int, 256> locals{};
        for (volatile int& local : locals) local = i;
        int a = i;
        int b = 2 * i;
        double c = 0.5 * i;
        for (int round = 0; round < 10; ++round) {
          weft::suspend();
          a += b;
          c *= 2;
        }
        const bool values = a == 21 * i && c == 512.0 * i;
        int same = 0;
        for (volatile int& local : locals) same += local == i ? 1 : 0;
        if (values && same == 256) ++intact;
      });
    }
  });
  EXPECT_EQ(intact, 4);
  ASSERT_EQ(stacks.size(), 5U);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(same_stack(stacks[i], stacks[j]));
  }
}

std::size_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// R-ARCH-6
TEST(ArchitectureTest, ReservesTheWholeStackButTouchesLittleOfIt) {
  constexpr std::size_t count = 200;
  constexpr std::size_t size = std::size_t{256} * 1024;
  weft::Options options;
  options.stack_size = size;
  weft::testing::run(
      [&] {
        EXPECT_GE(weft::stats().stack_size, size);
        Doorbell bell;
        const std::size_t resident = resident_bytes();
        for (std::size_t i = 0; i < count; ++i) weft::spawn([&] { weft::await(bell); });
        weft::suspend();
        ASSERT_EQ(bell.subscribers(), count);
        EXPECT_GE(weft::stats().stack_bytes_reserved, count * size);
        EXPECT_LE(resident_bytes(), resident + count * 64 * 1024);
        bell.ring();
      },
      options);
}

// R-ARCH-1: the scheduler queues and switches without the driver.
TEST(ArchitectureTest, QueuesAndSwitchesWithoutTheOutside) {
  ScriptedDriver outside;  // its clock stands still, so a poll is never due
  weft::Options options;
  options.driver = &outside;
  Log log;
  weft::run(
      [&] {
        const auto talk = [&log](const char* name) {
          return [&log, name] {
            for (int line = 1; line <= 2; ++line) {
              log.push_back(name + std::to_string(line));
              weft::suspend();
            }
          };
        };
        auto first = weft::spawn(talk("first "));
        auto second = weft::spawn(talk("second "));
        auto urgent = weft::spawn({.priority = weft::Priority::high}, talk("urgent "));
        const weft::Stats before = weft::stats();
        for (const auto& talker : {first, second, urgent}) weft::await(talker);
        EXPECT_GE(weft::stats().switches, before.switches + 6);
        EXPECT_EQ(weft::stats().scheduler_switches, 0U);
      },
      options);
  EXPECT_EQ(log, (Log{"urgent 1", "first 1", "second 1", "urgent 2", "first 2", "second 2"}));
  EXPECT_EQ(outside.looks + outside.waits, 0);
}

// R-ARCH-1: the driver notifies events; the scheduler decides which coroutine runs then.
TEST(ArchitectureTest, LetsTheOutsideNotifyEventsAndDecidesWhichCoroutineRuns) {
  ScriptedDriver outside;
  Doorbell bell;
  Log log;
  weft::run(
      [&] {
        weft::spawn([&] {
          weft::await(bell);
          log.push_back("first");
        });
        weft::spawn({.priority = weft::Priority::high}, [&] {
          weft::await(bell);
          log.push_back("urgent");
        });
        outside.play([&](weft::Wait wait) {
          if (wait == weft::Wait::no) return;
          log.push_back("outside begins");
          bell.ring();
          log.push_back("outside ends");
          outside.end();
        });
      },
      outside.options());
  EXPECT_EQ(log, (Log{"outside begins", "outside ends", "urgent", "first"}));
}

// R-ARCH-1, R-ARCH-7
TEST(ArchitectureTest, DoesTheSchedulersWorkOnTheStackOfTheSuspendingCoroutine) {
  ScriptedDriver outside;
  std::uintptr_t polled_on = 0;
  std::uintptr_t task_on = 0;
  std::uintptr_t coroutine_on = 0;
  weft::run(
      [&] {
        auto worker = weft::spawn([&] {
          coroutine_on = stack_here();
          weft::post_microtask([&] { task_on = stack_here(); });
          outside.play([&](weft::Wait) { polled_on = stack_here(); });
          outside.advance(5ms);
          weft::suspend();
          outside.end();
        });
        weft::await(worker);
      },
      outside.options());
  EXPECT_TRUE(same_stack(coroutine_on, task_on));
  EXPECT_TRUE(same_stack(coroutine_on, polled_on));
}

// R-ARCH-8
TEST(ArchitectureTest, PaysOneSwitchPerSuspensionWhileACoroutineIsReady) {
  weft::testing::run([] {
    auto partner = weft::spawn([] {
      for (int i = 0; i < 101; ++i) weft::suspend();
    });
    weft::suspend();
    const weft::Stats before = weft::stats();
    for (int i = 0; i < 100; ++i) weft::suspend();
    const weft::Stats after = weft::stats();
    // A hundred suspensions here and a hundred of the partner.
    EXPECT_EQ(after.switches - before.switches, 200U);
    EXPECT_EQ(after.scheduler_switches, before.scheduler_switches);
    weft::await(partner);
  });
}

// R-ARCH-10
TEST(ArchitectureThreadsTest, GivesEachThreadARuntimeOfItsOwn) {
  std::latch all_spawned{2};
  const auto program = [&all_spawned](std::size_t count, std::size_t& seen, int& ran) {
    weft::testing::run([&] {
      for (std::size_t i = 0; i < count; ++i) {
        weft::spawn([&ran] {
          weft::delay(1ms);
          ++ran;
        });
      }
      all_spawned.arrive_and_wait();  // both runtimes exist now
      seen = weft::stats().coroutines;
    });
  };
  std::size_t seen_here = 0;
  std::size_t seen_there = 0;
  int ran_here = 0;
  int ran_there = 0;
  std::thread there{[&] { program(7, seen_there, ran_there); }};
  program(3, seen_here, ran_here);
  there.join();
  EXPECT_EQ(seen_here, 4U);
  EXPECT_EQ(seen_there, 8U);
  EXPECT_EQ(ran_here, 3);
  EXPECT_EQ(ran_there, 7);
}

// R-ARCH-11
TEST(ArchitectureTest, TakesItsPartsOnceAndRefusesASecondRuntimeOnTheThread) {
  ScriptedDriver outside;
  outside.advance(123s);
  weft::run(
      [&] {
        EXPECT_EQ(weft::now(), outside.now());
        ScriptedDriver other;
        other.advance(5s);
        EXPECT_THROW(weft::run([] {}, other.options()), weft::MisuseError);
        EXPECT_THROW(weft::Runtime{other.options()}, weft::MisuseError);
        EXPECT_EQ(weft::now(), outside.now());
      },
      outside.options());
}

}  // namespace
