// Peer: Boost.Asio with C++20 coroutines on an io_context for one thread. Spawns an empty coroutine
// and awaits its end; compare with weft/spawn_await.cpp.
#include <benchmark/benchmark.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace {

namespace asio = boost::asio;

asio::awaitable<void> nothing() { co_return; }

asio::awaitable<void> spawn_one_by_one(benchmark::State& state) {
  const auto executor = co_await asio::this_coro::executor;
  for ([[maybe_unused]] auto _ : state) {
    co_await asio::co_spawn(executor, nothing(), asio::use_awaitable);
  }
}

void spawn_await(benchmark::State& state) {
  asio::io_context context{1};
  asio::co_spawn(context, spawn_one_by_one(state), asio::detached);
  context.run();
}
BENCHMARK(spawn_await)->MeasureProcessCPUTime();

}  // namespace
