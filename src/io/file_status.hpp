#pragma once

#include <uv.h>

#include "weft/file_status.hpp"

namespace weft {

/// The status of a file as libuv returns it.
inline FileStatus file_status(const uv_stat_t& found) noexcept {
  return {found.st_size, static_cast<unsigned>(found.st_mode), found.st_mtim.tv_sec,
          found.st_mtim.tv_nsec};
}

}  // namespace weft
