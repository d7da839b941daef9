// Claim: what a wake among many coroutines costs more than among few is memory.
//
// Usage: bench_peer_memory COUNT LINES
// No runtime: COUNT blocks as far apart as the stacks of bench_weft_growth, and one object for
// each, as a coroutine has. A visit reads the object, which has the address of its block, and
// writes LINES cache lines of that block. Prints the nanoseconds of a visit, `in_order`, as a wake
// goes round all coroutines, and `shuffled`, as timers do. In a `free` visit the CPU may fetch the
// lines of several blocks at once; in a `dependent` one it knows a line only after the one before
// it, as behind a switch.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr std::size_t line = 64;
constexpr std::size_t block_size = std::size_t{40} * 1024;  // 16 KiB, what the runtime needs, guard
constexpr std::size_t colours = 16;  // blocks begin at different lines, as weft's stacks do

struct alignas(256) Object {
  std::byte* block;
  std::uint64_t visits;
};

double cpu_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

enum class Way { free, dependent };

/// Visits a block. All bytes stay 0, so the result is 0, but the compiler does not know that.
template <Way way>
std::size_t visit(Object& object, std::size_t lines, std::size_t offset) {
  ++object.visits;
  for (std::size_t i = 0; i < lines; ++i) {
    volatile std::byte& first = object.block[i * line + offset];
    const auto found = static_cast<std::size_t>(first);
    first = std::byte{0};
    if constexpr (way == Way::dependent) offset = found;
  }
  return offset;
}

template <Way way>
double nanoseconds_of_a_visit(std::vector<Object>& objects, const std::vector<std::uint32_t>& order,
                              std::size_t lines) {
  std::size_t offset = 0;
  const std::size_t rounds = std::max<std::size_t>(4'000'000 / objects.size(), 4);
  for (const std::uint32_t i : order) visit<way>(objects[i], lines, 0);
  const double begin = cpu_nanoseconds();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const std::uint32_t i : order) offset = visit<way>(objects[i + offset], lines, offset);
  }
  return (cpu_nanoseconds() - begin) / static_cast<double>(rounds * objects.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc == 3 ? std::strtoul(argv[1], nullptr, 10) : 0;
  const std::size_t lines = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (count == 0 || lines == 0 || lines > 24) {
    std::fputs("usage: bench_peer_memory COUNT LINES, where LINES is at most 24\n", stderr);
    return 2;
  }
  void* const memory = ::mmap(nullptr, count * block_size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("bench_peer_memory: mmap");
    return 1;
  }
  std::vector<Object> objects(count);
  for (std::size_t i = 0; i < count; ++i) {
    objects[i].block = static_cast<std::byte*>(memory) + i * block_size + i % colours * 2 * line;
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (const char* const name : {"in_order", "shuffled"}) {
    const double free = nanoseconds_of_a_visit<Way::free>(objects, order, lines);
    const double dependent = nanoseconds_of_a_visit<Way::dependent>(objects, order, lines);
    std::printf("free %s %.1f\ndependent %s %.1f\n", name, free, name, dependent);
    std::shuffle(order.begin(), order.end(), std::mt19937{1});
  }
}
