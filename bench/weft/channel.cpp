// R-CHN-2
// Claim: a message costs at most 0.30 of what it costs through a channel of Boost.Fiber when two
// coroutines hand one value to and fro (per round trip), and at most 0.60 when one fills a buffer
// of 128 that the other empties (per value). A select of two ready channels, which Boost.Fiber does
// not have, costs a few nanoseconds. None of them allocates.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "support/allocations.hpp"
#include "weft/weft.hpp"

namespace {

constexpr benchmark::IterationCount batch = 1000;

/// Times `step` in batches, and counts the allocations of a batch outside of the timed loop.
template <class F>
void measure(benchmark::State& state, F step) {
  for (auto i = batch; i > 0; --i) step();
  const std::uint64_t before = bench::allocations();
  for (auto i = batch; i > 0; --i) step();
  const std::uint64_t after = bench::allocations();
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) step();
  }
  state.counters["allocations_per_op"] =
      static_cast<double>(after - before) / static_cast<double>(batch);
}

void channel_ping_pong(benchmark::State& state) {
  weft::Channel<int> there;
  weft::Channel<int> back;
  auto partner = weft::spawn([&] {
    for (int value : there) back.send(value);
  });
  measure(state, [&] {
    there.send(1);
    benchmark::DoNotOptimize(back.recv());
  });
  there.close();
  weft::await(partner);
}
BENCHMARK(channel_ping_pong)->MeasureProcessCPUTime();

void channel_buffered(benchmark::State& state) {
  weft::Channel<int> channel{128};
  auto partner = weft::spawn([&] {
    for (int value : channel) benchmark::DoNotOptimize(value);
  });
  measure(state, [&] { channel.send(1); });
  channel.close();
  weft::await(partner);
}
BENCHMARK(channel_buffered)->MeasureProcessCPUTime();

void select_two_ready(benchmark::State& state) {
  weft::Channel<int> first{1};
  weft::Channel<int> second{1};
  second.send(1);
  measure(state, [&] {
    first.send(1);
    const auto look = [](int value) { benchmark::DoNotOptimize(value); };
    weft::select(weft::on_recv(first, look), weft::on_recv(second, look));
  });
}
BENCHMARK(select_two_ready)->MeasureProcessCPUTime();

}  // namespace
