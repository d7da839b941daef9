// Peer: Boost.Asio with C++20 coroutines and its experimental::channel, which is for one thread.
// One value to and fro without a buffer (per round trip), and values through a buffer of 128;
// compare with weft/channel.cpp.
#include <benchmark/benchmark.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace {

namespace asio = boost::asio;
using Error = boost::system::error_code;
using Channel = asio::experimental::channel<void(Error, int)>;

constexpr benchmark::IterationCount batch = 1000;
constexpr int over = -1;

asio::awaitable<void> answer(Channel& there, Channel& back) {
  for (int value = 0; (value = co_await there.async_receive(asio::use_awaitable)) != over;) {
    co_await back.async_send(Error{}, value, asio::use_awaitable);
  }
}

asio::awaitable<void> ask(benchmark::State& state, Channel& there, Channel& back) {
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) {
      co_await there.async_send(Error{}, 1, asio::use_awaitable);
      benchmark::DoNotOptimize(co_await back.async_receive(asio::use_awaitable));
    }
  }
  co_await there.async_send(Error{}, over, asio::use_awaitable);
}

asio::awaitable<void> consume(Channel& channel) {
  for (int value = 0; value != over;) {
    value = co_await channel.async_receive(asio::use_awaitable);
    benchmark::DoNotOptimize(value);
  }
}

asio::awaitable<void> produce(benchmark::State& state, Channel& channel) {
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) {
      co_await channel.async_send(Error{}, 1, asio::use_awaitable);
    }
  }
  co_await channel.async_send(Error{}, over, asio::use_awaitable);
}

void channel_ping_pong(benchmark::State& state) {
  asio::io_context context{1};
  Channel there{context};
  Channel back{context};
  asio::co_spawn(context, answer(there, back), asio::detached);
  asio::co_spawn(context, ask(state, there, back), asio::detached);
  context.run();
}
BENCHMARK(channel_ping_pong)->MeasureProcessCPUTime();

void channel_buffered(benchmark::State& state) {
  asio::io_context context{1};
  Channel channel{context, 128};
  asio::co_spawn(context, consume(channel), asio::detached);
  asio::co_spawn(context, produce(state, channel), asio::detached);
  context.run();
}
BENCHMARK(channel_buffered)->MeasureProcessCPUTime();

}  // namespace
