#pragma once

#include <cstdint>

namespace weft {

/// What is known of a file.
struct FileStatus {
  std::uint64_t size = 0;
  unsigned mode = 0;  ///< type and permissions, as in st_mode
  std::int64_t modified_seconds = 0;
  std::int64_t modified_nanoseconds = 0;
};

}  // namespace weft
