#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Log;
using namespace std::chrono_literals;

/// A subsystem like that of an old library: one global stack of output buffers.
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
      buffers_.swap(own);  // exchanges the global buffers and those of the coroutine
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

/// The same subsystem as its authors would write it for coroutines: a handler that is called once,
/// when a coroutine starts, moves the global stack of buffers into the coroutine.
class OwnOutput {
 public:
  using Buffers = std::vector<std::string>;

  void begin() { here().emplace_back(); }
  void print(const std::string& text) {
    if (here().empty()) begin();
    here().back() += text;
  }
  std::string collect() {
    if (here().empty()) return "no buffer";
    std::string text = std::move(here().back());
    here().pop_back();
    return text;
  }
  [[nodiscard]] std::size_t global_depth() const { return global_.size(); }
  [[nodiscard]] const std::vector<weft::Switch>& calls() const { return calls_; }

  /// The handler, for a coroutine that has not started.
  weft::Function<bool(weft::CoroutineBase&, weft::Switch)> mover() {
    return [this](weft::CoroutineBase& coroutine, weft::Switch what) {
      calls_.push_back(what);
      own_[coroutine.id()] = std::exchange(global_, {});
      return false;
    };
  }

 private:
  Buffers& here() {
    if (own_.empty()) return global_;
    const auto own = own_.find(weft::current().id());
    return own != own_.end() ? own->second : global_;
  }

  Buffers global_;
  std::map<std::uint64_t, Buffers> own_;
  std::vector<weft::Switch> calls_;
};

// R-SWH-10, R-SWH-8: a one-shot handler at the start; that of main is set before main exists.
TEST(OutputBuffersTest, MoveIntoEachCoroutineByAHandlerThatIsCalledOnceAtItsStart) {
  OwnOutput output;
  Log log;
  output.begin();
  output.print("before the run; ");
  weft::on_main_start(output.mover());
  weft::testing::run([&] {
    EXPECT_EQ(output.global_depth(), 0U) << "the buffers were moved into main";
    output.print("main begins; ");
    for (const char* name : {"a", "b"}) {
      auto printer = weft::spawn([&, name] {
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
      });
      printer.base().add_switch_handler(output.mover());
    }
    weft::suspend();
    output.print("main between; ");
    weft::delay(10ms);
    output.print("main ends");
    log.push_back(output.collect());
  });
  weft::clear_main_start();
  EXPECT_EQ(
      log, (Log{"a1 a2 a3 ", "b1 b2 b3 ", "before the run; main begins; main between; main ends"}));
  EXPECT_EQ(output.calls(), std::vector<weft::Switch>(3, weft::Switch::enter));
  EXPECT_EQ(output.global_depth(), 0U);
}

/// Runs clean-up functions that may suspend. When one does, a coroutine of high priority continues
/// with the next.
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
  // The next clean-up runs before the coroutine that was queued.
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
