// Claim: lending an idle resource of a pool and taking it back costs some nanoseconds and allocates
// nothing; nor does handing it to a waiter.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

void pool_uncontended(benchmark::State& state) {
  weft::Pool<int> pool{{.min = 2, .max = 2, .create = [] { return 7; }}};
  for ([[maybe_unused]] auto _ : state) {
    const auto lease = pool.acquire();
    benchmark::DoNotOptimize(*lease);
  }

  // Allocations are counted outside of the timed loop, without those of the benchmark library.
  constexpr int counted = 1000;
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) {
    const auto lease = pool.acquire();
    benchmark::DoNotOptimize(*lease);
  }
  state.counters["allocations_per_op"] =
      static_cast<double>(bench::allocations() - allocations) / counted;
}
BENCHMARK(pool_uncontended)->MeasureProcessCPUTime();

/// Two coroutines use one resource alternately.
void pool_contended(benchmark::State& state) {
  weft::Pool<int> pool{{.max = 1, .create = [] { return 7; }}};
  const auto turn = [&] {
    const auto lease = pool.acquire();
    weft::suspend();
  };
  bool stop = false;
  auto partner = weft::spawn([&] {
    while (!stop) turn();
  });
  for ([[maybe_unused]] auto _ : state) turn();

  constexpr int counted = 1000;
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) turn();
  state.counters["allocations_per_op"] =
      static_cast<double>(bench::allocations() - allocations) / counted;
  stop = true;
  weft::await(partner);
}
BENCHMARK(pool_contended)->MeasureProcessCPUTime();

}  // namespace
