#include "context/stack_memory.hpp"

#include <sys/mman.h>

namespace weft {

std::byte* map_slots(std::size_t bytes) noexcept {
  void* const base =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

void release_slots(std::byte* first, std::size_t count, std::size_t slot,
                   std::size_t guard) noexcept {
  // A new mapping over the old one is the portable way to free its memory.
  for (std::byte* at = first; count > 0; --count, at += slot) {
    ::mmap(at + guard, slot - guard, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
}

MarkerResult install_marker(void* /*low*/, std::size_t /*width*/) noexcept {
  return MarkerResult::not_supported;
}

std::size_t mapping_limit() noexcept {
  return 65'530;  // the lowest default among the systems that have such a limit
}

}  // namespace weft
