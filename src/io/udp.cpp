#include "weft/udp.hpp"

#include <sys/socket.h>
#include <system_error>

#include "io/sockets.hpp"
#include "names/hosts.hpp"
#include "weft/error.hpp"

namespace weft {

UdpSocket UdpSocket::bind(std::string_view host, std::uint16_t port, Place place) {
  const std::vector<Address> addresses = addresses_of_host(host, port, {}, place);
  Ref<Io> io = make_socket(addresses.front(), SOCK_DGRAM);
  bind_socket(*io, addresses.front());
  return UdpSocket{std::move(io)};
}

UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
  if (this == &other) return *this;
  close();
  io_ = std::move(other.io_);
  return *this;
}

Received UdpSocket::receive_from(Bytes to, Token token, Place place) {
  Received received;
  received.size = io().receive_from(to, received.from, token, place);
  return received;
}

Io& UdpSocket::io() const {
  if (!io_) throw MisuseError{"This socket was moved away"};
  return *io_;
}

}  // namespace weft
