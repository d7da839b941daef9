#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Log;
using namespace std::chrono_literals;

/// A subsystem as old libraries have it: one global stack of output buffers.
class Output {
 public:
  void begin() { buffers_.emplace_back(); }
  void print(const std::string& text) { buffers_.back() += text; }
  std::string collect() {
    std::string text = std::move(buffers_.back());
    buffers_.pop_back();
    return text;
  }
  [[nodiscard]] std::size_t depth() const { return buffers_.size(); }

  /// Gives `coroutine` a stack of buffers of its own.
  void isolate(const weft::AnyCoroutine& coroutine) {
    coroutine.add_switch_handler([this, own = std::vector<std::string>{}](weft::Switch) mutable {
      buffers_.swap(own);  // what was ours comes in, what was there goes out, and the reverse
      return true;
    });
  }

 private:
  std::vector<std::string> buffers_;
};

// R-SWH-10
TEST(OutputBuffersTest, CollectOnlyWhatTheirOwnCoroutinePrinted) {
  Output output;
  Log log;
  weft::testing::run([&] {
    output.begin();
    output.print("main before; ");
    for (const char* name : {"a", "b"}) {
      auto printer = weft::spawn([&, name] {
        EXPECT_EQ(output.depth(), 0U);
        output.begin();
        for (int line = 1; line <= 3; ++line) {
          output.print(name + std::to_string(line) + " ");
          if (line == 2) {
            weft::delay(1ms);
          } else {
            weft::suspend();
          }
        }
        log.push_back(output.collect());
        EXPECT_EQ(output.depth(), 0U);
      });
      output.isolate(printer);
    }
    weft::suspend();
    output.print("main between; ");
    weft::delay(10ms);
    output.print("main after");
    log.push_back(output.collect());
    EXPECT_EQ(output.depth(), 0U);
  });
  EXPECT_EQ(log, (Log{"a1 a2 a3 ", "b1 b2 b3 ", "main before; main between; main after"}));
}

/// Walks over clean-up functions that may suspend. When one does, a coroutine of high priority goes
/// on with the next.
class Teardown {
 public:
  explicit Teardown(std::vector<std::function<void()>> cleanups) : cleanups_{std::move(cleanups)} {}

  void walk() {
    bool handed_over = false;
    weft::current().add_switch_handler([&](weft::Switch what) {
      if (what != weft::Switch::leave) return what == weft::Switch::enter;
      handed_over = true;
      ++walkers_;
      weft::spawn(weft::SpawnOptions{.priority = weft::Priority::high}, [this] { walk(); });
      return false;
    });
    while (!handed_over && next_ < cleanups_.size()) cleanups_[next_++]();
  }
  [[nodiscard]] int walkers() const { return walkers_; }

 private:
  std::vector<std::function<void()>> cleanups_;
  std::size_t next_ = 0;
  int walkers_ = 1;
};

// R-SWH-11
TEST(TeardownTest, GoesOnWithTheNextCleanUpWhenOneSuspendsAndRunsEachOnce) {
  Log log;
  const auto quick = [&](const char* name) { return [&log, name] { log.push_back(name); }; };
  const auto slow = [&](const char* name, std::chrono::milliseconds time) {
    return [&log, name, time] {
      log.push_back(std::string{name} + " begins");
      weft::delay(time);
      log.push_back(std::string{name} + " ends");
    };
  };
  Teardown teardown{
      {quick("a"), slow("b", 20ms), quick("c"), slow("d", 10ms), quick("e"), quick("f")}};
  weft::testing::run([&] {
    weft::spawn([&] { teardown.walk(); });
    weft::spawn([&] { log.push_back("ordinary coroutine"); });
  });
  // The walk goes on at once, before what was queued.
  EXPECT_EQ(log, (Log{"a", "b begins", "c", "d begins", "e", "f", "ordinary coroutine", "d ends",
                      "b ends"}));
  EXPECT_EQ(teardown.walkers(), 3);
}

// R-SWH-11
TEST(TeardownTest, WalksOverManyCleanUpsThatAllSuspend) {
  constexpr int count = 100;
  std::vector<int> runs(count);
  std::vector<std::function<void()>> cleanups;
  for (int i = 0; i < count; ++i) {
    cleanups.emplace_back([&runs, i] {
      if (i % 3 != 0) weft::delay(std::chrono::milliseconds{i % 7});
      ++runs[static_cast<std::size_t>(i)];
      weft::suspend();
    });
  }
  Teardown teardown{std::move(cleanups)};
  weft::testing::run([&] { weft::await(weft::spawn([&] { teardown.walk(); })); });
  EXPECT_EQ(runs, std::vector<int>(count, 1));
}

}  // namespace
