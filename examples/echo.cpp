// A TCP echo server and a few clients, in one program.
//
// Every connection has a coroutine of its own, which reads and writes as if it were alone. Reading
// waits for the peer, not the thread: meanwhile the others run. A timeout is a second argument.

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <span>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

void echo(weft::TcpStream stream) {
  std::array<std::byte, 4096> buffer;
  while (std::size_t n = stream.read_some(buffer)) stream.write_all(std::span{buffer}.first(n));
}

std::string ask(std::uint16_t port, const std::string& question) {
  weft::TcpStream peer = weft::TcpStream::connect("localhost", port, weft::timeout(10s));
  peer.write_all(question + "\n");
  return peer.read_line(weft::timeout(10s)).value_or("nothing");
}

void serve_and_ask() {
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);  // any free port
  weft::with_scope([&](weft::Scope& server) {
    auto accepting = server.spawn([&] {
      for (;;) {
        server.spawn([](weft::TcpStream stream) { echo(std::move(stream)); }, listener.accept());
      }
    });
    const auto [one, two, three] = weft::await_all([&] { return ask(listener.port(), "one"); },
                                                   [&] { return ask(listener.port(), "two"); },
                                                   [&] { return ask(listener.port(), "three"); });
    std::cout << one << " " << two << " " << three << "\n";

    weft::TcpStream quiet = weft::TcpStream::connect("localhost", listener.port());
    try {
      quiet.read_line(weft::timeout(10ms));
    } catch (const weft::TimedOut&) {
      std::cout << "an idle connection sends nothing\n";
    }
    quiet.write_all("half a ");
    quiet.write_all("line");
    quiet.shutdown_write();  // our side ends; the answer still comes
    std::cout << quiet.read_all() << "\n";
    accepting.cancel();
  });
}

}  // namespace

int main() { weft::run(serve_and_ask, {.shutdown_signals = {SIGINT, SIGTERM}}); }

// Prints:
//   one two three
//   an idle connection sends nothing
//   half a line
