#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>

namespace weft {

/// The status of a file, as stat(2) returns it.
struct FileStatus {
  /// The size in bytes.
  std::uint64_t size = 0;
  /// Type and permissions, as in st_mode.
  unsigned mode = 0;
  /// When the content changed last, in seconds since 1970.
  std::int64_t modified_seconds = 0;
  /// The nanoseconds of that time, below a second.
  std::int64_t modified_nanoseconds = 0;
};

}  // namespace weft
