#include "weft/stream.hpp"

#include <utility>

#include "weft/byte_stream.hpp"
#include "weft/error.hpp"
#include "weft/file.hpp"
#include "weft/pipe.hpp"
#include "weft/tcp.hpp"
#include "weft/tty.hpp"
#include "weft/unix_stream.hpp"

namespace weft {

static_assert(ByteStream<Stream> && ByteStream<TcpStream> && ByteStream<UnixStream> &&
              ByteStream<Pipe> && ByteStream<Tty> && ByteStream<File>);

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  close();
  io_ = std::move(other.io_);
  return *this;
}

void Stream::refuse() { throw MisuseError{"This stream was moved away, or never opened"}; }

}  // namespace weft
