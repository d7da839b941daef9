// The main function of the peers' benchmark programs.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
