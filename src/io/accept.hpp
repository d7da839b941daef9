#pragma once

#include <cerrno>
#include <sys/socket.h>

#include "weft/address.hpp"

namespace weft {

/// Whether `error` is one of the accepted connection, after which accept() can be called again;
/// Linux also returns pending network errors of a new connection. ENOPROTOOPT and EOPNOTSUPP count
/// only if the socket listens.
inline bool is_gone_again(int listener, int error) noexcept {
  switch (error) {
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
    case ETIMEDOUT:
      return true;
    case ENOPROTOOPT:
    case EOPNOTSUPP: {
      int listens = 0;
      socklen_t size = sizeof listens;
      return ::getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
             listens != 0;
    }
    default:
      return false;
  }
}

/// The address that the system stored for a peer. Of a family that Address does not have it is
/// empty: the connection can be used.
[[nodiscard]] Address peer_address(const sockaddr* raw, socklen_t size) noexcept;

/// Accepts the oldest connection of a listening socket, and stores the address of its peer. Returns
/// the descriptor, which is non-blocking and not passed on to children. Less than 0: errno says
/// why; EINTR also if the connection was reset before it was accepted.
[[nodiscard]] int try_accept(int listener, Address& peer) noexcept;

}  // namespace weft
