// Claim: 1000 empty tasks, spawned in one group and awaited with all(), cost at most 5 times as
// much as 1000 coroutines that are spawned into a vector and awaited by hand, and a limit costs
// nothing on top. The time of one iteration is for all 1000.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

constexpr int tasks = 1000;

void run_group(std::size_t concurrency) {
  weft::TaskGroup<void> group{{.concurrency = concurrency, .queue_limit = 0}};
  for (int i = 0; i < tasks; ++i) group.spawn([] {});
  weft::await(group.all());
}

void run_by_hand() {
  std::vector<weft::Coroutine<void>> coroutines;
  for (int i = 0; i < tasks; ++i) coroutines.push_back(weft::spawn([] {}));
  for (const auto& coroutine : coroutines) weft::await(coroutine);
}

template <class F>
void measure(benchmark::State& state, F&& body) {
  body();  // warm-up: allocates stacks and memory
  for ([[maybe_unused]] auto _ : state) body();

  const std::uint64_t before = bench::allocations();
  body();
  state.counters["allocations_per_task"] =
      static_cast<double>(bench::allocations() - before) / tasks;
  state.SetItemsProcessed(state.iterations() * tasks);
}

void task_group(benchmark::State& state) {
  measure(state, [] { run_group(0); });
}
void task_group_limit_10(benchmark::State& state) {
  measure(state, [] { run_group(10); });
}
void by_hand(benchmark::State& state) { measure(state, run_by_hand); }

BENCHMARK(task_group)->MeasureProcessCPUTime();
BENCHMARK(task_group_limit_10)->MeasureProcessCPUTime();
BENCHMARK(by_hand)->MeasureProcessCPUTime();

}  // namespace
