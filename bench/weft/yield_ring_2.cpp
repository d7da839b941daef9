// R-ARCH-5
// Claim: two coroutines that yield to each other pay at most 0.30 of what two fibers of Boost.Fiber
// pay for a yield. The two bodies differ, so a switch comes back to another place than it left
// from: a ring of equal bodies would flatter the branch predictor.
#include <benchmark/benchmark.h>

#include "weft/weft.hpp"

namespace {

constexpr benchmark::IterationCount laps_per_batch = 1000;

// Every lap of the ring is one yield of each of the two, so a batch is 2 * laps yields.
void lead(benchmark::State& state, bool& done) {
  for (auto lap = laps_per_batch; lap > 0; --lap) weft::suspend();
  while (state.KeepRunningBatch(2 * laps_per_batch)) {
    for (auto lap = laps_per_batch; lap > 0; --lap) weft::suspend();
  }
  done = true;
}

void follow(const bool& done) {
  while (!done) weft::suspend();
}

void yield_ring_2(benchmark::State& state) {
  bool done = false;
  auto leader = weft::spawn([&] { lead(state, done); });
  auto follower = weft::spawn([&] { follow(done); });
  weft::await(leader);
  weft::await(follower);
}
BENCHMARK(yield_ring_2)->MeasureProcessCPUTime();

}  // namespace
