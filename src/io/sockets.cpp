#include "io/sockets.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

#include "base/real_calls.hpp"
#include "base/system_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "wait/await_as.hpp"
#include "weft/timer.hpp"

namespace weft {
namespace {

Io::Type socket_type(const Address& address, int type) noexcept {
  if (type == SOCK_DGRAM) return Io::Type::udp;
  return address.family() == Address::Family::unix_path ? Io::Type::pipe : Io::Type::tcp;
}

}  // namespace

Ref<Io> make_socket(const Address& address, int type) {
  const auto* const native = static_cast<const sockaddr*>(address.native());
  const int family = address.native_size() > 0 ? native->sa_family : AF_UNSPEC;
  const int descriptor = open_socket(family, type);
  if (descriptor < 0) throw_io_error(errno, "make a socket for " + address.to_string());
  return adopt_or_close(descriptor, socket_type(address, type));
}

Ref<Io> connect_socket(const Address& address, Token token, Place place) {
  Ref<Io> io = make_socket(address, SOCK_STREAM);
  io->set_peer(address);
  Duration pause = std::chrono::milliseconds{1};
  for (;;) {
    const int status =
        real_calls.connect(io->descriptor(), static_cast<const sockaddr*>(address.native()),
                           static_cast<socklen_t>(address.native_size()));
    if (status == 0 || errno == EISCONN) return io;
    if (errno == EINPROGRESS || errno == EINTR || errno == EALREADY) {
      io->finish_connect(address, token, place);
      return io;
    }
    if (errno != EAGAIN) throw_io_error(errno, "connect to " + io->name());
    // The backlog of a unix listener is full, and the kernel does not report when that changes.
    Timer timer{pause};
    naming_timeouts([&] { return "connect to " + io->name(); },
                    [&] { await_as("UnixStream::connect()", timer, token, place); });
    pause = std::min<Duration>(pause * 2, std::chrono::milliseconds{50});
  }
}

void bind_socket(Io& io, const Address& address) {
  if (::bind(io.descriptor(), static_cast<const sockaddr*>(address.native()),
             static_cast<socklen_t>(address.native_size())) != 0) {
    throw_io_error(errno, "bind to " + address.to_string());
  }
}

void shutdown_write(Io& io) {
  // ENOTCONN: the peer has closed before, which is no error.
  if (::shutdown(io.descriptor(), SHUT_WR) != 0 && errno != ENOTCONN) {
    throw_io_error(errno, "end " + io.name());
  }
}

}  // namespace weft
