// An echo server as a user would write it. Prints "port <number>" and serves 127.0.0.1 until
// killed.
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>

#include <weft/weft.hpp>

namespace {

void echo(weft::TcpStream stream) {
  std::array<std::byte, 4096> buffer;
  while (const std::size_t size = stream.read_some(buffer)) {
    stream.write_all(std::span{buffer}.first(size));
  }
}

}  // namespace

int main() {
  weft::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    std::printf("port %d\n", listener.port());
    std::fflush(stdout);
    weft::serve(listener, echo);
  });
}
