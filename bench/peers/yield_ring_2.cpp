// Peer: Boost.Fiber. Two fibers with different bodies that yield to each other; compare with
// weft/yield_ring_2.cpp.
#include <memory>

#include <benchmark/benchmark.h>
#include <boost/fiber/all.hpp>

namespace {

constexpr benchmark::IterationCount laps_per_batch = 1000;

// Every lap of the ring is one yield of each of the two, so a batch is 2 * laps yields.
void lead(benchmark::State& state, bool& done) {
  for (auto lap = laps_per_batch; lap > 0; --lap) boost::this_fiber::yield();
  while (state.KeepRunningBatch(2 * laps_per_batch)) {
    for (auto lap = laps_per_batch; lap > 0; --lap) boost::this_fiber::yield();
  }
  done = true;
}

void follow(const bool& done) {
  while (!done) boost::this_fiber::yield();
}

void yield_ring_2(benchmark::State& state) {
  bool done = false;
  boost::fibers::pooled_fixedsize_stack stacks;
  boost::fibers::fiber leader{boost::fibers::launch::post, std::allocator_arg, stacks,
                              [&] { lead(state, done); }};
  boost::fibers::fiber follower{boost::fibers::launch::post, std::allocator_arg, stacks,
                                [&] { follow(done); }};
  leader.join();
  follower.join();
}
BENCHMARK(yield_ring_2)->MeasureProcessCPUTime();

}  // namespace
