#include <cstddef>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

/// Resident memory and page tables of this process, in bytes.
std::size_t memory_in_use() {
  std::size_t total = 0;
  std::FILE* file = std::fopen("/proc/self/status", "re");
  char line[256];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    unsigned long value = 0;
    if (std::sscanf(line, "VmRSS: %lu kB", &value) == 1 ||
        std::sscanf(line, "VmPTE: %lu kB", &value) == 1) {
      total += value * 1024;
    }
  }
  std::fclose(file);
  return total;
}

struct Parked {
  std::size_t bytes_each = 0;
  std::size_t cancelled = 0;
};

Parked park_and_cancel(std::size_t count) {
  Parked result;
  weft::run([&] {
    std::vector<weft::Coroutine<void>> parked;
    parked.reserve(count);
    const std::size_t before = memory_in_use();
    for (std::size_t i = 0; i < count; ++i) {
      parked.push_back(weft::spawn(weft::SpawnOptions{.stack_size = std::size_t{64} * 1024},
                                   [] { weft::delay(1h); }));
      if (i % 1'000 == 999) weft::suspend();
    }
    weft::suspend();
    result.bytes_each = (memory_in_use() - before) / count;
    EXPECT_EQ(weft::stats().coroutines, count + 1);
    EXPECT_EQ(weft::stats().armed_timers, count);
    for (const auto& coroutine : parked) coroutine.cancel();
    while (weft::stats().coroutines > 1) weft::suspend();
    for (const auto& coroutine : parked) result.cancelled += coroutine.is_cancelled() ? 1U : 0U;
  });
  EXPECT_EQ(weft::stats().coroutines, 0U);
  EXPECT_EQ(weft::stats().contexts_in_use, 0U);
  EXPECT_EQ(weft::stats().armed_timers, 0U);
  return result;
}

// R-ARCH-6, R-CPO-7, trap 27, trap 31: guards that need no mapping of their own.
TEST(LinuxManyCoroutines, ParkAndAreCancelledByTheTensOfThousands) {
  const Parked parked = park_and_cancel(40'000);  // more than protected guard pages allow
  EXPECT_EQ(parked.cancelled, 40'000U);
}

// R-ARCH-6, trap 27, trap 31
TEST(ManyCoroutines, ParkAndAreCancelledByTheThousands) {
  const Parked parked = park_and_cancel(20'000);
  EXPECT_EQ(parked.cancelled, 20'000U);
}

// R-ARCH-6
TEST(StressMillionCoroutines, ParkInLessThan4700BytesEachAndAreAllCancelled) {
  const Parked parked = park_and_cancel(1'000'000);
  EXPECT_EQ(parked.cancelled, 1'000'000U);
  EXPECT_LE(parked.bytes_each, 4'700U);
}

}  // namespace
