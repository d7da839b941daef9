#pragma once

#include <cerrno>

namespace weft {

/// Errors of a connection, not of the listener: it was gone before we came.
inline bool is_gone_again(int error) noexcept {
  switch (error) {
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
      return true;
    default:
      return false;
  }
}

}  // namespace weft
