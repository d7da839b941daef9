// Peer: Boost.Asio with C++20 coroutines on an io_context for one thread. Rings of 2 and of 1000
// that post themselves to the end of the queue; compare with weft/yield_ring_2.cpp and
// weft/yield_ring_1000.cpp.
#include <benchmark/benchmark.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace {

namespace asio = boost::asio;

constexpr benchmark::IterationCount laps_per_batch = 100;

// Every lap of the ring is one yield of each member.
asio::awaitable<void> lead(benchmark::State& state, benchmark::IterationCount members, bool& done) {
  for (auto lap = laps_per_batch; lap > 0; --lap) co_await asio::post(asio::use_awaitable);
  while (state.KeepRunningBatch(members * laps_per_batch)) {
    for (auto lap = laps_per_batch; lap > 0; --lap) co_await asio::post(asio::use_awaitable);
  }
  done = true;
}

asio::awaitable<void> follow(const bool& done) {
  while (!done) co_await asio::post(asio::use_awaitable);
}

void ring(benchmark::State& state, benchmark::IterationCount members) {
  bool done = false;
  asio::io_context context{1};
  asio::co_spawn(context, lead(state, members, done), asio::detached);
  for (auto i = members; i > 1; --i) asio::co_spawn(context, follow(done), asio::detached);
  context.run();
}

void yield_ring_2(benchmark::State& state) { ring(state, 2); }
void yield_ring_1000(benchmark::State& state) { ring(state, 1000); }
BENCHMARK(yield_ring_2)->MeasureProcessCPUTime();
BENCHMARK(yield_ring_1000)->MeasureProcessCPUTime();

}  // namespace
