// The main function of weft's benchmark programs: all benchmarks of a program run in one runtime,
// in its main coroutine, so that a benchmark uses the stacks that the one before left in the pool.
#include <benchmark/benchmark.h>

#include "weft/weft.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  weft::run([] { benchmark::RunSpecifiedBenchmarks(); });
  benchmark::Shutdown();
}
