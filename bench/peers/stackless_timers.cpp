// Peer: C++20 coroutines with the scheduler of peers/stackless/ and a heap of deadlines. 100,000
// tasks that each sleep for a random 1 to 1000 ms; compare with weft/timers.cpp.
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <functional>
#include <queue>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "stackless/scheduler.hpp"
#include "support/delays.hpp"

namespace {

using stackless::Task;
using Clock = std::chrono::steady_clock;

constexpr std::size_t sleeper_count = 100'000;

struct Deadline {
  Clock::time_point at;
  stackless::Ready* sleeper;
  friend bool operator>(const Deadline& a, const Deadline& b) { return a.at > b.at; }
};
std::priority_queue<Deadline, std::vector<Deadline>, std::greater<>> deadlines;

struct Sleep {
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Task::promise_type> sleeper) const {
    deadlines.push({Clock::now() + duration, &sleeper.promise()});
    return stackless::run_queue.next();
  }
  void await_resume() const noexcept {}
  std::chrono::milliseconds duration;
};

/// Runs tasks until none is ready and none sleeps.
void run_with_timers() {
  for (;;) {
    stackless::run();
    if (deadlines.empty()) return;
    std::this_thread::sleep_until(deadlines.top().at);
    const Clock::time_point now = Clock::now();
    while (!deadlines.empty() && deadlines.top().at <= now) {
      stackless::run_queue.push(*deadlines.top().sleeper);
      deadlines.pop();
    }
  }
}

Task sleep_once(std::chrono::milliseconds duration, std::size_t& woken) {
  co_await Sleep{duration};
  ++woken;
}

void sleep_all(benchmark::State& state) {
  const auto delays = bench::random_delays(sleeper_count);
  std::size_t woken = 0;
  for ([[maybe_unused]] auto _ : state) {
    std::vector<Task> sleepers;
    sleepers.reserve(delays.size());
    for (const std::chrono::milliseconds delay : delays) {
      sleepers.push_back(stackless::spawn(sleep_once(delay, woken)));
    }
    run_with_timers();
  }
  if (woken != sleeper_count) state.SkipWithError("not every task woke");
}

// The same order as weft's: the second uses memory that was used before.
void configure(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
BENCHMARK(sleep_all)->Name("timers_first")->Apply(configure);
BENCHMARK(sleep_all)->Name("timers_warm")->Apply(configure);

}  // namespace
