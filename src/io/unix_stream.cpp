#include "weft/unix_stream.hpp"

#include <cerrno>
#include <sys/socket.h>

#include "base/system_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/io_error.hpp"
#include "io/sockets.hpp"

namespace weft {

UnixStream UnixStream::connect(std::string_view path, Token token, Place place) {
  return UnixStream{connect_socket(Address::unix_path(path), token, place)};
}

std::pair<UnixStream, UnixStream> UnixStream::pair() {
  int both[2] = {-1, -1};
  if (open_socket_pair(AF_UNIX, SOCK_STREAM, both) != 0) {
    throw_io_error(errno, "make a pair of sockets");
  }
  constexpr unsigned ways = Io::readable | Io::writable;
  return adopt_both<UnixStream>(both, ways, ways);
}

UnixStream UnixStream::adopt(int descriptor, std::string_view read_ahead) {
  return UnixStream{adopt_with(read_ahead, descriptor, Io::Type::pipe)};
}

void UnixStream::shutdown_write() { weft::shutdown_write(io()); }

}  // namespace weft
