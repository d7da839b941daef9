#pragma once

#include <cstdint>
#include <vector>

#include <uv.h>

#include "weft/extend/io_request.hpp"

namespace weft {

class Reactor;

/// What a worker thread uses: libuv's request and the buffers.
struct IoRequest::Native {
  /// Hands the operation of `request` to a worker; returns libuv's error or 0.
  int start(IoRequest& request);
  int start_transfer(IoRequest& request);

  uv_fs_t fs{};
  uv_work_t work{};  // of a transfer: uv_fs_sendfile() would block the worker for the socket
  std::int64_t offset = 0;
  std::size_t size = 0;
  std::int64_t moved = 0;
  std::vector<uv_buf_t> buffers;
  Reactor* reactor = nullptr;
};

}  // namespace weft
