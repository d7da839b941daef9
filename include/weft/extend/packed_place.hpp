#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>

#include "weft/place.hpp"

namespace weft {

/// A Place in one word, as coroutines keep it: user addresses need 48 bits, the line gets the rest
/// and saturates.
class PackedPlace {
 public:
  /// No place.
  constexpr PackedPlace() noexcept = default;
  explicit PackedPlace(Place place) noexcept
      : word_{reinterpret_cast<std::uintptr_t>(place.file) |
              (std::uint64_t{place.line < max_line ? place.line : max_line} << address_bits)} {}

  /// The place it was made of.
  [[nodiscard]] Place unpack() const noexcept {
    if (word_ == 0) return {};
    return Place{reinterpret_cast<const char*>(word_ & address_mask),
                 static_cast<unsigned>(word_ >> address_bits)};
  }
  /// Whether it is no place.
  [[nodiscard]] bool empty() const noexcept { return word_ == 0; }
  /// The packed word, to be passed on as a pointer.
  [[nodiscard]] void* word() const noexcept { return reinterpret_cast<void*>(word_); }
  /// The place that word() gave.
  static PackedPlace from_word(void* word) noexcept {
    PackedPlace place;
    place.word_ = reinterpret_cast<std::uintptr_t>(word);
    return place;
  }

 private:
  static constexpr unsigned address_bits = 48;
  static constexpr unsigned max_line = 0xffff;
  static constexpr std::uint64_t address_mask = (std::uint64_t{1} << address_bits) - 1;
  std::uint64_t word_ = 0;
};

}  // namespace weft
