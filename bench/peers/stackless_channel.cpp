// Peer: C++20 coroutines with the channel of peers/stackless/. One value to and fro without a
// buffer (per round trip), and values through a buffer of 128; compare with weft/channel.cpp. This
// channel cannot be closed, cancelled or selected from.
#include <benchmark/benchmark.h>

#include "stackless/channel.hpp"

namespace {

using stackless::Channel;
using stackless::Task;

constexpr benchmark::IterationCount batch = 1000;
constexpr int over = -1;

Task answer(Channel<int>& there, Channel<int>& back) {
  for (int value = 0; (value = co_await there.receive()) != over;) co_await back.send(value);
}

Task ask(benchmark::State& state, Channel<int>& there, Channel<int>& back) {
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) {
      co_await there.send(1);
      benchmark::DoNotOptimize(co_await back.receive());
    }
  }
  co_await there.send(over);
}

Task consume(Channel<int>& channel) {
  for (int value = 0; value != over;) {
    value = co_await channel.receive();
    benchmark::DoNotOptimize(value);
  }
}

Task produce(benchmark::State& state, Channel<int>& channel) {
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) co_await channel.send(1);
  }
  co_await channel.send(over);
}

void channel_ping_pong(benchmark::State& state) {
  Channel<int> there;
  Channel<int> back;
  const Task partner = stackless::spawn(answer(there, back));
  const Task main = stackless::spawn(ask(state, there, back));
  stackless::run();
}
BENCHMARK(channel_ping_pong)->MeasureProcessCPUTime();

void channel_buffered(benchmark::State& state) {
  Channel<int> channel{128};
  const Task partner = stackless::spawn(consume(channel));
  const Task main = stackless::spawn(produce(state, channel));
  stackless::run();
}
BENCHMARK(channel_buffered)->MeasureProcessCPUTime();

}  // namespace
