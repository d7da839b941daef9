// Peer: Boost.Fiber. Gets the value of a shared_future that is ready; compare with
// weft/await_completed.cpp.
#include <benchmark/benchmark.h>
#include <boost/fiber/all.hpp>

namespace {

void await_completed(benchmark::State& state) {
  boost::fibers::promise<int> promise;
  const boost::fibers::shared_future<int> completed = promise.get_future().share();
  promise.set_value(7);

  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(completed.get());
}
BENCHMARK(await_completed)->MeasureProcessCPUTime();

}  // namespace
