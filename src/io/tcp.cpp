#include "weft/tcp.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <system_error>

#include "io/adopt_or_close.hpp"
#include "io/io_error.hpp"
#include "io/sockets.hpp"
#include "names/hosts.hpp"

namespace weft {

TcpStream TcpStream::connect(std::string_view host, std::uint16_t port, Token token, Place place) {
  const std::vector<Address> addresses = addresses_of_host(host, port, token, place);
  for (std::size_t i = 0;; ++i) {
    try {
      return connect(addresses[i], token, place);
    } catch (const std::system_error& refused) {
      if (i + 1 < addresses.size()) continue;
      if (Address::try_parse(host, port)) throw;  // it is named already
      throw_io_error(refused.code().value(),
                     "connect to " + std::string{host} + " (TCP " + addresses[i].to_string() + ")");
    }
  }
}

TcpStream TcpStream::connect(const Address& address, Token token, Place place) {
  return TcpStream{connect_socket(address, token, place)};
}

TcpStream TcpStream::adopt(int descriptor, std::string_view read_ahead) {
  return TcpStream{adopt_with(read_ahead, descriptor, Io::Type::tcp)};
}

void TcpStream::shutdown_write() { weft::shutdown_write(io()); }

void TcpStream::no_delay(bool on) { io().set_option(IPPROTO_TCP, TCP_NODELAY, on ? 1 : 0); }

void TcpStream::keep_alive(bool on, std::chrono::seconds idle) {
  io().set_option(SOL_SOCKET, SO_KEEPALIVE, on ? 1 : 0);
  if (on) io().set_option(IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(idle.count()));
}

}  // namespace weft
