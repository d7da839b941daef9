#pragma once

#include <cerrno>
#include <sys/socket.h>

namespace weft {

/// Errors of a connection, not of the listener: it was gone before we came. Linux hands errors of
/// the network that wait for a new connection to accept(), which is to be called again. For a
/// socket that does not listen ENOPROTOOPT and EOPNOTSUPP are its own and would come for ever.
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
