// One server on several cores: a runtime in each thread, a listener each, and one port for all.
//
// serve() accepts, runs a coroutine for each connection, and stops gracefully. Here the clients are
// in the same program; the last one tells all the servers to stop.

#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

constexpr unsigned cores = 2;

void greet(weft::TcpStream stream) {
  while (const std::optional<std::string> name = stream.read_line(weft::timeout(10s))) {
    stream.write_all("hello " + *name + "\n");
  }
}

std::string ask(std::uint16_t port, const std::string& name) {
  weft::TcpStream peer = weft::TcpStream::connect("127.0.0.1", port, weft::timeout(10s));
  peer.write_all(name + "\n");
  return peer.read_line(weft::timeout(10s)).value_or("nothing");
}

}  // namespace

int main() {
  std::atomic<std::uint16_t> port{0};
  std::vector<std::unique_ptr<weft::Trigger>> stop;
  for (unsigned i = 0; i < cores; ++i) stop.push_back(std::make_unique<weft::Trigger>());

  const auto server = [&](unsigned core) {
    while (core != 0 && port == 0) weft::delay(1ms);  // the first one chooses
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", port, {.reuse_port = true});
    if (core == 0) {
      port = listener.port();
      weft::spawn([&] {
        for (const char* name : {"ann", "ben", "cat"}) std::cout << ask(port, name) << "\n";
        for (const auto& one : stop) one->fire();
      });
    }
    weft::serve(listener, greet, {.max_connections = 1'000, .stop = *stop[core], .grace = 1s});
  };
  weft::run_on_cores(cores, server, {.runtime = {.shutdown_signals = {SIGINT, SIGTERM}}});
  std::cout << "all servers have stopped\n";
}

// Prints:
//   hello ann
//   hello ben
//   hello cat
//   all servers have stopped
