#pragma once

#include <cerrno>
#include <sys/socket.h>

namespace weft {

/// Errors of the accepted connection, not of the listener: its peer has gone. Linux also returns
/// network errors of a new connection from accept(), which is to be called again. ENOPROTOOPT and
/// EOPNOTSUPP of a socket that does not listen are its own and would come for ever.
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

}  // namespace weft
