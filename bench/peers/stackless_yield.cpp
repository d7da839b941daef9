// Peer: C++20 coroutines with the scheduler of peers/stackless/. Rings of 2 and of 1000 that yield
// in turn; compare with weft/yield_ring_2.cpp and weft/yield_ring_1000.cpp. A yield saves no stack
// and no registers: only the function that says co_await can be left, and what it calls cannot.
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "stackless/scheduler.hpp"

namespace {

using stackless::Task;
using stackless::Yield;

constexpr benchmark::IterationCount laps_per_batch = 1000;

// Every lap of the ring is one yield of each member.
Task lead(benchmark::State& state, benchmark::IterationCount members, bool& done) {
  for (auto lap = laps_per_batch; lap > 0; --lap) co_await Yield{};
  while (state.KeepRunningBatch(members * laps_per_batch)) {
    for (auto lap = laps_per_batch; lap > 0; --lap) co_await Yield{};
  }
  done = true;
}

Task follow(const bool& done) {
  while (!done) co_await Yield{};
}

void ring(benchmark::State& state, std::size_t members) {
  bool done = false;
  std::vector<Task> tasks;
  tasks.reserve(members);
  tasks.push_back(
      stackless::spawn(lead(state, static_cast<benchmark::IterationCount>(members), done)));
  while (tasks.size() < members) tasks.push_back(stackless::spawn(follow(done)));
  stackless::run();
}

void yield_ring_2(benchmark::State& state) { ring(state, 2); }
void yield_ring_1000(benchmark::State& state) { ring(state, 1000); }
BENCHMARK(yield_ring_2)->MeasureProcessCPUTime();
BENCHMARK(yield_ring_1000)->MeasureProcessCPUTime();

}  // namespace
