// Peer: bare libuv. 100,000 timers of a random 1 to 1000 ms that only call a function; compare with
// weft/timers.cpp, where each timer wakes a coroutine.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>
#include <uv.h>

#include "support/delays.hpp"

namespace {

constexpr std::size_t timer_count = 100'000;
std::size_t fired = 0;

void on_timer(uv_timer_t*) { ++fired; }

// Kept for the second benchmark, as weft keeps its stacks.
std::vector<uv_timer_t> timers;

void run_all(benchmark::State& state) {
  const auto delays = bench::random_delays(timer_count);
  uv_loop_t* const loop = uv_default_loop();
  fired = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (timers.empty()) {
      timers.resize(timer_count);
      for (uv_timer_t& timer : timers) uv_timer_init(loop, &timer);
    }
    uv_update_time(loop);
    for (std::size_t i = 0; i < timer_count; ++i) {
      uv_timer_start(&timers[i], on_timer, static_cast<std::uint64_t>(delays[i].count()), 0);
    }
    uv_run(loop, UV_RUN_DEFAULT);
  }
  if (fired != timer_count) state.SkipWithError("not every timer fired");
}

// In this order: the first benchmark pays for the memory of the timers, the second reuses it.
void configure(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
BENCHMARK(run_all)->Name("timers_first")->Apply(configure);
BENCHMARK(run_all)->Name("timers_warm")->Apply(configure);

}  // namespace
