// Peer: the fcontext of Boost.Context, bare. What one switch of stacks costs, one way, with no
// scheduler around it; compare with weft/yield_ring_2.cpp, where every yield is one such switch.
#include <cstddef>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/context/detail/fcontext.hpp>

namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr benchmark::IterationCount round_trips_per_batch = 1000;

void answer(transfer_t from) {
  for (;;) from = jump_fcontext(from.fctx, nullptr);
}

void raw_switch(benchmark::State& state) {
  std::vector<std::byte> stack(std::size_t{64} * 1024);
  const fcontext_t other = make_fcontext(stack.data() + stack.size(), stack.size(), answer);
  transfer_t from{other, nullptr};

  while (state.KeepRunningBatch(2 * round_trips_per_batch)) {
    for (auto i = round_trips_per_batch; i > 0; --i) from = jump_fcontext(from.fctx, nullptr);
  }
}
BENCHMARK(raw_switch)->MeasureProcessCPUTime();

}  // namespace
