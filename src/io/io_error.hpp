#pragma once

#include <cerrno>
#include <exception>
#include <string>

namespace weft {

/// std::system_error for `error`, naming what was tried: "read from TCP 127.0.0.1:80".
[[noreturn]] void throw_io_error(int error, const std::string& what);
/// For after a system call that failed, with errno. True: it was interrupted, and is to be called
/// again. False: it would have blocked. Throws all other errors, of what `describe()` says.
template <class F>
[[nodiscard]] bool was_interrupted(F describe) {
  const int error = errno;
  if (error == EINTR) return true;
  if (error != EAGAIN && error != EWOULDBLOCK) throw_io_error(error, describe());
  return false;
}
/// The error "Stream was closed", for operations that wait when the stream is closed.
[[nodiscard]] std::exception_ptr stream_was_closed() noexcept;

}  // namespace weft
