#include "io/accept.hpp"

#include "base/system_calls.hpp"

namespace weft {

Address peer_address(const sockaddr* raw, socklen_t size) noexcept {
  if (size <= sizeof(sa_family_t)) return {};
  try {
    return Address::from_native(raw, size);
  } catch (...) {
    return {};
  }
}

int try_accept(int listener, Address& peer) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const raw = reinterpret_cast<sockaddr*>(&storage);
  const int accepted = accept_connection(listener, raw, &size);
  if (accepted >= 0) {
    peer = peer_address(raw, size);
  } else if (is_gone_again(listener, errno)) {
    errno = EINTR;
  }
  return accepted;
}

}  // namespace weft
