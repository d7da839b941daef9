#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

// Memory of stacks. Each backend has its own source. A slot is one stack with its guard at the low
// end.

/// Memory for `bytes` of slots, or null with errno. It costs nothing before it is touched.
std::byte* map_slots(std::size_t bytes) noexcept;
/// Gives back the memory of `count` adjacent slots. Their guards stay.
void release_slots(std::byte* first, std::size_t count, std::size_t slot,
                   std::size_t guard) noexcept;

enum class MarkerResult : std::uint8_t { installed, not_supported, no_memory };
/// Makes `width` bytes at `low` a guard that needs no mapping of its own.
MarkerResult install_marker(void* low, std::size_t width) noexcept;
/// How many mappings a process may have.
std::size_t mapping_limit() noexcept;

}  // namespace weft
