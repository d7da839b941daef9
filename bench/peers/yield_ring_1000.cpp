// Peer: Boost.Fiber. A thousand fibers that yield in turn; compare with weft/yield_ring_1000.cpp.
#include <cstddef>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/fiber/all.hpp>

namespace {

constexpr std::size_t ring_size = 1000;

// Every lap of the ring is one yield of each member.
void lead(benchmark::State& state, bool& done) {
  for (int lap = 0; lap < 10; ++lap) boost::this_fiber::yield();
  while (state.KeepRunningBatch(ring_size)) boost::this_fiber::yield();
  done = true;
}

void follow(const bool& done) {
  while (!done) boost::this_fiber::yield();
}

void yield_ring_1000(benchmark::State& state) {
  using boost::fibers::launch;
  bool done = false;
  boost::fibers::pooled_fixedsize_stack stacks;
  std::vector<boost::fibers::fiber> ring;
  ring.reserve(ring_size);
  ring.emplace_back(launch::post, std::allocator_arg, stacks, [&] { lead(state, done); });
  while (ring.size() < ring_size) {
    ring.emplace_back(launch::post, std::allocator_arg, stacks, [&] { follow(done); });
  }
  for (auto& member : ring) member.join();
}
BENCHMARK(yield_ring_1000)->MeasureProcessCPUTime();

}  // namespace
