// A UDP echo server and a few clients, in one program.
//
// One socket serves all clients: a datagram comes whole, with the address of its sender. It may
// also get lost on the way. This server loses every other one on purpose, so a client asks again
// until it has an answer.

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <span>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

using Datagram = std::array<char, 1500>;

void echo(weft::UdpSocket& socket) {
  Datagram buffer;
  for (bool lost = true;; lost = !lost) {
    const weft::Received received = socket.receive_from(buffer);
    if (!lost) socket.send_to(std::span{buffer}.first(received.size), received.from);
  }
}

std::string ask(const weft::Address& server, const std::string& question) {
  weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
  Datagram buffer;
  for (;;) {
    socket.send_to(question, server);
    try {
      const weft::Received answer = socket.receive_from(buffer, weft::timeout(20ms));
      return {buffer.data(), answer.size};
    } catch (const weft::TimedOut&) {  // again
    }
  }
}

void serve_and_ask() {
  weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);  // any free port
  const weft::Address server = socket.local_address();
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] { echo(socket); });
    const auto [one, two, nothing] = weft::with_timeout(10s, [&] {
      return weft::await_all([&] { return ask(server, "one"); }, [&] { return ask(server, "two"); },
                             [&] { return ask(server, ""); });
    });
    std::cout << one << " " << two << "\n";
    std::cout << "an empty datagram is one, too: " << nothing.size() << " bytes\n";
    scope.cancel();
  });
}

}  // namespace

int main() { weft::run(serve_and_ask, {.shutdown_signals = {SIGINT, SIGTERM}}); }

// Prints:
//   one two
//   an empty datagram is one, too: 0 bytes
