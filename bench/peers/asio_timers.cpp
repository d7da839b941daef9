// Peer: Boost.Asio with C++20 coroutines on an io_context for one thread. 100,000 coroutines that
// each wait for a steady_timer of a random 1 to 1000 ms; compare with weft/timers.cpp.
#include <chrono>
#include <cstddef>

#include <benchmark/benchmark.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/delays.hpp"

namespace {

namespace asio = boost::asio;

constexpr std::size_t sleeper_count = 100'000;

asio::awaitable<void> sleep_once(std::chrono::milliseconds duration, std::size_t& woken) {
  asio::steady_timer timer{co_await asio::this_coro::executor, duration};
  co_await timer.async_wait(asio::use_awaitable);
  ++woken;
}

void sleep_all(benchmark::State& state) {
  // One context for both benchmarks, like weft's runtime.
  static asio::io_context context{1};
  const auto delays = bench::random_delays(sleeper_count);
  std::size_t woken = 0;
  for ([[maybe_unused]] auto _ : state) {
    context.restart();
    for (const std::chrono::milliseconds delay : delays) {
      asio::co_spawn(context, sleep_once(delay, woken), asio::detached);
    }
    context.run();
  }
  if (woken != sleeper_count) state.SkipWithError("not every coroutine woke");
}

// The same order as weft's: the second uses memory that was used before.
void configure(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
BENCHMARK(sleep_all)->Name("timers_first")->Apply(configure);
BENCHMARK(sleep_all)->Name("timers_warm")->Apply(configure);

}  // namespace
