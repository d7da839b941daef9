// Claim: spawning an empty coroutine and awaiting its end, on stacks that come from the pool, costs
// at most 0.30 of launching and joining an empty fiber of Boost.Fiber on pooled stacks.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

void spawn_and_await() {
  auto child = weft::spawn([] {});
  weft::await(child);
}

double per_operation(std::uint64_t after, std::uint64_t before, int operations) {
  return static_cast<double>(after - before) / operations;
}

void spawn_await(benchmark::State& state) {
  constexpr int warm_up = 1000;
  for (int i = 0; i < warm_up; ++i) spawn_and_await();

  for ([[maybe_unused]] auto _ : state) spawn_and_await();

  // Allocations are counted outside of the timed loop, without those of the benchmark library.
  constexpr int counted = 1000;
  const weft::Stats stats = weft::stats();
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) spawn_and_await();
  const std::uint64_t allocations_after = bench::allocations();
  const weft::Stats stats_after = weft::stats();
  state.counters["allocations_per_op"] = per_operation(allocations_after, allocations, counted);
  state.counters["switches_per_op"] = per_operation(stats_after.switches, stats.switches, counted);
  state.counters["fresh_stacks_per_op"] =
      per_operation(stats_after.contexts_created, stats.contexts_created, counted);
}
BENCHMARK(spawn_await)->MeasureProcessCPUTime();

}  // namespace
