// Peer: an echo server on Boost.Asio with C++20 coroutines, one thread; one coroutine per
// connection, written as asio's own examples are.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

asio::awaitable<void> echo(tcp::socket socket) {
  std::array<std::byte, std::size_t{16} * 1024> buffer;
  try {
    for (;;) {
      const std::size_t size =
          co_await socket.async_read_some(asio::buffer(buffer), asio::use_awaitable);
      co_await asio::async_write(socket, asio::buffer(buffer, size), asio::use_awaitable);
    }
  } catch (const boost::system::system_error&) {
    // The client has closed the connection.
  }
}

asio::awaitable<void> accept_all(asio::io_context& context, tcp::acceptor& acceptor) {
  for (;;) {
    tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
    socket.set_option(tcp::no_delay{true});
    asio::co_spawn(context, echo(std::move(socket)), asio::detached);
  }
}

}  // namespace

int main() {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
  acceptor.listen(1024);
  std::printf("port %d\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  asio::co_spawn(context, accept_all(context, acceptor), asio::detached);
  context.run();
}
