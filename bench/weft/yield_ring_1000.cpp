// Claim: a thousand coroutines that yield in turn pay at most 0.55 of what as many fibers of
// Boost.Fiber pay for a yield. Here the caches decide: every switch goes to a stack that has not
// been touched for 999 switches.
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>

#include "weft/weft.hpp"

namespace {

constexpr std::size_t ring_size = 1000;

// Every lap of the ring is one yield of each member.
void lead(benchmark::State& state, bool& done) {
  for (int lap = 0; lap < 10; ++lap) weft::suspend();
  while (state.KeepRunningBatch(ring_size)) weft::suspend();
  done = true;
}

void follow(const bool& done) {
  while (!done) weft::suspend();
}

void yield_ring_1000(benchmark::State& state) {
  bool done = false;
  std::vector<weft::Coroutine<void>> ring;
  ring.reserve(ring_size);
  ring.push_back(weft::spawn([&] { lead(state, done); }));
  while (ring.size() < ring_size) ring.push_back(weft::spawn([&] { follow(done); }));
  for (auto& member : ring) weft::await(member);
}
BENCHMARK(yield_ring_1000)->MeasureProcessCPUTime();

}  // namespace
