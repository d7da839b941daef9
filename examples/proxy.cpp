// A TCP proxy: its clients speak with a server behind it.
//
// Each connection is two copies, one for each direction. When one side ends its
// output, the proxy ends its output to the other, which may still answer. If a copy fails, its
// scope cancels the other.

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <iostream>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

void forward(weft::TcpStream& from, weft::TcpStream& to) {
  weft::copy(from, to);
  to.shutdown_write();
}

void proxy(weft::TcpStream client, const weft::Address& target) {
  weft::TcpStream server = weft::TcpStream::connect(target, weft::timeout(10s));
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] { forward(client, server); });
    scope.spawn([&] { forward(server, client); });
  });
}

/// The server behind it: answers when it has read everything.
void shout(weft::TcpStream stream) {
  std::string text = stream.read_all(weft::timeout(10s));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  stream.write_all(text);
}

std::string ask(const weft::Address& address, const std::string& text) {
  weft::TcpStream stream = weft::TcpStream::connect(address, weft::timeout(10s));
  stream.write_all(text);
  stream.shutdown_write();
  return stream.read_all(weft::timeout(10s));
}

void serve_and_ask() {
  weft::Listener behind = weft::Listener::tcp("127.0.0.1", 0);
  weft::Listener front = weft::Listener::tcp("127.0.0.1", 0);
  auto clients = weft::spawn([&] {
    const weft::Address address = front.local_address();
    const auto [one, two, much] =
        weft::await_all([&] { return ask(address, "one"); }, [&] { return ask(address, "two"); },
                        [&] { return ask(address, std::string(1'000'000, 'x')); });
    std::cout << one << " " << two << "\n";
    std::cout << std::count(much.begin(), much.end(), 'X') << " times X\n";
  });
  const auto handler = [&](weft::TcpStream client) {
    proxy(std::move(client), behind.local_address());
  };
  weft::await_all([&] { weft::serve(behind, shout, {.stop = clients}); },
                  [&] { weft::serve(front, handler, {.stop = clients}); });
  weft::await(clients);
}

}  // namespace

int main() { weft::run(serve_and_ask, {.shutdown_signals = {SIGINT, SIGTERM}}); }

// Prints:
//   ONE TWO
//   1000000 times X
