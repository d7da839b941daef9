#pragma once

#include <sys/socket.h>
#include <utility>

#include "weft/await.hpp"
#include "weft/coroutine.hpp"
#include "weft/listener.hpp"
#include "weft/tcp.hpp"

namespace weft_test {

/// The two ends of a connection, with a small buffer, so that reads and writes wait often.
inline std::pair<weft::TcpStream, weft::TcpStream> connected() {
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  auto accepted = weft::spawn([&] { return listener.accept(); });
  weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
  client.io().set_option(SOL_SOCKET, SO_SNDBUF, 20'000);
  return {std::move(client), weft::await(accepted)};
}

}  // namespace weft_test
