#include "context/stack_memory.hpp"

#include <cerrno>
#include <cstdio>
#include <sys/mman.h>

namespace weft {
namespace {

// Missing in the headers of Debian 12; older kernels answer EINVAL.
constexpr int guard_install = 102;

}  // namespace

std::byte* map_slots(std::size_t bytes) noexcept {
  void* const base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  ::madvise(base, bytes, MADV_NOHUGEPAGE);
  return static_cast<std::byte*>(base);
}

void release_slots(std::byte* first, std::size_t count, std::size_t slot,
                   std::size_t /*guard*/) noexcept {
  ::madvise(first, count * slot, MADV_DONTNEED);  // in one call; guards survive it
}

MarkerResult install_marker(void* low, std::size_t width) noexcept {
  if (::madvise(low, width, guard_install) == 0) return MarkerResult::installed;
  return errno == EINVAL ? MarkerResult::not_supported : MarkerResult::no_memory;
}

std::size_t mapping_limit() noexcept {
  std::size_t maps = 65'530;
  if (std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
    unsigned long value = 0;
    if (std::fscanf(file, "%lu", &value) == 1) maps = value;
    std::fclose(file);
  }
  return maps;
}

}  // namespace weft
