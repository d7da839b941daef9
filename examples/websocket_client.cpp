// A WebSocket client on a TCP stream, and a server that echoes.
//
// Both ends are Boost.Beast: weft::AsioStream makes a stream what Beast expects below a WebSocket,
// and where Beast would block the thread the coroutine suspends. Needs Boost.

#include <chrono>
#include <iostream>
#include <string>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include <weft/asio.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;
namespace beast = boost::beast;
namespace websocket = beast::websocket;

namespace {

using WebSocket = websocket::stream<weft::AsioStream<weft::TcpStream>>;

void echo(weft::TcpStream stream) {
  WebSocket socket{std::move(stream)};
  socket.accept();
  for (;;) {
    beast::flat_buffer message;
    boost::system::error_code closed;
    socket.read(message, closed);
    if (closed) break;
    socket.text(socket.got_text());
    socket.write(message.data());
  }
  std::cout << "the client says " << socket.reason().reason << "\n";
}

std::string ask(WebSocket& socket, const std::string& question) {
  socket.write(boost::asio::buffer(question));
  beast::flat_buffer answer;
  weft::with_timeout(10s, [&] { socket.read(answer); });
  return beast::buffers_to_string(answer.data());
}

void talk(std::uint16_t port) {
  WebSocket socket{weft::TcpStream::connect("localhost", port, weft::timeout(10s))};
  socket.handshake("localhost", "/");
  for (const char* question : {"warp", "weft"}) std::cout << ask(socket, question) << "\n";
  std::cout << ask(socket, std::string(100'000, 'x')).size() << " letters\n";
  socket.close({websocket::close_code::normal, "good bye"});  // and waits for the other side
}

}  // namespace

int main() {
  weft::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto client = weft::spawn([&] { talk(listener.port()); });
    weft::serve(listener, echo, {.stop = client});
    weft::await(client);
  });
}

// Prints:
//   warp
//   weft
//   100000 letters
//   the client says good bye
