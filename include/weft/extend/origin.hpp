#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string>

#include "weft/extend/packed_place.hpp"
#include "weft/place.hpp"

namespace weft {

/// The id of an object, and where it was created: what reports call it by.
class Origin {
 public:
  /// Takes the next id of this thread's runtime, or 0 outside one.
  explicit Origin(Place place) noexcept;

  /// Unique in the process while its runtime lives; coroutines have ids of their own.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  /// The line that created the object.
  [[nodiscard]] Place place() const noexcept { return place_.unpack(); }
  /// "Channel #3 (capacity 0, 2 senders) created at foo.cpp:10"; without unknown parts.
  [[nodiscard]] std::string describe(const char* kind, const std::string& details = {},
                                     const char* made = "created") const;

 private:
  std::uint64_t id_;
  PackedPlace place_;
};

}  // namespace weft
