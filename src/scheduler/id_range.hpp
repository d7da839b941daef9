#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

// Ids are unique in the process: each living runtime takes a range of its own, the lowest free.
inline constexpr unsigned id_bits = 40;
inline std::atomic<std::uint64_t> ranges_in_use{0};

inline std::uint64_t take_id_range() noexcept {
  std::uint64_t used = ranges_in_use.load(std::memory_order_relaxed);
  for (;;) {
    const auto range = static_cast<unsigned>(__builtin_ctzll(~used));
    if (used == ~std::uint64_t{0}) return std::uint64_t{64} << id_bits;
    if (ranges_in_use.compare_exchange_weak(used, used | (std::uint64_t{1} << range))) {
      return std::uint64_t{range} << id_bits;
    }
  }
}

inline void give_id_range_back(std::uint64_t id) noexcept {
  const std::uint64_t range = id >> id_bits;
  if (range < 64) ranges_in_use.fetch_and(~(std::uint64_t{1} << range));
}

}  // namespace weft
