#pragma once

#include <exception>
#include <string>

namespace weft {

/// std::system_error for `error`, naming what was tried: "read from TCP 127.0.0.1:80".
[[noreturn]] void throw_io_error(int error, const std::string& what);
/// The error "Stream was closed", for operations that wait when the stream is closed.
[[nodiscard]] std::exception_ptr stream_was_closed() noexcept;

}  // namespace weft
