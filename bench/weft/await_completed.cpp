// Claim: awaiting a coroutine that has already completed costs at most 0.30 of getting a ready
// boost::fibers::shared_future, makes no switch and allocates nothing.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

void await_completed(benchmark::State& state) {
  auto completed = weft::spawn([] { return 7; });
  weft::await(completed);

  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(weft::await(completed));

  // Allocations are counted outside of the timed loop, without those of the benchmark library.
  constexpr int counted = 1000;
  const std::uint64_t switches = weft::stats().switches;
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) benchmark::DoNotOptimize(weft::await(completed));
  const std::uint64_t allocations_after = bench::allocations();
  const std::uint64_t switches_after = weft::stats().switches;
  state.counters["allocations_per_op"] =
      static_cast<double>(allocations_after - allocations) / counted;
  state.counters["switches_per_op"] = static_cast<double>(switches_after - switches) / counted;
}
BENCHMARK(await_completed)->MeasureProcessCPUTime();

}  // namespace
