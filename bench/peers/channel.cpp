// Peer: Boost.Fiber. The same traffic through its unbuffered_channel, and through a
// buffered_channel of 128; compare with weft/channel.cpp. It has no select.
#include <memory>

#include <benchmark/benchmark.h>
#include <boost/fiber/all.hpp>

namespace {

constexpr benchmark::IterationCount batch = 1000;

template <class F>
void measure(benchmark::State& state, F step) {
  for (auto i = batch; i > 0; --i) step();
  while (state.KeepRunningBatch(batch)) {
    for (auto i = batch; i > 0; --i) step();
  }
}

void channel_ping_pong(benchmark::State& state) {
  boost::fibers::unbuffered_channel<int> there;
  boost::fibers::unbuffered_channel<int> back;
  boost::fibers::pooled_fixedsize_stack stacks;
  boost::fibers::fiber partner{boost::fibers::launch::post, std::allocator_arg, stacks, [&] {
                                 for (int value : there) back.push(value);
                               }};
  measure(state, [&] {
    there.push(1);
    benchmark::DoNotOptimize(back.value_pop());
  });
  there.close();
  partner.join();
}
BENCHMARK(channel_ping_pong)->MeasureProcessCPUTime();

void channel_buffered(benchmark::State& state) {
  boost::fibers::buffered_channel<int> channel{128};
  boost::fibers::pooled_fixedsize_stack stacks;
  boost::fibers::fiber partner{boost::fibers::launch::post, std::allocator_arg, stacks, [&] {
                                 for (int value : channel) benchmark::DoNotOptimize(value);
                               }};
  measure(state, [&] { channel.push(1); });
  channel.close();
  partner.join();
}
BENCHMARK(channel_buffered)->MeasureProcessCPUTime();

}  // namespace
