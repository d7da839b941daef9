// Claim: 100,000 coroutines that each sleep for a random 1 to 1000 ms cost, with their stacks in
// the pool, no more processor time than as many bare libuv timers that only call a function.
#include <chrono>
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/delays.hpp"
#include "weft/weft.hpp"

namespace {

constexpr std::size_t sleeper_count = 100'000;
constexpr weft::SpawnOptions small_stack{.stack_size = std::size_t{64} * 1024};

void sleep_all(benchmark::State& state) {
  const auto delays = bench::random_delays(sleeper_count);
  for ([[maybe_unused]] auto _ : state) {
    std::vector<weft::Coroutine<void>> sleepers;
    sleepers.reserve(delays.size());
    for (const std::chrono::milliseconds delay : delays) {
      sleepers.push_back(weft::spawn(small_stack, [delay] { weft::delay(delay); }));
    }
    for (auto& sleeper : sleepers) weft::await(sleeper);
  }
}

// In this order, in one runtime: the first benchmark pays for the stacks, the second uses pooled
// ones.
void configure(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
BENCHMARK(sleep_all)->Name("timers_first")->Apply(configure);
BENCHMARK(sleep_all)->Name("timers_warm")->Apply(configure);

}  // namespace
