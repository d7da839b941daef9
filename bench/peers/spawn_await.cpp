// Peer: Boost.Fiber. Launches an empty fiber on a pooled stack and joins it; compare with
// weft/spawn_await.cpp.
#include <memory>

#include <benchmark/benchmark.h>
#include <boost/fiber/all.hpp>

namespace {

void spawn_and_join(boost::fibers::pooled_fixedsize_stack& stacks) {
  boost::fibers::fiber child{boost::fibers::launch::post, std::allocator_arg, stacks, [] {}};
  child.join();
}

void spawn_await(benchmark::State& state) {
  boost::fibers::pooled_fixedsize_stack stacks;
  for (int i = 0; i < 1000; ++i) spawn_and_join(stacks);

  for ([[maybe_unused]] auto _ : state) spawn_and_join(stacks);
}
BENCHMARK(spawn_await)->MeasureProcessCPUTime();

}  // namespace
