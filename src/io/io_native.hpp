#pragma once

#include <vector>

#include <uv.h>

#include "weft/io_request.hpp"

namespace weft {

class Reactor;

/// What a worker thread has while it works: libuv's request, and where it finds the memory.
struct IoRequest::Native {
  uv_fs_t fs{};
  std::vector<uv_buf_t> buffers;
  Reactor* reactor = nullptr;
};

}  // namespace weft
