// Claim: an echo server on weft costs at most 1.10 of the CPU time of one on bare epoll, 0.90 of
// Go's and 0.80 of node's, with 64 connections and with 1000, and makes no more system calls than
// one on bare libuv. One coroutine per connection, read and written as a user would.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>

#include "weft/weft.hpp"

namespace {

void echo(weft::TcpStream stream) {
  stream.no_delay();
  std::array<std::byte, std::size_t{16} * 1024> buffer;
  while (const std::size_t size = stream.read_some(buffer)) {
    stream.write_all(std::span{buffer}.first(size));
  }
}

}  // namespace

int main() {
  weft::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0, {.backlog = 1024});
    std::printf("port %d\n", listener.port());
    std::fflush(stdout);
    weft::serve(listener, echo, {.max_connections = 20'000});
  });
}
