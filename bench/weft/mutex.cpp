// Claim: locking and unlocking an uncontended mutex costs a few nanoseconds more than
// setting and clearing a plain flag, and allocates nothing; so does handing it over.
#include <cstdint>
#include <mutex>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

void plain_flag(benchmark::State& state) {
  bool flag = false;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(flag);
    flag = true;
    benchmark::DoNotOptimize(flag);
    flag = false;
  }
}
BENCHMARK(plain_flag)->MeasureProcessCPUTime();

void mutex_uncontended(benchmark::State& state) {
  weft::Mutex mutex;
  for ([[maybe_unused]] auto _ : state) {
    const std::lock_guard lock{mutex};
    benchmark::DoNotOptimize(mutex);
  }

  // Allocations are counted outside of the timed loop, without those of the benchmark library.
  constexpr int counted = 1000;
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) {
    const std::lock_guard lock{mutex};
    benchmark::DoNotOptimize(mutex);
  }
  state.counters["allocations_per_op"] =
      static_cast<double>(bench::allocations() - allocations) / counted;
}
BENCHMARK(mutex_uncontended)->MeasureProcessCPUTime();

/// Two coroutines alternate: each round is a lock, a wait, a wake-up and a hand-over.
void mutex_contended(benchmark::State& state) {
  weft::Mutex mutex;
  bool stop = false;
  auto partner = weft::spawn([&] {
    while (!stop) {
      const std::lock_guard lock{mutex};
      weft::suspend();
    }
  });
  const auto turn = [&] {
    const std::lock_guard lock{mutex};
    weft::suspend();
  };
  for ([[maybe_unused]] auto _ : state) turn();

  constexpr int counted = 1000;
  const std::uint64_t allocations = bench::allocations();
  for (int i = 0; i < counted; ++i) turn();
  state.counters["allocations_per_op"] =
      static_cast<double>(bench::allocations() - allocations) / counted;
  stop = true;
  weft::await(partner);
}
BENCHMARK(mutex_contended)->MeasureProcessCPUTime();

}  // namespace
