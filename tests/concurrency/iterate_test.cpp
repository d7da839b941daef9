#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// iterate(): one handler for many elements, several at a time.
namespace {

using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

std::vector<int> numbers(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

/// How many handlers run, and the maximum so far.
struct Meter {
  int now = 0;
  int most = 0;
  void enter() { most = std::max(most, ++now); }
  void leave() { --now; }
};

/// The numbers below a limit. Advancing suspends, and must not run in two coroutines at once.
class SlowSource {
 public:
  SlowSource(int limit, weft::Duration pause) : limit_{limit}, pause_{pause} {}
  int moving = 0;
  bool disturbed = false;

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = int;
    Iterator(SlowSource* source, int position) : source_{source}, position_{position} {}
    int operator*() const { return position_; }
    Iterator& operator++() {
      if (source_->moving++ != 0) source_->disturbed = true;
      weft::delay(source_->pause_);
      --source_->moving;
      ++position_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.position_ == b.position_;
    }

   private:
    SlowSource* source_;
    int position_;
  };
  Iterator begin() { return {this, 0}; }
  Iterator end() { return {this, limit_}; }

 private:
  int limit_;
  weft::Duration pause_;
};

// R-ITR-1, R-ITR-4
TEST(IterateTest, CallsTheHandlerForEveryElementInOrder) {
  weft::testing::run([] {
    std::vector<int> seen;
    weft::iterate(numbers(100), {.concurrency = 10}, [&](int n) {
      seen.push_back(n);
      weft::delay(1ms);
    });
    EXPECT_EQ(seen, numbers(100));
    std::vector<std::size_t> keys;
    weft::iterate(std::vector<std::string>{"a", "b"},
                  [&](const std::string&, std::size_t key) { keys.push_back(key); });
    EXPECT_EQ(keys, (std::vector<std::size_t>{0, 1}));
    weft::iterate(std::vector<int>{}, [](int) { ADD_FAILURE() << "nothing to do"; });
    auto changed = numbers(3);
    weft::iterate(changed, [](int& n) { n *= 2; });
    EXPECT_EQ(changed, (std::vector<int>{0, 2, 4}));
  });
}

// R-ITR-1, R-ITR-2
TEST(IterateTest, GoesOnInAnotherCoroutineWhenTheHandlerParks) {
  weft::testing::run([] {
    std::set<std::uint64_t> workers;
    const auto start = weft::now();
    weft::iterate(numbers(5), [&](int) {
      workers.insert(weft::current().id());
      weft::delay(10ms);
    });
    EXPECT_EQ(workers.size(), 5U);
    EXPECT_LT(weft::now() - start, 11ms);
  });
}

// R-MT-10: when a handler parks, a microtask advances the iteration before the next switch.
TEST(IterateTest, MovesOnBeforeWhatRunsNextCanSpawnAnything) {
  std::vector<std::string> log;
  weft::testing::run([&] {
    weft::iterate(numbers(2), [&](int n) {
      log.push_back("element " + std::to_string(n));
      if (n != 0) return;
      EXPECT_EQ(weft::stats().microtasks, 1U) << "not a coroutine: it needs no switch";
      weft::spawn([&] {
        log.emplace_back("other");
        weft::spawn([&] { log.emplace_back("spawned by other"); });
      });
      weft::delay(1ms);
    });
  });
  EXPECT_EQ(log, (std::vector<std::string>{"element 0", "other", "element 1", "spawned by other"}));
}

// R-ITR-3, trap 13
TEST(IterateTest, KeepsToItsLimitExactly) {
  weft::testing::run([] {
    for (const std::size_t limit : {1U, 2U, 7U}) {
      Meter meter;
      weft::iterate(numbers(30), {.concurrency = limit}, [&](int n) {
        meter.enter();
        weft::delay(1ms * (n % 3 + 1));
        meter.leave();
      });
      EXPECT_EQ(meter.most, static_cast<int>(limit));
    }
    Meter any;
    weft::iterate(numbers(100), {.concurrency = 0}, [&](int) {
      any.enter();
      weft::delay(1ms);
      any.leave();
    });
    EXPECT_EQ(any.most, 100);
    Meter usual;
    weft::iterate(numbers(100), [&](int) {
      usual.enter();
      weft::delay(1ms);
      usual.leave();
    });
    EXPECT_EQ(usual.most, 32);
  });
}

// R-ITR-4
TEST(IterateTest, TakesNoMoreAfterFalse) {
  weft::testing::run([] {
    std::vector<int> begun;
    std::vector<int> ended;
    weft::iterate(numbers(100), {.concurrency = 2}, [&](int n) {
      begun.push_back(n);
      weft::delay(n == 0 ? 10ms : 1ms);
      ended.push_back(n);
      return n != 3;
    });
    EXPECT_EQ(begun, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(ended, (std::vector<int>{1, 2, 3, 0}));  // running handlers are not cancelled
  });
}

// R-ITR-5
TEST(IterateTest, MovesASlowSourceFromOneWorkerOnly) {
  weft::testing::run([] {
    SlowSource source{10, 2ms};
    std::vector<int> seen;
    Meter meter;
    weft::iterate(source, {.concurrency = 4}, [&](int n) {
      meter.enter();
      seen.push_back(n);
      weft::delay(5ms);
      meter.leave();
    });
    EXPECT_EQ(seen, numbers(10));
    EXPECT_FALSE(source.disturbed);
    EXPECT_GT(meter.most, 1);
    EXPECT_LE(meter.most, 4);
  });
}

// R-ITR-5
TEST(IterateTest, AddsNoSubscriberWhileTheSourceMoves) {
  weft::testing::run([] {
    SlowSource source{3, 1h};
    std::uint64_t most = 0;
    auto watcher = weft::spawn([&] {
      for (int i = 0; i < 10; ++i) {
        weft::delay(10min);
        most = std::max<std::uint64_t>(most, weft::stats().coroutines);
      }
    });
    weft::iterate(source, [](int) {});
    EXPECT_EQ(most, 3U);  // main, the watcher, and the coroutine that advances the source
    weft::await(watcher);
  });
}

// R-ITR-6
TEST(IterateTest, ThrowsTheErrorOfAHandlerAndCancelsTheOthers) {
  weft::testing::run([] {
    int begun = 0;
    int cancelled = 0;
    const auto start = weft::now();
    const auto error = error_of([&] {
      weft::iterate(numbers(100), {.concurrency = 3}, [&](int n) {
        ++begun;
        if (n == 1) {
          weft::delay(1ms);
          throw std::runtime_error{"element 1"};
        }
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled& reason) {
          EXPECT_STREQ(reason.reason(), "Cancellation of the iterator due to an exception");
          ++cancelled;
          throw;
        }
      });
    });
    EXPECT_EQ(text(error), "element 1");
    EXPECT_EQ(begun, 3);
    EXPECT_EQ(cancelled, 2);
    EXPECT_LT(weft::now() - start, 1s);
    EXPECT_EQ(weft::stats().coroutines, 1U);
    EXPECT_EQ(text(error_of([] {
                weft::iterate(numbers(3), [](int) { throw std::runtime_error{"at once"}; });
              })),
              "at once");
  });
}

/// A source that throws when it is advanced.
struct BrokenSource {
  struct Iterator {
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = int;
    int operator*() const { return 1; }
    Iterator& operator++() { throw std::runtime_error{"source broke"}; }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator&, const Iterator&) { return false; }
  };
  static Iterator begin() { return {}; }
  static Iterator end() { return {}; }
};

// R-ITR-6
TEST(IterateTest, ThrowsTheErrorOfTheSource) {
  weft::testing::run([] {
    bool cancelled = false;
    BrokenSource source;
    const auto error = error_of([&] {
      weft::iterate(source, [&](int) {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          cancelled = true;
          throw;
        }
      });
    });
    EXPECT_EQ(text(error), "source broke");
    EXPECT_TRUE(cancelled);
  });
}

// R-ITR-6
TEST(IterateTest, OutwaitsItsWorkersWhenItsCallerIsCancelled) {
  Log log;
  weft::testing::run([&] {
    auto caller = weft::spawn([&] {
      auto elements = numbers(10);
      struct Noting {
        Log& log;
        ~Noting() { log.emplace_back("caller gone"); }
      } const noting{log};
      weft::iterate(elements, {.concurrency = 2}, [&](int n) {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled&) {
          weft::protect([] { weft::delay(1ms); });
          log.push_back("handler " + std::to_string(n) + " gone");
          throw;
        }
      });
    });
    weft::testing::settle();
    caller.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(caller); })));
  });
  EXPECT_EQ(log, (Log{"handler 0 gone", "handler 1 gone", "caller gone"}));
}

// R-ITR-7
TEST(IterateTest, CancelsWhatItsHandlersSpawned) {
  weft::testing::run([] {
    int cancelled = 0;
    const auto start = weft::now();
    weft::iterate(numbers(3), [&](int) {
      weft::spawn([&] {
        try {
          weft::delay(1h);
        } catch (const weft::Cancelled& reason) {
          EXPECT_STREQ(reason.reason(),
                       "Cancellation of pending coroutines after iterator completion");
          ++cancelled;
          throw;
        }
      });
      weft::suspend();
    });
    EXPECT_EQ(cancelled, 3);
    EXPECT_LT(weft::now() - start, 1s);
  });
}

// R-ITR-7
TEST(IterateTest, AwaitsWhatItsHandlersSpawnedIfAsked) {
  weft::testing::run([] {
    int done = 0;
    weft::iterate(numbers(3), {.await_children = true}, [&](int) {
      weft::spawn([&] {
        weft::delay(1h);
        ++done;
      });
    });
    EXPECT_EQ(done, 3);
  });
}

// R-ITR-8
TEST(IterateTest, RunsInOneCoroutineWithoutASwitchIfNoneParks) {
  weft::testing::run([] {
    std::set<std::uint64_t> workers;
    std::set<std::uint64_t> switches;
    weft::iterate(numbers(1'000), [&](int) {
      workers.insert(weft::current().id());
      switches.insert(weft::stats().switches);
    });
    EXPECT_EQ(workers.size(), 1U);
    EXPECT_EQ(switches.size(), 1U);
  });
}

// R-ITR-8
TEST(IterateTest, OneThatParksDoesNotStopTheOthers) {
  weft::testing::run([] {
    std::vector<int> ended;
    weft::iterate(numbers(5), [&](int n) {
      if (n == 1) weft::delay(1h);
      ended.push_back(n);
    });
    EXPECT_EQ(ended, (std::vector<int>{0, 2, 3, 4, 1}));
  });
}

void scenario() {
  struct Seen {
    int begun = 0;
    int ended = 0;
    int now = 0;
  };
  auto seen = std::make_shared<Seen>();
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw std::logic_error{what};
  };
  bool whole = true;
  try {
    weft::iterate(numbers(3), {.concurrency = 2}, [seen, require](int n) {
      require(n == seen->begun, "taken in order");
      ++seen->begun;
      struct Inside {
        Seen& seen;
        explicit Inside(Seen& s) : seen{s} { ++seen.now; }
        ~Inside() { --seen.now; }
      } const inside{*seen};
      require(seen->now <= 2, "the limit holds");
      weft::suspend();
      ++seen->ended;
    });
  } catch (const weft::Cancelled&) {
    whole = false;
  }
  require(seen->now == 0, "no coroutine is left inside");
  require(!whole || seen->begun == 3, "every element was taken, or the caller gets an error");
}

// R-ITR-3, R-ITR-6
TEST(IterateTest, HoldsUnderEveryScheduleAndCancellation) {
  const auto plain = weft::testing::explore(scenario, {.schedules = weft::testing::all});
  EXPECT_TRUE(plain.ok()) << plain.first_failure();
  const auto cancelling = weft::testing::explore(
      scenario, {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(cancelling.ok()) << cancelling.first_failure();
  EXPECT_GT(cancelling.schedules(), plain.schedules());
}

}  // namespace
