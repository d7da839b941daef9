// Peer: C++20 coroutines with the scheduler of peers/stackless/. Spawns an empty task and awaits
// its end, one at a time and 1000 at a time; compare with weft/spawn_await.cpp and
// weft/task_group.cpp. The task goes through the run queue, as a coroutine of weft does; its frame
// is from operator new.
#include <vector>

#include <benchmark/benchmark.h>

#include "stackless/scheduler.hpp"

namespace {

using stackless::Task;

// Not inline: a compiler that sees the whole life of a frame may leave the frame out.
[[gnu::noinline]] Task nothing() { co_return; }

Task spawn_one_by_one(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) co_await stackless::spawn(nothing());
}

Task spawn_thousands(benchmark::State& state) {
  constexpr benchmark::IterationCount tasks = 1000;
  while (state.KeepRunningBatch(tasks)) {
    std::vector<Task> spawned;
    for (auto i = tasks; i > 0; --i) spawned.push_back(stackless::spawn(nothing()));
    for (const Task& task : spawned) co_await task;
  }
}

void spawn_await(benchmark::State& state) {
  const Task main = stackless::spawn(spawn_one_by_one(state));
  stackless::run();
}
void spawn_1000(benchmark::State& state) {
  const Task main = stackless::spawn(spawn_thousands(state));
  stackless::run();
}
BENCHMARK(spawn_await)->MeasureProcessCPUTime();
BENCHMARK(spawn_1000)->MeasureProcessCPUTime();

}  // namespace
