#pragma once

#include <cstdint>

namespace weft_hostile {

/// From now on allocations are counted, and the one with the number `failing` fails; 0 is none.
void count_allocations(std::uint64_t failing) noexcept;
void stop_counting_allocations() noexcept;
/// How many allocations were counted.
[[nodiscard]] std::uint64_t counted_allocations() noexcept;

}  // namespace weft_hostile
